/** Curves under the board: scores or chances by ply; a click shows the ply. */

import { fill, h, s } from './dom.js';
import { COLOURS } from './geometry.js';

const [WIDTH, HEIGHT] = [400, 64];

/** Curve with a line for each seat or colour. */
export class Curve {
	/** @param {string} label @param {(ply: number) => void} go */
	constructor(label, go) {
		this.last = 1;
		this.svg = s('svg', {
			viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
			preserveAspectRatio: 'none',
			role: 'img',
			'aria-label': label,
		});
		this.element = h(
			'div',
			{
				class: 'curve',
				click: (/** @type {MouseEvent} */ event) => {
					const box = this.element.getBoundingClientRect();
					go(Math.round(((event.clientX - box.left) / box.width) * this.last));
				},
			},
			this.svg,
			h('small', { class: 'curve-name', 'aria-hidden': true }, label)
		);
	}

	/**
	 * @param {{colour: number, values: (number | undefined)[]}[]} lines values by ply
	 * @param {number} last greatest ply
	 * @param {number} ply ply that is shown
	 * @param {number} [axis] value of the horizontal line
	 */
	draw(lines, last, ply, axis = 0) {
		this.last = Math.max(1, last);
		const all = lines.flatMap(({ values }) => values.filter(value => value !== undefined));
		const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
		const x = (/** @type {number} */ at) => ((at / this.last) * WIDTH).toFixed(1);
		const y = (/** @type {number} */ value) =>
			(HEIGHT - 4 - ((value - low) / (high - low)) * (HEIGHT - 8)).toFixed(1);
		fill(
			this.svg,
			s('path', { class: 'axis', d: `M0 ${y(axis)}H${WIDTH}` }),
			lines.map(({ colour, values }) => {
				let path = '';
				values.forEach((value, at) => {
					if (value !== undefined) path += `${path ? 'L' : 'M'}${x(at)} ${y(value)}`;
				});
				return s(
					'path',
					{ class: `curve-line c${colour}`, d: path },
					s('title', {}, COLOURS[colour])
				);
			}),
			s('path', { class: 'now', d: `M${x(ply)} 0V${HEIGHT}` })
		);
	}
}
