/** The 91 orientations of a board size, and placements as actions, cells and codes. */

import { key, lineName, readCell } from './geometry.js';

/** @import { Cell, Placement, TileTable } from './types.js' */

/** Letters of the 21 tiles. */
export const LETTERS = 'abcdefghijklmnopqrstu';

/**
 * Moves cells so that their bounding box begins at the origin, and sorts them.
 * @param {Cell[]} cells
 */
function normalised(cells) {
	const left = Math.min(...cells.map(([x]) => x));
	const top = Math.min(...cells.map(([, y]) => y));
	return cells
		.map(([x, y]) => key(x - left, y - top))
		.sort((a, b) => a - b)
		.join();
}

/** Table of tiles. */
export class Tiles {
	/** @param {TileTable} table */
	constructor(table) {
		this.table = table;
		this.size = table.size;
		this.pass = table.pass;
		this.orientations = table.orientations;
		/** @type {Map<string, number[]>} */
		this.byLetter = new Map();
		/** @type {Map<string, number>} */
		this.byShape = new Map();
		table.orientations.forEach((shape, o) => {
			this.byLetter.set(shape.tile, [...(this.byLetter.get(shape.tile) ?? []), o]);
			this.byShape.set(normalised(shape.pos), o);
		});
	}

	/** Orientations of a tile. @param {string} letter */
	of(letter) {
		return this.byLetter.get(letter) ?? [];
	}

	/** Orientation after quarter turns to the right. @param {number} o @param {number} quarters */
	rotate(o, quarters) {
		let cells = this.orientations[o].pos;
		for (let i = 0; i < (quarters & 3); i += 1) cells = cells.map(([x, y]) => [-y, x]);
		return this.byShape.get(normalised(cells)) ?? o;
	}

	/** Orientation of the mirror image. @param {number} o */
	flip(o) {
		const cells = this.orientations[o].pos.map(([x, y]) => /** @type {Cell} */ ([-x, y]));
		return this.byShape.get(normalised(cells)) ?? o;
	}

	/** Cells of a placement. @param {Placement} placement @returns {Cell[]} */
	cells({ o, x, y }) {
		return this.orientations[o].pos.map(([dx, dy]) => [x + dx, y + dy]);
	}

	/** Number of a placement, or -1 if it extends beyond the board. @param {Placement} placement */
	action({ o, x, y }) {
		const { width, height, first_action: first } = this.orientations[o];
		const columns = this.size - width + 1;
		return x < 0 || y < 0 || x >= columns || y > this.size - height ? -1 : first + y * columns + x;
	}

	/**
	 * Placement of a number; null for the pass.
	 * @param {number} action
	 * @returns {Placement | null}
	 */
	placement(action) {
		if (action >= this.pass) return null;
		let low = 0;
		let high = this.orientations.length;
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if (this.orientations[middle].first_action <= action) low = middle;
			else high = middle;
		}
		const { width, first_action: first } = this.orientations[low];
		const columns = this.size - width + 1;
		const rest = action - first;
		return { o: low, x: rest % columns, y: Math.floor(rest / columns) };
	}

	/** Canonical code of a placement. @param {Placement} placement */
	code({ o, x, y }) {
		const { centre, tile, rotation } = this.orientations[o];
		return lineName(x + centre[0]) + lineName(y + centre[1]) + tile + rotation;
	}

	/** Canonical code of an alias or an action number; any other text as it is. @param {string} text */
	canonical(text) {
		const action = /^(?!0000$)\d+$/.test(text) ? Number(text) : Infinity;
		if (action === this.pass) return '0000';
		const placement = this.placement(action) ?? this.read(text);
		return placement && this.action(placement) >= 0 ? this.code(placement) : text;
	}

	/** Placement of a code or an alias; null for any other text. @param {string} code */
	read(code) {
		const cell = readCell(code.slice(0, 2));
		if (!cell || !/^..[a-u][0-7]$/.test(code)) return null;
		const rotation = Number(code[3]);
		let [o] = this.of(code[2]);
		let [x, y] = this.orientations[o].centre;
		// Even rotations are quarter turns; each odd one is the mirror image of the even one before it.
		for (let i = 1; i < rotation; i += 2) {
			[x, y] = [this.orientations[o].height - 1 - y, x];
			o = this.rotate(o, 1);
		}
		if (rotation % 2 > 0) {
			x = this.orientations[o].width - 1 - x;
			o = this.flip(o);
		}
		return { o, x: cell[0] - x, y: cell[1] - y };
	}

	/** Cells of a placement by its code; none for any other text. @param {string | null} [code] */
	named(code) {
		const placement = this.read(code ?? '');
		return placement ? this.cells(placement) : [];
	}
}
