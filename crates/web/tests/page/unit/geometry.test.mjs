import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellName, newCells, outline, readCell, tilesOn } from '../../../page/js/geometry.js';
import { duo, states } from './fixtures.mjs';

test("names of cells are the contest's", () => {
	assert.equal(cellName([0, 0]), '11');
	assert.equal(cellName([9, 13]), 'ae');
	assert.equal(cellName([19, 19]), 'kk');
	assert.deepEqual(readCell('ae'), [9, 13]);
	assert.equal(readCell('0a'), null);
	assert.equal(readCell('l1'), null);
});

test('tiles on a board are found again, cell by cell', () => {
	for (const state of states) {
		const tiles = tilesOn(state.board);
		state.colours.forEach((colour, index) => {
			const own = tiles.filter(tile => tile.colour === index);
			assert.equal(own.length, 21 - colour.left.length);
			assert.equal(own.flatMap(({ cells }) => cells).length, colour.cells_placed);
		});
	}
});

test('new cells are those of the tile that was placed', () => {
	const rows = states[0].board;
	const after = rows.map((row, y) => (y === 4 ? `${row.slice(0, 4)}1${row.slice(5)}` : row));
	assert.deepEqual(newCells(rows, after), [[4, 4]]);
	assert.deepEqual(newCells(after, rows), []);
});

test('an outline has one corner arc for each corner, and encloses the inset cells', () => {
	for (const { pos } of duo.orientations) {
		const path = outline(pos, 1, 2, 20);
		assert.match(path, /^M.*Z$/);
		const arcs = [...path.matchAll(/A2 2 0 0 ([01])/g)].map(([, sweep]) => sweep);
		const convex = arcs.filter(sweep => sweep === '1').length;
		// A closed outline turns by one full turn to the right.
		assert.equal(convex - (arcs.length - convex), 4);
		const numbers = [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [
			Number(x),
			Number(y),
		]);
		const width = 20 * (Math.max(...pos.map(([x]) => x)) + 1);
		const height = 20 * (Math.max(...pos.map(([, y]) => y)) + 1);
		for (const [x, y] of numbers) assert.ok(x >= 1 && x <= width - 1 && y >= 1 && y <= height - 1);
	}
	assert.equal(outline([], 1, 2), '');
});
