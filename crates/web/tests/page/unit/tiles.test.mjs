import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellName, key, unkey } from '../../../page/js/geometry.js';
import { LETTERS } from '../../../page/js/tiles.js';
import { classic, codeRows, duo, states, tilesOf } from './fixtures.mjs';

test('the tables have the numbers of docs/variants.md', () => {
	assert.equal(duo.orientations.length, 91);
	assert.equal(duo.pass, 13_729);
	assert.equal(classic.pass, 30_433);
	const numbers = ['11a0', '53e0', 'a4t3'].map(code => {
		const placement = duo.read(code);
		return placement ? duo.action(placement) : -1;
	});
	assert.deepEqual(numbers, [0, 1590, 12_897]);
});

test('an action number has a canonical code; any other text stays', () => {
	for (const [text, code] of [
		['0', '11a0'],
		['1590', '53e0'],
		['12897', 'a4t3'],
		['13729', '0000'],
		['0000', '0000'],
		['53e0', '53e0'],
		// The service names the fault of a text that is not a move.
		['13730', '13730'],
		['99999', '99999'],
		['', ''],
	]) {
		assert.equal(duo.canonical(text), code, text);
	}
	assert.equal(classic.canonical('30433'), '0000');
	assert.equal(classic.canonical('30434'), '30434');
});

test('every legal action and code of a state is the same placement', () => {
	for (const state of states) {
		const tiles = tilesOf(state);
		state.legal.actions.forEach((action, i) => {
			const placement = tiles.placement(action);
			const code = state.legal.codes[i];
			if (code === '0000') {
				assert.equal(placement, null);
				return;
			}
			assert.ok(placement);
			assert.equal(tiles.code(placement), code);
			assert.deepEqual(tiles.read(code), placement);
			assert.equal(tiles.action(placement), action);
		});
	}
});

test('cells of a code are those of the organisers', () => {
	for (const { tile, rotation, offsets } of codeRows) {
		const placement = duo.read(`77${tile}${rotation}`);
		assert.ok(placement, tile + rotation);
		const wanted = new Set(offsets.map(([x, y]) => key(6 + x, 6 + y)));
		assert.deepEqual(new Set(duo.cells(placement).map(([x, y]) => key(x, y))), wanted);
	}
});

test('each of the 168 codes of a place has the canonical code of its placement', () => {
	/** @param {typeof codeRows[number]} row */
	const corner = ({ offsets }) => [0, 1].map(axis => Math.min(...offsets.map(cell => cell[axis])));
	/** @param {typeof codeRows[number]} row */
	const shape = row => {
		const [left, top] = corner(row);
		const cells = row.offsets.map(([x, y]) => key(x - left, y - top));
		return row.tile + cells.sort((a, b) => a - b);
	};
	let aliases = 0;
	for (const row of codeRows) {
		// The rows are in the order of the rotations: the first one with the shape has the lowest.
		const first = codeRows.find(other => shape(other) === shape(row)) ?? row;
		const [[left, top], [firstLeft, firstTop]] = [corner(row), corner(first)];
		const cell = cellName([6 + left - firstLeft, 6 + top - firstTop]);
		const code = `77${row.tile}${row.rotation}`;
		assert.equal(duo.canonical(code), `${cell}${row.tile}${first.rotation}`, code);
		aliases += Number(first !== row);
	}
	assert.deepEqual([codeRows.length, aliases], [168, 77]);
	// An alias with a shifted centre.
	assert.equal(duo.canonical('33b6'), '43b2');
	// Beyond the board, or not a code: the service names the fault.
	for (const text of ['11b4', 'eeb6', 'f1a1', '55a8', '55v1', '55A1', '055a1', '05a1'])
		assert.equal(duo.canonical(text), text);
	assert.equal(classic.canonical('kka7'), 'kka0');
});

test('four quarter turns and two flips lead back, and reach every orientation', () => {
	for (const letter of LETTERS) {
		const all = duo.of(letter);
		const reached = new Set();
		for (const o of all) {
			assert.equal(duo.rotate(duo.rotate(o, 1), 3), o);
			assert.equal(duo.rotate(o, 4), o);
			assert.equal(duo.flip(duo.flip(o)), o);
			for (let i = 0; i < 4; i += 1) {
				reached.add(duo.rotate(all[0], i));
				reached.add(duo.flip(duo.rotate(all[0], i)));
			}
		}
		assert.deepEqual(
			[...reached].sort((a, b) => a - b),
			all
		);
	}
});

test('placements beyond the board have no number', () => {
	const long = duo.of('j')[0];
	assert.equal(duo.action({ o: long, x: -1, y: 0 }), -1);
	assert.equal(duo.action({ o: long, x: 0, y: 10 }), -1);
	assert.ok(duo.action({ o: long, x: 0, y: 9 }) >= 0);
	assert.equal(duo.read('1'), null);
	assert.equal(duo.read('zza0'), null);
});

test('keys of cells can be taken back', () => {
	for (const cell of /** @type {[number, number][]} */ ([
		[0, 0],
		[19, 0],
		[0, 19],
		[7, 13],
	])) {
		assert.deepEqual(unkey(key(...cell)), cell);
	}
});
