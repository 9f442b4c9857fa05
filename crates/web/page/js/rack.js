/** Tiles left of a colour, as buttons. */

import { fill, h, s } from './dom.js';
import { CELL, COLOURS } from './geometry.js';
import { tilePicture } from './picture.js';
import { LETTERS } from './tiles.js';

/** @import { Tiles } from './tiles.js' */

/** Rack of a colour: a button for each of the 21 tiles, in fixed places. */
export class Rack {
	/**
	 * @param {Tiles} tiles
	 * @param {{take?: (letter: string) => void, hover?: (letter: string | null) => void}} events
	 */
	constructor(tiles, events) {
		this.events = events;
		this.colour = -1;
		/** @type {Map<string, HTMLButtonElement>} */
		this.buttons = new Map();
		/** @type {Map<string, SVGGElement>} */
		this.places = new Map();
		for (const letter of LETTERS) {
			const place = s('g');
			const { width, height } = tiles.orientations[tiles.of(letter)[0]];
			const side = 5.2 * CELL;
			const picture = s(
				'svg',
				{
					viewBox: `${(width * CELL - side) / 2} ${(height * CELL - side) / 2} ${side} ${side}`,
					'aria-hidden': true,
				},
				place
			);
			const take = h(
				'button',
				{
					type: 'button',
					class: 'rack-tile',
					click: () => events.take?.(letter),
					pointerenter: () => events.hover?.(letter),
					pointerleave: () => events.hover?.(null),
				},
				picture,
				h('span', { 'aria-hidden': true }, letter)
			);
			this.buttons.set(letter, take);
			this.places.set(letter, place);
		}
		this.tiles = tiles;
		this.element = h('div', { class: 'rack', role: 'group' }, [...this.buttons.values()]);
	}

	/**
	 * @param {number} colour
	 * @param {string} left letters of the tiles that are left
	 * @param {{held?: string, reach?: Map<string, number> | null, active: boolean,
	 *   counts?: Map<string, number>}} options `reach`: tiles that reach the hinted cell
	 */
	draw(colour, left, { held = '', reach = null, active, counts }) {
		this.element.setAttribute('aria-label', `tiles of ${COLOURS[colour]}`);
		for (const [letter, take] of this.buttons) {
			if (colour !== this.colour) {
				const cells = this.tiles.orientations[this.tiles.of(letter)[0]].pos;
				fill(/** @type {SVGGElement} */ (this.places.get(letter)), tilePicture(cells, colour));
			}
			const here = left.includes(letter);
			const count = counts?.get(letter) ?? 0;
			take.disabled = !here || !active;
			take.classList.toggle('gone', !here);
			take.classList.toggle('held', letter === held);
			take.classList.toggle('reaches', Boolean(reach?.has(letter)));
			take.classList.toggle('stuck', Boolean(here && active && counts && count === 0));
			const state = here ? (counts ? `, ${count} placements` : '') : ', placed';
			take.setAttribute('aria-label', `tile ${letter}${state}`);
			take.setAttribute('aria-pressed', String(letter === held));
		}
		this.colour = colour;
	}
}
