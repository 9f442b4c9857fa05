import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hand } from '../../../page/js/hand.js';
import { duo } from './fixtures.mjs';

test('a tile is never off the board', () => {
	const hand = new Hand(duo);
	for (const letter of 'abcdefghijklmnopqrstu') {
		hand.take(letter);
		for (const corner of /** @type {[number, number][]} */ ([
			[-9, -9],
			[99, -9],
			[-9, 99],
			[99, 99],
		])) {
			hand.moveTo(corner);
			for (let i = 0; i < 8; i += 1) {
				hand.turn(1);
				const placement = hand.placement();
				assert.ok(placement && duo.action(placement) >= 0);
			}
			hand.rotate(1);
			hand.flip();
			const placement = hand.placement();
			assert.ok(placement && duo.action(placement) >= 0);
		}
	}
});

test('next and previous go round the tiles that are left', () => {
	const hand = new Hand(duo);
	hand.next('bdf', 1);
	assert.equal(hand.letter, 'b');
	hand.next('bdf', -1);
	assert.equal(hand.letter, 'f');
	hand.next('bdf', 1);
	assert.equal(hand.letter, 'b');
	hand.next('', 1);
	assert.equal(hand.letter, 'b');
	hand.drop();
	assert.equal(hand.placement(), null);
	hand.next('bdf', -1);
	assert.equal(hand.letter, 'f');
});

test('a tile keeps its orientation, and turning goes through all of them', () => {
	const hand = new Hand(duo);
	hand.take('k');
	const seen = new Set();
	for (let i = 0; i < 8; i += 1) {
		seen.add(hand.o);
		hand.turn(1);
	}
	assert.equal(seen.size, 8);
	hand.rotate(1);
	const { o } = hand;
	hand.take('a');
	hand.take('k');
	assert.equal(hand.o, o);
});

test('a tile can be laid over each placement', () => {
	const hand = new Hand(duo);
	for (let action = 0; action < duo.pass; action += 97) {
		const placement = duo.placement(action);
		assert.ok(placement);
		hand.lay(placement);
		assert.deepEqual(hand.placement(), placement);
	}
});
