/** Picture of a tile. */

import { s } from './dom.js';
import { CELL, key, outline } from './geometry.js';

/** @import { Cell } from './types.js' */

/**
 * Returns the pictures of a tile: body, pattern, seams between its cells, and rim.
 * @param {Cell[]} cells
 * @param {number} colour
 * @param {string} [extra] further classes
 */
export function tilePicture(cells, colour, extra = '') {
	const has = new Set(cells.map(([x, y]) => key(x, y)));
	let seams = '';
	for (const [x, y] of cells) {
		const [left, top] = [x * CELL, y * CELL];
		if (has.has(key(x + 1, y))) seams += `M${left + CELL} ${top + 3}v${CELL - 6}`;
		if (has.has(key(x, y + 1))) seams += `M${left + 3} ${top + CELL}h${CELL - 6}`;
	}
	const body = outline(cells, 0.6, 3.4);
	return s(
		'g',
		`tile c${colour} ${extra}`,
		s('path', { class: 'body', d: body }),
		s('path', { class: 'pattern', d: body, fill: `url(#pattern${colour})` }),
		s('path', { class: 'seam', d: seams }),
		s('path', { class: 'gleam', d: outline(cells, 1.9, 2.4) }),
		s('path', { class: 'rim', d: body })
	);
}
