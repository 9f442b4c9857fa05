/** Legality as a lookup: all that these functions know is in the state. */

import { cellName, key } from './geometry.js';

/** @import { Cell, Placement, State, Verdict } from './types.js' */
/** @import { Tiles } from './tiles.js' */

/** @type {WeakMap<object, Map<number, string>>} */
const actions = new WeakMap();

/**
 * Returns the codes of the legal moves by action number.
 * @param {State} state
 * @returns {Map<number, string>}
 */
export function legalActions(state) {
	let found = actions.get(state.legal);
	if (!found) {
		found = new Map(state.legal.actions.map((action, i) => [action, state.legal.codes[i]]));
		actions.set(state.legal, found);
	}
	return found;
}

/**
 * Returns true if the side to move may pass.
 * @param {State} state
 */
export const mayPass = state => state.legal.codes.at(-1) === '0000';

/**
 * Looks a placement up, and finds the reason if it is not among the legal ones.
 * @param {State} state
 * @param {Tiles} tiles
 * @param {Placement} placement
 * @returns {Verdict}
 */
export function verdict(state, tiles, placement) {
	const action = tiles.action(placement);
	const code = tiles.code(placement);
	const listed = legalActions(state).get(action);
	if (action >= 0 && listed !== undefined) {
		return { legal: true, code: listed, reason: '', text: 'legal', cell: null };
	}
	const refuse = (
		/** @type {string} */ reason,
		/** @type {string} */ text,
		/** @type {Cell | null} */ cell = null
	) => ({ legal: false, code, reason, text, cell });
	if (state.over || !state.to_move) return refuse('game-over', 'the game is over');
	const colour = state.colours[state.to_move.colour];
	const { tile } = tiles.orientations[placement.o];
	if (!colour.left.includes(tile)) {
		return refuse('tile-used', `tile ${tile} has been placed before`);
	}
	if (action < 0) return refuse('off-board', 'the tile reaches beyond the board');
	const cells = tiles.cells(placement);
	const occupied = cells.find(([x, y]) => state.board[y][x] !== '.');
	if (occupied) return refuse('occupied', `cell ${cellName(occupied)} is occupied`, occupied);
	const forbidden = new Set(colour.forbidden.map(([x, y]) => key(x, y)));
	const touching = cells.find(([x, y]) => forbidden.has(key(x, y)));
	if (touching) {
		const edge = 'touches the edge of a tile of the same colour';
		const text = `at cell ${cellName(touching)} the tile ${edge}`;
		return refuse('edge-contact', text, touching);
	}
	if (colour.cells_placed === 0) {
		const starts = colour.corner_points.map(cellName).join(' or ');
		const text = `a colour's first tile must cover ${starts}`;
		return refuse('start-cell', text, colour.corner_points[0] ?? null);
	}
	return refuse('no-corner', 'the tile touches no corner of a tile of the same colour');
}

/**
 * Legal placements, by tile.
 * @param {State} state
 * @param {Tiles} tiles
 * @returns {Map<string, Placement[]>}
 */
export function placementsByTile(state, tiles) {
	/** @type {Map<string, Placement[]>} */
	const found = new Map();
	for (const action of state.legal.actions) {
		const placement = tiles.placement(action);
		if (!placement) continue;
		const { tile } = tiles.orientations[placement.o];
		const list = found.get(tile);
		if (list) list.push(placement);
		else found.set(tile, [placement]);
	}
	return found;
}

/**
 * Number of placements that cover each cell, by the cell's key.
 * @param {Tiles} tiles
 * @param {Placement[]} placements
 * @returns {Map<number, number>}
 */
export function coverage(tiles, placements) {
	/** @type {Map<number, number>} */
	const counts = new Map();
	for (const placement of placements) {
		for (const [x, y] of tiles.cells(placement)) {
			counts.set(key(x, y), (counts.get(key(x, y)) ?? 0) + 1);
		}
	}
	return counts;
}

/**
 * Letters of the tiles that reach a cell, with the number of placements of each.
 * @param {State} state
 * @param {Tiles} tiles
 * @param {Cell} cell
 * @returns {Map<string, number>}
 */
export function tilesReaching(state, tiles, [x, y]) {
	/** @type {Map<string, number>} */
	const found = new Map();
	for (const [letter, placements] of placementsByTile(state, tiles)) {
		const count = coverage(tiles, placements).get(key(x, y)) ?? 0;
		if (count > 0) found.set(letter, count);
	}
	return found;
}
