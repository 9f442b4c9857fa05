/** Data of the tests: tiles from the organisers' table, states from `duoforge state --json`. */

import { readFileSync } from 'node:fs';
import { Tiles } from '../../../page/js/tiles.js';

/** @import { Cell, State } from '../../../page/js/types.d.ts' */

/** @param {string} path */
const read = path => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Cells of all 168 codes, relative to the centre. */
export const codeRows = read('../../../../../tests/data/tile_codes.csv')
	.trim()
	.split('\n')
	.slice(1)
	.map(line => {
		const [tile, rotation, cells] = line.split(',');
		const offsets = cells.split(' ').map(cell => /** @type {Cell} */ (cell.split(':').map(Number)));
		return { tile, rotation: Number(rotation), offsets };
	});

/**
 * Table of tiles for a board size, made from the organisers' table.
 * @param {number} size
 */
export function tileTable(size) {
	const seen = new Set();
	const orientations = [];
	let first = 0;
	for (const { tile, rotation, offsets } of codeRows) {
		const left = Math.min(...offsets.map(([x]) => x));
		const top = Math.min(...offsets.map(([, y]) => y));
		const pos = offsets
			.map(([x, y]) => /** @type {Cell} */ ([x - left, y - top]))
			.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
		const name = tile + JSON.stringify(pos);
		if (seen.has(name)) continue;
		seen.add(name);
		const width = Math.max(...pos.map(([x]) => x)) + 1;
		const height = Math.max(...pos.map(([, y]) => y)) + 1;
		const centre = /** @type {Cell} */ ([-left, -top]);
		orientations.push({ tile, rotation, width, height, centre, first_action: first, pos });
		first += (size - width + 1) * (size - height + 1);
	}
	return { size, pass: first, orientations };
}

/** @type {State[]} */
export const states = JSON.parse(read('states.json'));
export const duo = new Tiles(tileTable(14));
export const classic = new Tiles(tileTable(20));
/** @param {State} state */
export const tilesOf = state => (state.board.length === 14 ? duo : classic);
