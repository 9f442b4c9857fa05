/** Devices: a game against RTL in Verilator in a browser, start to end, and the view of its line. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Harness, accessible, duoforge, gamePath, pick, rows, showsPly } from '../harness.mjs';

/** @import { Game, Wire } from '../../../page/js/types.js' */

/** The first build of a model takes its time. */
const BUILD = { timeout: 280_000 };

/** @type {Harness} */
let harness;
/** @type {string} */
let directory;
/** Game against RTL. @type {Game} */
let played;
before(async () => {
	directory = mkdtempSync(join(tmpdir(), 'duoforge-devices-'));
	const profiles = join(directory, 'profiles.toml');
	const devices = { rtl: 'sim:verilator', model: 'twin', absent: 'tcp:127.0.0.1:1' };
	const tables = Object.entries(devices).map(([name, spec]) => `[${name}]\ndevice = "${spec}"\n`);
	writeFileSync(profiles, tables.join(''));
	harness = await Harness.start(['--profiles', profiles]);
});
after(async () => {
	await harness?.close();
	if (directory) rmSync(directory, { recursive: true, force: true });
});

test('a person plays a whole game against RTL in Verilator', BUILD, async () => {
	const page = await harness.page();
	const recording = join(process.env.DUOFORGE_RECORDINGS ?? directory, 'game-against-rtl.zip');
	mkdirSync(join(recording, '..'), { recursive: true });
	await page.context().tracing.start({ screenshots: true, snapshots: true });
	await page.goto('/play');
	await page.getByLabel(/Seat 2/).selectOption('rtl');
	await page.getByRole('button', { name: 'Begin' }).click();
	await page.waitForURL(/\/game\//);
	const id = decodeURIComponent(page.url().split('/')[4]).replaceAll('~', '.');
	const own = [];
	for (;;) {
		const now = await harness.turn(id);
		await showsPly(page, now.ply);
		assert.deepEqual(await rows(page), now.state.board);
		if (now.status !== 'running') break;
		const code = pick(now.state) ?? '0000';
		own.push(code);
		const field = page.locator('#code');
		await field.fill(code);
		await field.press('Enter');
		const moves = page.locator('.moves li');
		await moves.nth(now.ply).waitFor(BUILD);
	}
	await page.context().tracing.stop({ path: recording });
	assert.ok(statSync(recording).size > 10_000);
	played = await harness.game(id);
	assert.equal(played.result?.ending, 'played-out', played.result?.detail);
	assert.ok(own.length >= 10, `${own.length} turns`);
	// The twin, a model of the same player in software, is the oracle of the hardware's moves.
	let twin = await harness.create('duo', ['p', 'model']);
	for (const code of own) {
		twin = await harness.turn(twin.id);
		if (twin.status !== 'running') break;
		await harness.api(`games/${twin.id}/moves`, { ply: twin.ply, code });
	}
	twin = await harness.turn(twin.id);
	const codes = (/** @type {Game} */ game) => game.moves.map(({ code }) => code);
	assert.deepEqual(codes(played), codes(twin));
	assert.deepEqual(played.result?.scores, twin.result?.scores);
	for (const move of played.moves) {
		assert.equal(typeof move.sim_us === 'number', move.seat === 1, JSON.stringify(move));
	}
	harness.check();
});

test('the line shows every byte with its time, and the command that replays the game', async () => {
	const page = await harness.page();
	await page.goto(gamePath(played));
	await showsPly(page, played.ply);
	await page.getByRole('link', { name: 'Line' }).click();
	await page.waitForURL(/\/line\//);
	/** @type {Wire} */
	const wire = await harness.api(`games/${played.id}/wire`);
	const replies = page.locator('.replies li');
	await replies.first().waitFor();
	assert.equal(await replies.count(), played.ply);
	assert.equal(await page.locator('.second .reply').count(), played.ply >> 1);
	// Every entry is shown at its ply, or before the first and after the last.
	let shown = 0;
	for (let ply = 0; ply <= played.ply; ply += 1) {
		await page.keyboard.press(ply === 0 ? 'Home' : 'ArrowDown');
		await page.waitForURL(new RegExp(`/line/.*/${ply}$`));
		shown += await page.locator('.bytes tbody tr').count();
		if (ply === 2) {
			const text = await page.locator('.bytes tbody').innerText();
			// A simulated line carries one byte after the other.
			const reply = [...text.matchAll(/← from rtl\t(\S+) /g)].map(([, part]) => part).join('');
			assert.equal(reply, played.moves[1].code, text);
			assert.ok(text.includes(`3A${played.moves[0].code}`), text);
			assert.match(text, /\d\.\d{6} s simulated/);
			const { state } = await harness.api(`games/${played.id}?ply=2`);
			const tiles = state.board.join('').replaceAll('.', '').length;
			assert.ok(tiles > 0);
			await accessible(page, 'line');
		}
	}
	assert.equal(shown, wire.entries.length);
	// The command replays the list that the page offers.
	const response = await fetch(`${harness.address}/api/v1/games/${played.id}.list`);
	const list = join(directory, `duoforge-${played.id}.list`);
	writeFileSync(list, await response.text());
	const command = await page.locator('.evidence code').innerText();
	assert.equal(command, `duoforge replay --plies duoforge-${played.id}.list`);
	const words = command.split(' ').slice(1, -1);
	const replay = duoforge([...words, list]);
	assert.ok(replay.includes(played.moves.at(-1)?.code ?? '?'), replay);
	const narrow = await harness.page({ viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
	await narrow.goto(`/line${gamePath(played).slice(5)}/2`);
	await narrow.locator('.bytes').waitFor();
	await accessible(narrow, 'line, narrow');
	const sideways = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	assert.ok(sideways <= 0, `scrolls sideways by ${sideways} pixels`);
	harness.check();
});

test('device, twin and Verilog are compared at one decision', BUILD, async () => {
	const page = await harness.page();
	await page.goto(`/line${gamePath(played).slice(5)}/4`);
	await page.getByRole('link', { name: 'Twin' }).click();
	await page.waitForURL(/\/twin\/.*\/3$/);
	await page.getByRole('button', { name: 'Compare' }).click();
	await page.getByText('Device, twin and Verilog agree.').waitFor(BUILD);
	const { code, legal } = played.moves[3];
	for (const name of ['Device', 'Twin', 'Verilog in simulation']) {
		const column = page.getByRole('region', { name, exact: true });
		const text = (await column.innerText()).replaceAll(/\s+/g, ' ');
		assert.ok(text.includes(`choice ${code}`), text);
		if (name !== 'Device') assert.ok(text.includes(`legal set ${legal} placements`), text);
		assert.equal(await column.locator('.tile.last').count(), 1);
	}
	assert.equal(await page.locator('.differs').count(), 0);
	const before = played.moves.slice(0, 3).map(move => move.code);
	const command = `duoforge sim-game --wave ply-3.vcd ${before.join(' ')}`;
	assert.equal(await page.locator('.differences code').innerText(), command);
	await accessible(page, 'twin');
	// The person's move is not the pattern player's: the first difference is marked.
	await page.keyboard.press('ArrowLeft');
	await page.waitForURL(/\/2$/);
	await page.getByRole('button', { name: 'Compare' }).click();
	await page.getByText(/First difference at ply 0: the choice of the player/).waitFor(BUILD);
	const narrow = await harness.page({ viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
	await narrow.goto(`/twin${gamePath(played).slice(5)}/3`);
	await narrow.locator('.twin-column .tile').first().waitFor();
	await accessible(narrow, 'twin, narrow');
	const sideways = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	assert.ok(sideways <= 0, `scrolls sideways by ${sideways} pixels`);
	harness.check();
});

test('a lost game of a tournament leads to its bytes and its replay', BUILD, async () => {
	const plan = join(harness.journals, 'cup.toml');
	const mute = "exec:sh -c 'head -c 1 >/dev/null; printf 1XX; cat >/dev/null'";
	const players = ['twin', mute].map(spec => `[[player]]\nspec = "${spec}"\n`).join('');
	writeFileSync(plan, `event = "Cup"\nformat = "round-robin"\npairs = 1\n${players}`);
	duoforge(['tournament', plan, '--quiet']);
	/** @type {Game | undefined} */
	let lost;
	while (!lost) {
		const { games } = await harness.api('games?limit=100');
		// The opponent has moved before.
		lost = games.find(
			(/** @type {Game} */ game) => game.result?.ending === 'timeout' && game.ply > 0
		);
		await new Promise(resolve => setTimeout(resolve, 100));
	}
	const page = await harness.page();
	await page.goto(gamePath(lost));
	await page.getByRole('link', { name: 'Line' }).click();
	await page.locator('.bytes').waitFor();
	assert.match(await page.locator('.replies').innerText(), /no move/);
	const bytes = await page.locator('.bytes').innerText();
	assert.match(bytes, /nothing came within 1 s/);
	const command = await page.locator('.evidence code').innerText();
	assert.match(command, /^duoforge replay --plies cup\.evidence\/game-0000\d-attempt-1\/moves\.txt$/);
	const file = join(harness.journals, command.split(' ').at(-1) ?? '');
	assert.ok(statSync(file).size > 0);
	const download = page.getByRole('link', { name: 'wire.log' });
	const text = await (await fetch(harness.address + (await download.getAttribute('href')))).text();
	assert.match(text, /^# line 1: /);
	await accessible(page, 'line of a lost game');
	// The decision that lost the game has no move.
	await page.getByRole('link', { name: 'Twin' }).click();
	await page.waitForURL(new RegExp(`/twin/[^/]*/${lost.ply}$`));
	await page.locator('.page-head .count').getByText(`ply ${lost.ply}`).waitFor();
	await page.getByRole('button', { name: 'Next' }).click();
	await page.getByRole('button', { name: 'Compare' }).click();
	await page.getByText('Twin and Verilog agree.', { exact: true }).waitFor(BUILD);
	assert.match(page.url(), new RegExp(`/${lost.ply}$`));
	const device = page.getByRole('region', { name: 'Device', exact: true });
	assert.match(await device.innerText(), /choice\s+–/);
	harness.check();
});

test('a device that is absent breaks the game off without a winner', async () => {
	const page = await harness.page();
	const game = await harness.create('duo', ['absent', 'p']);
	await page.goto(gamePath(game));
	await page.getByText(/no result.*absent: /).waitFor();
	harness.check();
});
