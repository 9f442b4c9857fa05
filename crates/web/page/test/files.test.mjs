import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readMoves } from '../js/files.js';
import { key, readCell } from '../js/geometry.js';
import { codeRows, duo } from './fixtures.mjs';

/** @param {string} path */
const read = path => readFileSync(new URL(path, import.meta.url), 'utf8');
/** @type {{moves: string[]}} */
const game = JSON.parse(read('../../../../tests/data/random_games.jsonl').split('\n')[0]);
const tilesOf = async () => duo;

/** Cells of a code, by the organisers' table. @param {string} code */
function cells(code) {
	const row = codeRows.find(
		({ tile, rotation }) => tile === code[2] && rotation === Number(code[3])
	);
	const centre = readCell(code.slice(0, 2));
	assert.ok(row && centre);
	return row.offsets.map(([x, y]) => key(x + centre[0], y + centre[1])).sort();
}

test('a blksgf that duoforge wrote has the cells of the game, and its passes', async () => {
	const { variant, codes } = await readMoves(read('game.blksgf'), tilesOf);
	assert.equal(variant, 'duo');
	const played = game.moves.slice(0, codes.length);
	assert.ok(game.moves.slice(codes.length).every(code => code === '0000'));
	codes.forEach((code, ply) => {
		if (played[ply] === '0000') assert.equal(code, '0000');
		else assert.deepEqual(cells(code), cells(played[ply]), `ply ${ply}`);
	});
});

test('only the main line is read, and texts are skipped', async () => {
	const text = '(;GM[Blokus Duo]C[a \\] (;B[a1\\];)](;B[e10];W[j5](;B[f9])(;B[d9]))(;B[e10,e9]))';
	assert.deepEqual((await readMoves(text, tilesOf)).codes.length, 3);
	await assert.rejects(readMoves('(;GM[Chess])', tilesOf), /Blokus/);
	await assert.rejects(readMoves('(;GM[Blokus Duo];B[a1,c3])', tilesOf), /a1,c3/);
	await assert.rejects(readMoves('(;GM[Blokus Duo];B[x])', tilesOf), /\[x\]/);
});

test('of a list the first game is read', async () => {
	const list = await readMoves('# names\n\n53e0 a8e0 # comment\n55a0\n', tilesOf);
	assert.deepEqual(list, { variant: null, codes: ['53e0', 'a8e0'] });
	assert.deepEqual((await readMoves('', tilesOf)).codes, []);
});
