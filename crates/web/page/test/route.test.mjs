import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gameId, gamePath, positionPath, readPath } from '../js/route.js';

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
