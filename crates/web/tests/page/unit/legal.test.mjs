import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellName, key } from '../../../page/js/geometry.js';
import {
	coverage,
	legalActions,
	mayPass,
	placementsByTile,
	tilesReaching,
	verdict,
} from '../../../page/js/legal.js';
import { states, tilesOf } from './fixtures.mjs';

test('the reason of each refusal agrees with the cells of the state', () => {
	for (const state of states) {
		const tiles = tilesOf(state);
		const turn = state.to_move;
		assert.ok(turn);
		const colour = state.colours[turn.colour];
		const forbidden = new Set(colour.forbidden.map(([x, y]) => key(x, y)));
		const points = new Set(colour.corner_points.map(([x, y]) => key(x, y)));
		let legal = 0;
		for (let action = 0; action < tiles.pass; action += 1) {
			const placement = tiles.placement(action);
			assert.ok(placement);
			const { legal: found, reason, cell, code } = verdict(state, tiles, placement);
			const cells = tiles.cells(placement);
			const used = !colour.left.includes(code[2]);
			const taken = cells.some(([x, y]) => state.board[y][x] !== '.');
			const blocked = cells.some(([x, y]) => forbidden.has(key(x, y)));
			const joined = cells.some(([x, y]) => points.has(key(x, y)));
			const start = colour.cells_placed === 0 ? 'start-cell' : 'no-corner';
			const expected = used
				? 'tile-used'
				: taken
					? 'occupied'
					: blocked
						? 'edge-contact'
						: joined
							? ''
							: start;
			assert.equal(reason, expected, `${state.variant} ${state.ply} ${code}`);
			assert.equal(found, expected === '');
			if (expected === 'occupied')
				assert.notEqual(state.board[cell?.[1] ?? 0][cell?.[0] ?? 0], '.');
			legal += Number(found);
		}
		assert.equal(legal, state.legal.count);
	}
});

test('off the board, after the end, and a pass', () => {
	const [start, , late] = states;
	const tiles = tilesOf(start);
	assert.equal(verdict(start, tiles, { o: 0, x: -1, y: 0 }).reason, 'off-board');
	assert.equal(
		verdict(
			{ ...start, to_move: null, over: true, legal: { count: 0, actions: [], codes: [] } },
			tiles,
			{ o: 0, x: 4, y: 4 }
		).reason,
		'game-over'
	);
	assert.equal(mayPass(start), false);
	assert.equal(mayPass(late), true);
	assert.equal(legalActions(late).get(tiles.pass), '0000');
});

test('hints both ways count the same placements', () => {
	for (const state of states) {
		const tiles = tilesOf(state);
		const byTile = placementsByTile(state, tiles);
		const total = [...byTile.values()].reduce((sum, list) => sum + list.length, 0);
		assert.equal(total, state.legal.count);
		for (const cell of state.colours[state.to_move?.colour ?? 0].corner_points) {
			for (const [letter, count] of tilesReaching(state, tiles, cell)) {
				const list = byTile.get(letter) ?? [];
				assert.equal(
					coverage(tiles, list).get(key(...cell)),
					count,
					`${letter} at ${cellName(cell)}`
				);
			}
		}
	}
});

test('at the start every tile reaches the start cell, and 414 placements are legal', () => {
	const [start] = states;
	const reach = tilesReaching(start, tilesOf(start), [4, 4]);
	assert.equal([...reach.keys()].sort().join(''), 'abcdefghijklmnopqrstu');
	assert.equal(
		[...reach.values()].reduce((a, b) => a + b),
		414
	);
});
