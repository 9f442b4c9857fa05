/** Game records that a person opens: lists of codes, and Pentobi's blksgf. */

import { key } from './geometry.js';

/** @import { Cell } from './types.js' */
/** @import { Tiles } from './tiles.js' */

/** Variants of blksgf, and the properties of their colours. @type {Record<string, [string, string[]]>} */
const GAMES = { 'Blokus Duo': ['duo', ['B', 'W']], Blokus: ['classic', ['1', '2', '3', '4']] };

/**
 * Main line of a blksgf: its properties up to the end of the first branch.
 * @param {string} text
 * @returns {[string, string][]}
 */
function mainLine(text) {
	/** @type {[string, string][]} */
	const properties = [];
	const token = /\s+|[(;]|(\))|(\w+)\s*\[((?:\\[^]|[^\]\\])*)\]|\[(?:\\[^]|[^\]\\])*\]/y;
	for (;;) {
		const found = token.exec(text);
		if (!found || found[1]) return properties;
		if (found[2]) properties.push([found[2], found[3]]);
	}
}

/**
 * Code of the placement that covers cells; null if no tile does.
 * @param {Tiles} tiles
 * @param {Cell[]} cells
 */
function codeOf(tiles, cells) {
	const x = Math.min(...cells.map(cell => cell[0]));
	const y = Math.min(...cells.map(cell => cell[1]));
	const shape = cells
		.map(cell => key(cell[0] - x, cell[1] - y))
		.sort((a, b) => a - b)
		.join();
	const o = tiles.byShape.get(shape);
	return o === undefined ? null : tiles.code({ o, x, y });
}

/**
 * Reads the moves of a file: the first game of a list, or the main line of a blksgf.
 * @param {string} text
 * @param {(variant: string) => Promise<Tiles>} tilesOf
 * @returns {Promise<{variant: string | null, codes: string[]}>} without a variant for a list
 */
export async function readMoves(text, tilesOf) {
	if (!text.trimStart().startsWith('(')) {
		const lines = text.split('\n').map(line => line.replace(/#.*/, '').trim());
		const codes = (lines.find(line => line !== '') ?? '').split(/\s+/).filter(Boolean);
		return { variant: null, codes };
	}
	const properties = mainLine(text);
	const game = GAMES[properties.find(([name]) => name === 'GM')?.[1] ?? ''];
	if (!game) throw new Error('the file is a game of neither Blokus Duo nor Blokus');
	const [variant, colours] = game;
	const tiles = await tilesOf(variant);
	/** @type {string[]} */
	const codes = [];
	for (const [name, value] of properties) {
		const colour = colours.indexOf(name);
		if (colour < 0) continue;
		const cells = value.split(',').map(text => {
			const [, column, row] = /^\s*([a-t])(\d+)\s*$/.exec(text) ?? [];
			return /** @type {Cell} */ ([
				'abcdefghijklmnopqrst'.indexOf(column),
				tiles.size - Number(row),
			]);
		});
		const code = codeOf(tiles, cells);
		if (!code) throw new Error(`${name}[${value}] is not the cells of a tile`);
		// A side that is left out has passed; elsewhere colours without a placement have no turn.
		while (variant === 'duo' && codes.length % 2 !== colour) codes.push('0000');
		codes.push(code);
	}
	return { variant, codes };
}
