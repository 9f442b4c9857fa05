/** Cells, their names, and outlines of tiles. */

/** @import { Cell } from './types.js' */

/** Side of a cell in units of every picture. */
export const CELL = 20;

/** Letters that name columns and rows 1 to 20. */
const NAMES = '123456789abcdefghijk';

/** Names of the colours, in the order of their numbers. */
export const COLOURS = ['orange', 'violet', 'teal', 'rose'];

/**
 * Returns the name of a column or a row.
 * @param {number} index
 */
export const lineName = index => NAMES[index] ?? '?';

/**
 * Returns the name of a cell: column, then row, as in the contest's codes.
 * @param {Cell} cell
 */
export const cellName = ([x, y]) => lineName(x) + lineName(y);

/**
 * Returns the cell of a name, or null.
 * @param {string} name
 * @returns {Cell | null}
 */
export function readCell(name) {
	const [x, y] = [...name].map(letter => NAMES.indexOf(letter));
	return name.length === 2 && x >= 0 && y >= 0 ? [x, y] : null;
}

/**
 * Returns the key of a cell for sets and maps.
 * @param {number} x
 * @param {number} y
 */
export const key = (x, y) => x + y * 32;

/**
 * Returns the cell of a key.
 * @param {number} value
 * @returns {Cell}
 */
export const unkey = value => [value % 32, value >> 5];

/**
 * Returns the tiles on a board: the edge-connected cells of one colour. Tiles of one colour never
 * share an edge.
 * @param {string[]} board rows of the state
 * @returns {{colour: number, cells: Cell[]}[]}
 */
export function tilesOn(board) {
	const seen = new Set();
	const tiles = [];
	for (let y = 0; y < board.length; y += 1) {
		for (let x = 0; x < board.length; x += 1) {
			const mark = board[y][x];
			if (mark === '.' || seen.has(key(x, y))) continue;
			/** @type {Cell[]} */
			const cells = [];
			/** @type {Cell[]} */
			const stack = [[x, y]];
			while (stack.length > 0) {
				const [cx, cy] = /** @type {Cell} */ (stack.pop());
				if (board[cy]?.[cx] !== mark || seen.has(key(cx, cy))) continue;
				seen.add(key(cx, cy));
				cells.push([cx, cy]);
				stack.push([cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1]);
			}
			tiles.push({ colour: Number(mark) - 1, cells });
		}
	}
	return tiles;
}

/**
 * Returns the cells that the second board covers and the first one does not.
 * @param {string[]} before
 * @param {string[]} after
 * @returns {Cell[]}
 */
export function newCells(before, after) {
	/** @type {Cell[]} */
	const cells = [];
	after.forEach((row, y) =>
		[...row].forEach((mark, x) => {
			if (mark !== '.' && before[y]?.[x] === '.') cells.push([x, y]);
		})
	);
	return cells;
}

/**
 * Returns the outline of a tile as the data of an SVG path, with rounded corners.
 * @param {Cell[]} cells
 * @param {number} inset distance from the edges of the cells
 * @param {number} radius radius of the corners
 * @param {number} [size] side of a cell
 */
export function outline(cells, inset, radius, size = CELL) {
	const inside = new Set(cells.map(([x, y]) => key(x + 1, y + 1)));
	const has = (/** @type {number} */ x, /** @type {number} */ y) => inside.has(key(x + 1, y + 1));
	/** Edges by their first corner, clockwise: the tile is to the right. @type {Map<number, Cell>} */
	const edges = new Map();
	for (const [x, y] of cells) {
		if (!has(x, y - 1)) edges.set(key(x, y), [1, 0]);
		if (!has(x + 1, y)) edges.set(key(x + 1, y), [0, 1]);
		if (!has(x, y + 1)) edges.set(key(x + 1, y + 1), [-1, 0]);
		if (!has(x - 1, y)) edges.set(key(x, y + 1), [0, -1]);
	}
	const start = edges.keys().next().value;
	if (start === undefined) return '';
	/** @type {{at: Cell, before: Cell, after: Cell}[]} */
	const corners = [];
	let at = unkey(start);
	let before = /** @type {Cell} */ (edges.get(start));
	do {
		at = [at[0] + before[0], at[1] + before[1]];
		const after = /** @type {Cell} */ (edges.get(key(...at)));
		if (after[0] !== before[0] || after[1] !== before[1]) corners.push({ at, before, after });
		before = after;
	} while (key(...at) !== start);
	const print = (/** @type {number} */ n) => String(Math.round(n * 100) / 100);
	const parts = corners.map(({ at: [x, y], before: b, after: a }, i) => {
		const cx = x * size + inset * -(b[1] + a[1]);
		const cy = y * size + inset * (b[0] + a[0]);
		const convex = b[0] * a[1] - b[1] * a[0] > 0;
		const from = [cx - b[0] * radius, cy - b[1] * radius].map(print).join(' ');
		const to = [cx + a[0] * radius, cy + a[1] * radius].map(print).join(' ');
		return `${i === 0 ? 'M' : 'L'}${from}A${radius} ${radius} 0 0 ${convex ? 1 : 0} ${to}`;
	});
	return `${parts.join('')}Z`;
}
