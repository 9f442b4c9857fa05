/** The tile in hand: its orientation and the cell under it. */

/** @import { Cell, Placement } from './types.js' */
/** @import { Tiles } from './tiles.js' */

/** Tile that a person holds over the board. The cell at `x`, `y` is under the tile's centre. */
export class Hand {
	/** @param {Tiles} tiles */
	constructor(tiles) {
		this.tiles = tiles;
		this.letter = '';
		this.o = 0;
		this.x = tiles.size >> 1;
		this.y = tiles.size >> 1;
		/** Last orientation of each tile. @type {Map<string, number>} */
		this.memory = new Map();
	}

	/** Takes a tile, in the orientation that it last had. @param {string} letter */
	take(letter) {
		const o = this.memory.get(letter) ?? this.tiles.of(letter)[0];
		if (o === undefined) return;
		this.letter = letter;
		this.#turned(o);
	}

	/** Takes the next of the tiles that are left. @param {string} left @param {number} step */
	next(left, step) {
		if (left === '') return;
		const at = this.letter ? left.indexOf(this.letter) : -1;
		const from = at >= 0 ? at : step > 0 ? -1 : 0;
		this.take(left[(from + step + left.length) % left.length]);
	}

	drop() {
		this.letter = '';
	}

	/** Takes the next orientation in the order of the table. @param {number} step */
	turn(step) {
		if (!this.letter) return;
		const all = this.tiles.of(this.letter);
		this.#turned(all[(all.indexOf(this.o) + step + all.length) % all.length]);
	}

	/** Rotates by quarter turns to the right. @param {number} quarters */
	rotate(quarters) {
		if (this.letter) this.#turned(this.tiles.rotate(this.o, quarters));
	}

	flip() {
		if (this.letter) this.#turned(this.tiles.flip(this.o));
	}

	/** Moves by columns and rows. @param {number} dx @param {number} dy */
	move(dx, dy) {
		this.moveTo([this.x + dx, this.y + dy]);
	}

	/** Moves the centre to a cell, as near as the board permits. @param {Cell} cell */
	moveTo([x, y]) {
		const last = this.tiles.size - 1;
		const clamp = (
			/** @type {number} */ n,
			/** @type {number} */ low,
			/** @type {number} */ high
		) => Math.max(low, Math.min(high, n));
		if (!this.letter) {
			this.x = clamp(x, 0, last);
			this.y = clamp(y, 0, last);
			return;
		}
		const { centre, width, height } = this.tiles.orientations[this.o];
		this.x = clamp(x, centre[0], last - (width - 1 - centre[0]));
		this.y = clamp(y, centre[1], last - (height - 1 - centre[1]));
	}

	/** Lays the tile over a placement. @param {Placement} placement */
	lay({ o, x, y }) {
		const { centre, tile } = this.tiles.orientations[o];
		this.letter = tile;
		this.#turned(o);
		this.moveTo([x + centre[0], y + centre[1]]);
	}

	/** Placement under the tile; null without a tile. @returns {Placement | null} */
	placement() {
		if (!this.letter) return null;
		const { centre } = this.tiles.orientations[this.o];
		return { o: this.o, x: this.x - centre[0], y: this.y - centre[1] };
	}

	/** @param {number} o */
	#turned(o) {
		this.o = o;
		this.memory.set(this.letter, o);
		this.moveTo([this.x, this.y]);
	}
}
