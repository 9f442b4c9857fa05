import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gameId, gamePath, ladderPath, gamesPath, positionPath, readPath } from '../../../page/js/route.js';

test('addresses of games and plies can be read back', () => {
	for (const id of ['19a3f-2b.7', 'j.1', 'a b.2']) {
		const { view, parts } = readPath(gamePath(id, 12));
		assert.equal(view, 'game');
		assert.equal(gameId(parts[0]), id);
		assert.equal(parts[1], '12');
		assert.ok(!gamePath(id).includes('.'));
	}
});

test('addresses of positions hold the moves', () => {
	assert.deepEqual(readPath(positionPath('duo', ['53e0', 'a8e0'])), {
		view: 'analyse',
		parts: ['duo', '53e0,a8e0'],
	});
	assert.equal(positionPath('classic', []), '/analyse/classic');
	assert.deepEqual(readPath('/'), { view: 'wall', parts: [] });
});

test('addresses of ladders and pairs keep any name, and name no file', () => {
	const names = ['exec:./bot.py --level 3', 'A/B', 'classic'];
	const path = gamesPath(names[0], names[1], names[2]);
	assert.deepEqual(readPath(path), { view: 'games', parts: names });
	assert.ok(!path.includes('.'));
	// The browser keeps the path as it is.
	assert.equal(new URL(path, 'http://localhost').pathname, path);
	assert.deepEqual(readPath(ladderPath('my.rules', 'player')), {
		view: 'ladder',
		parts: ['my.rules', 'player'],
	});
});

test('a malformed segment stays undecoded', () => {
	assert.deepEqual(readPath('/game/%E0/1'), { view: 'game', parts: ['%E0', '1'] });
});
