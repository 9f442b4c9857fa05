import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGame } from '../../../page/js/files.js';

test('of a list the first game is read', async () => {
	const list = await readGame('# names\n\n53e0 a8e0 # comment\n55a0\n');
	assert.deepEqual(list, { codes: ['53e0', 'a8e0'], games: 2 });
	assert.deepEqual((await readGame('')).codes, []);
});
