import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timeline, watchKey } from '../../../page/js/timeline.js';

/** @param {number} last */
function timeline(last) {
	/** @type {number[]} */
	const shown = [];
	const line = new Timeline(ply => shown.push(ply));
	line.extend(last);
	return { line, shown };
}

/** @param {Timeline} line @param {string} key @param {boolean} [shiftKey] */
const press = (line, key, shiftKey = false) =>
	watchKey(line, /** @type {KeyboardEvent} */ ({ key, shiftKey }));

test('keys step, jump and stay within the game', () => {
	const { line } = timeline(25);
	assert.equal(line.ply, 25);
	press(line, 'ArrowLeft');
	assert.equal(line.ply, 24);
	press(line, 'ArrowLeft', true);
	assert.equal(line.ply, 14);
	press(line, 'Home');
	assert.equal(line.ply, 0);
	press(line, 'ArrowLeft');
	assert.equal(line.ply, 0);
	press(line, 'ArrowRight', true);
	assert.equal(line.ply, 10);
	press(line, 'End');
	assert.equal(line.ply, 25);
	assert.equal(press(line, 'q'), false);
});

test('a game that is watched moves along only at its newest ply', () => {
	const { line, shown } = timeline(3);
	line.extend(4);
	assert.deepEqual(shown, [3, 4]);
	line.step(-2);
	line.extend(5);
	assert.equal(line.ply, 2);
	line.go(5);
	line.extend(6);
	assert.equal(line.ply, 6);
});

test('an undo shows the newest ply that is left', () => {
	const { line } = timeline(8);
	line.extend(6);
	assert.equal(line.ply, 6);
});

test('speed has limits and a normal value', () => {
	const { line } = timeline(1);
	for (let i = 0; i < 20; i += 1) press(line, '+');
	assert.equal(line.speed, 16);
	for (let i = 0; i < 20; i += 1) press(line, '-');
	assert.equal(line.speed, 0.25);
	press(line, '=');
	assert.equal(line.speed, 1);
});

test('playing shows each ply once, and stops at the end', t => {
	t.mock.timers.enable({ apis: ['setTimeout'] });
	const { line, shown } = timeline(3);
	press(line, ' ');
	assert.ok(line.playing);
	t.mock.timers.tick(1000);
	t.mock.timers.tick(1000);
	assert.deepEqual(shown, [3, 0, 1, 2]);
	press(line, ' ');
	t.mock.timers.tick(5000);
	assert.deepEqual(shown, [3, 0, 1, 2]);
	line.faster(1);
	press(line, ' ');
	t.mock.timers.tick(500);
	assert.deepEqual(shown, [3, 0, 1, 2, 3]);
	assert.equal(line.playing, false);
});
