/** Game records that a person opens: lists of codes here, Pentobi's blksgf by the service. */

import * as api from './api.js';

/** @import { TreeData } from './types.js' */

/**
 * Reads a file: the first game of a list, or the tree of a blksgf.
 * @param {string} text
 * @returns {Promise<{codes?: string[], tree?: TreeData, games: number}>}
 */
export async function readGame(text) {
	if (text.trimStart().startsWith('(')) return api.post('trees', { blksgf: text });
	const lines = text.split('\n').map(line => line.replace(/#.*/, '').trim());
	const games = lines.filter(line => line !== '');
	const codes = (games[0] ?? '').split(/\s+/).filter(Boolean);
	return { codes, games: games.length };
}
