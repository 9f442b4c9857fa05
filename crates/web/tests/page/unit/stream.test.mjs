import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveGames } from '../../../page/js/live.js';
import { EventReader } from '../../../page/js/sse.js';

const TEXT =
	'retry: 250\n: a comment\n\nevent: hello\ndata: {"version":1}\n\n' +
	'id: a:1,b:2\nevent: record\ndata: {"n":1,\ndata: "type":"moved"}\n\ndata: [1]\r\n\r\n';

test('messages are the same however the bytes are cut', () => {
	const whole = new EventReader();
	const expected = whole.read(TEXT);
	assert.deepEqual(expected, [
		{ event: 'hello', data: { version: 1 } },
		{ event: 'record', data: { n: 1, type: 'moved' }, id: 'a:1,b:2' },
		{ event: 'message', data: [1], id: 'a:1,b:2' },
	]);
	assert.equal(whole.retry, 250);
	for (let size = 1; size < 20; size += 1) {
		const reader = new EventReader();
		const messages = [];
		for (let at = 0; at < TEXT.length; at += size)
			messages.push(...reader.read(TEXT.slice(at, at + size)));
		assert.deepEqual(messages, expected);
	}
});

/** @param {string} id @param {string} status */
const game = (id, status) =>
	/** @type {any} */ ({ id, journal: id.split('.')[0], status, thinking: false });
/** @param {string} id */
const summary = id => ({
	id,
	name: id,
	finished: false,
	games: { total: 4, ended: 0, running: 1 },
	records: 3,
});

test('records and snapshots change what is known', () => {
	const live = new LiveGames();
	live.apply({
		event: 'journal',
		data: { event: summary('j'), running: [game('j.1', 'running')] },
		id: 'j:3',
	});
	live.apply({ event: 'thinking', data: { game: 'j.1', seat: 0, thinking: true } });
	assert.equal(live.games.get('j.1')?.thinking, true);
	live.apply({
		event: 'record',
		id: 'j:4',
		data: { journal: 'j', n: 3, type: 'ended', game: 'j.1', live: game('j.1', 'ended') },
	});
	assert.equal(live.games.get('j.1')?.status, 'ended');
	assert.equal(live.events.get('j')?.games.ended, 1);
	assert.equal(live.id, 'j:4');
	// A snapshot replaces the running games and keeps the ended ones.
	live.apply({
		event: 'record',
		id: 'j:5',
		data: { journal: 'j', n: 4, type: 'begun', live: game('j.2', 'running') },
	});
	live.apply({
		event: 'journal',
		id: 'j:9',
		data: { event: summary('j'), running: [game('j.3', 'running')] },
	});
	assert.deepEqual([...live.games.keys()], ['j.1', 'j.3']);
	live.apply({ event: 'gone', data: { journal: 'j', reason: 'removed' } });
	assert.equal(live.games.size + live.events.size, 0);
});

test('another tab continues from a copy at the same position', () => {
	const live = new LiveGames();
	live.apply({
		event: 'journal',
		data: { event: summary('j'), running: [game('j.1', 'running')] },
		id: 'j:3',
	});
	const other = new LiveGames();
	other.restore(JSON.parse(JSON.stringify(live.snapshot())));
	assert.deepEqual(other.snapshot(), live.snapshot());
	assert.equal(other.id, 'j:3');
});
