/**
 * Board on the visitor's computer: a stand-in for `navigator.serial`, wired to `duoforge device`,
 * is identified, checked to the end, played against, monitored and unplugged. It runs without other
 * specs at the same time: a board drops a code whose bytes pause for 100 ms.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { device, endDevices, wire } from '../boards.mjs';
import { Harness, accessible } from '../harness.mjs';

/** @import { BrowserContextOptions, Page } from 'playwright-core' */
/** @import { Game } from '../../../page/js/types.js' */

/** A conformance run waits some 40 seconds by its own rules; the other tests pass meanwhile. */
const LONG = { timeout: 480_000 };

/** Page of the conformance run. @type {Page} */
let checking;

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(async () => {
	endDevices();
	await harness?.close();
});

/**
 * Opens the view with a board plugged in.
 * @param {number} port
 * @param {BrowserContextOptions} [options]
 */
async function plugged(port, options) {
	const page = await harness.page(options);
	const line = await wire(page, port);
	await page.goto('/serial');
	await page.getByRole('button', { name: 'Plug in' }).click();
	await page.getByText('plugged in', { exact: true }).waitFor();
	return { page, ...line };
}

/** Begins a game and returns it. @param {Page} page @param {string} first @returns {Promise<Game>} */
async function begin(page, first) {
	await page.getByLabel('First move').selectOption(first);
	await page.getByRole('button', { name: 'Play' }).click();
	await page.waitForURL(/\/game\//);
	const name = new URL(page.url()).pathname.split('/')[2];
	return harness.game(decodeURIComponent(name).replaceAll('~', '.'));
}

/** Plays legal moves for the person. @param {string} id @param {number} [plies] */
async function play(id, plies = Infinity) {
	for (;;) {
		const game = await harness.turn(id);
		if (game.status !== 'running' || game.ply >= plies) return game;
		const { codes } = game.state.legal;
		const code = codes[Math.floor(codes.length * 0.9)];
		await harness.api(`games/${id}/moves`, { ply: game.ply, code });
	}
}

test('a board is identified and monitored, and its checks begin', LONG, async () => {
	const { page, settings } = await plugged(await device(['--twin', '--team', 'QX']));
	checking = page;
	assert.deepEqual(
		[settings.baudRate, settings.dataBits, settings.stopBits, settings.parity],
		[115200, 8, 1, 'none']
	);
	await page.getByRole('button', { name: 'Identify' }).click();
	await page.getByText('plugged in; team QX', { exact: true }).waitFor();
	const bytes = page.getByRole('region', { name: 'bytes' });
	const shown = await bytes.locator('tbody').innerText();
	assert.match(shown, /→ to board\s+0 30\s+asks for the team code/);
	assert.match(shown, /← from board\s+1QX 31 51 58\s+team QX/);
	await page.getByRole('button', { name: 'Conform' }).click();
	const checks = page.getByRole('region', { name: 'checks' });
	await checks.getByRole('row', { name: '1 handshake passed team QX' }).waitFor();
	await page.getByRole('button', { name: 'Cancel' }).waitFor();
	harness.check();
});

test('the board of another visitor plays a whole game meanwhile', async () => {
	const { page } = await plugged(await device(['--twin']));
	const game = await begin(page, 'Board');
	await page.getByText('unofficial time').waitFor();
	const ended = await play(game.id);
	assert.equal(ended.result?.ending, 'played-out', JSON.stringify(ended.result));
	assert.ok(ended.moves.length > 20 && ended.seats[0].unofficial);
	await page.getByText(/won, .*no side can move|draw/).waitFor();
	await page.getByRole('link', { name: 'Line' }).click();
	await page.getByText('The times are unofficial').waitFor();
	await page.getByRole('link', { name: 'Board', exact: true }).click();
	// The view of the line has bytes, too.
	await page.getByRole('heading', { name: 'Your board' }).waitFor();
	const played = page.getByRole('region', { name: 'bytes' }).locator('tbody');
	await played.getByText('the game is over').waitFor();
	assert.match(await played.innerText(), new RegExp(`${ended.moves.at(-3)?.code}`));
	await page.getByRole('button', { name: 'Unplug' }).click();
	await page.getByText('unplugged', { exact: true }).waitFor();
	// Its port is free again.
	await page.getByRole('button', { name: 'Plug in' }).click();
	await page.getByText('plugged in', { exact: true }).waitFor();
	harness.check();
});

test('a run is cancelled, and a board that is unplugged loses its game', async () => {
	const { page, unplug } = await plugged(await device(['--twin']), {
		viewport: { width: 320, height: 700 },
		colorScheme: 'dark',
	});
	await page.getByRole('button', { name: 'Conform' }).click();
	await page.getByRole('row', { name: /^1 handshake passed/ }).waitFor();
	await accessible(page, 'board, narrow');
	const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	assert.ok(sideways <= 0, `scrolls sideways by ${sideways} pixels`);
	await page.getByRole('button', { name: 'Cancel' }).click();
	await page.getByText(/plugged in; .*; cancelled$/).waitFor();
	const game = await begin(page, 'Board');
	await play(game.id, 5);
	unplug();
	// The person is to move, and nothing is asked of the board: the game ends all the same.
	await page.getByText(/You won, .*the other end has gone/).waitFor();
	await page.getByRole('link', { name: 'Board', exact: true }).click();
	await page.getByText(/^unplugged: the board was unplugged/).waitFor();
	assert.equal(await page.getByRole('button', { name: 'Conform' }).isDisabled(), true);
	harness.check();
});

test('a service that refuses says why, and a browser without WebSerial what to do', async () => {
	const { page, settings } = await plugged(await device(['--twin']));
	assert.equal(settings.baudRate, 115200);
	// Sockets of further boards, until there are 16.
	const others = await page.evaluate(async () => {
		for (let i = 0; ; i += 1) {
			const key = i.toString(16).padStart(32, '0');
			const socket = new WebSocket(`ws://${location.host}/api/v1/serial?device=${key}`);
			const opened = await new Promise(resolve => {
				socket.onmessage = () => resolve(true);
				socket.onclose = () => resolve(false);
			});
			if (!opened) return i;
		}
	});
	assert.ok(others > 8 && others < 16, `${others} more boards`);
	const second = await harness.page();
	await wire(second, await device(['--twin']));
	await second.goto('/serial');
	await second.getByRole('button', { name: 'Plug in' }).click();
	await second.getByText('16 boards are plugged in: expected at most 16').waitFor();
	await second.context().close();
	// Chromium reports the refused socket as an error of the page.
	const refused = (/** @type {string} */ fault) => /WebSocket connection to .* failed|503/.test(fault);
	harness.faults = harness.faults.filter(fault => !refused(fault));

	const plain = await harness.page();
	await plain.addInitScript(() => {
		delete (/** @type {any} */ (Navigator.prototype).serial);
	});
	await plain.goto('/serial');
	await plain.getByText('This browser has no WebSerial.').waitFor();
	assert.equal(await plain.getByRole('button', { name: 'Plug in' }).isDisabled(), true);
	await accessible(plain, 'board without WebSerial');
	harness.check();
});

test('all checks of the board pass', LONG, async () => {
	// While the run goes on, the number of the check follows the team.
	const ended = checking.getByText(/^plugged in; team QX; \d+ passed/);
	const checks = checking.getByRole('region', { name: 'checks' });
	const bad = async () => {
		await ended.waitFor(LONG);
		const rows = await checks.locator('tbody tr').allInnerTexts();
		return rows.filter(row => !/\tpassed\t/.test(row));
	};
	// A browser that gets no processor for 100 ms splits a code, and the board drops it. Of four runs,
	// one has to pass.
	let rows = await bad();
	for (let run = 2; run <= 4 && rows.length > 0; run += 1) {
		await checking.getByRole('button', { name: 'Conform' }).click();
		await checking.getByRole('button', { name: 'Cancel' }).waitFor();
		rows = await bad();
	}
	assert.deepEqual(rows, []);
	assert.equal(await ended.innerText(), 'plugged in; team QX; 25 passed, 0 failed');
	assert.equal(await checks.locator('tbody tr').count(), 25);
	// The monitor keeps the last entries.
	const bytes = checking.getByRole('region', { name: 'bytes' });
	assert.equal(await bytes.locator('tbody tr').count(), 60);
	await accessible(checking, 'board');
	harness.check();
});
