/** Tournaments of `duoforge tournament`: finished and in progress. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DUOFORGE, Harness, accessible, duoforge, rows, showsPly } from '../harness.mjs';

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

/** Writes a plan. @param {string} name @param {string[]} specs @param {number} pairs */
function plan(name, specs, pairs) {
	const players = specs.map(spec => `[[player]]\nspec = "${spec}"\n`).join('');
	const path = join(harness.journals, `${name}.toml`);
	writeFileSync(path, `event = "${name}"\nformat = "round-robin"\npairs = ${pairs}\n${players}`);
	return path;
}

test('standings and crosstable are those of the command', async () => {
	const path = plan('Autumn', ['pattern', 'sample:1', 'random:5'], 1);
	duoforge(['tournament', path, '--quiet']);
	const report = JSON.parse(duoforge(['tournament', path, '--quiet', '--format', 'json']));
	// The service polls for new journals.
	while ((await harness.api('events')).events.length === 0) {
		await new Promise(resolve => setTimeout(resolve, 100));
	}
	const page = await harness.page();
	await page.goto('/events');
	await page.getByRole('link', { name: /Autumn/ }).click();
	await page.getByRole('heading', { name: 'Autumn' }).waitFor();
	const shown = await page
		.getByRole('region', { name: 'standings' })
		.locator('tbody tr')
		.evaluateAll(lines =>
			lines.map(line => [...line.children].map(cell => cell.textContent ?? ''))
		);
	assert.deepEqual(
		shown.map(([, name, , games, won, drawn, lost]) => [name, games, won, drawn, lost].join()),
		report.standings.map((/** @type {any} */ row) =>
			[row.name, row.games, row.won, row.drawn, row.lost].join()
		)
	);
	const cross = page.getByRole('region', { name: 'crosstable' });
	assert.equal(await cross.locator('tbody tr').count(), 3);
	assert.equal(await cross.locator('.self').count(), 3);
	await accessible(page, 'event');
	const games = page.getByRole('region', { name: 'games' });
	assert.equal(await games.locator('tbody tr').count(), 6);
	await games.getByRole('link').first().click();
	await page.waitForURL(/\/game\//);
	const id = decodeURIComponent(page.url().split('/')[4]).replaceAll('~', '.');
	const game = await harness.game(id);
	await showsPly(page, game.ply);
	assert.deepEqual(await rows(page), game.state.board);
	harness.check();
});

test('the wall follows a tournament in progress', async () => {
	const page = await harness.page();
	await page.goto('/wall');
	await page.getByText('No game is running.').waitFor();
	// Slow enough that no game ends between the wall and its view.
	const path = plan('Live', ['engine:ms=700,threads=1', 'random:7'], 3);
	const child = spawn(DUOFORGE, ['tournament', path, '--quiet'], { stdio: 'ignore' });
	const ended = new Promise(resolve => child.once('exit', resolve));
	try {
		const game = page.locator('.wall-game').first();
		await game.waitFor({ timeout: 30_000 });
		await page.waitForFunction(() => document.querySelectorAll('.wall-game .tile').length > 5);
		assert.match(await game.innerText(), /Live/);
		await game.click();
		await page.waitForURL(/\/game\//);
		const moves = page.locator('.moves li');
		const before = await moves.count();
		await moves.nth(before + 1).waitFor({ timeout: 30_000 });
	} finally {
		child.kill('SIGINT');
		await ended;
	}
	harness.check();
});

/**
 * Writes the journal of a match, whose only game is repeated.
 * @param {string} path
 * @param {number} count number of games
 */
function writeMatch(path, count) {
	const directory = mkdtempSync(join(tmpdir(), 'duoforge-match-'));
	const one = join(directory, 'one.journal');
	duoforge(['match', 'random:1', 'random:2', '--journal', one]);
	const records = readFileSync(one, 'utf8')
		.trim()
		.split('\n')
		.map(line => JSON.parse(line).record);
	rmSync(directory, { recursive: true });
	const end = records.findIndex(({ type }) => type === 'ended') + 1;
	const begin = records.findIndex(({ type }) => type === 'begun');
	const all = records.slice(0, begin);
	for (let game = 1; game <= count; game += 1)
		all.push(...records.slice(begin, end).map(record => ({ ...record, game })));
	const lines = all.map((record, n) => {
		const rest = `"n":${n},"record":${JSON.stringify(record)}}`;
		return `{"crc":"${crc32(rest).toString(16).padStart(8, '0')}",${rest}\n`;
	});
	writeFileSync(path, lines.join(''));
	return records[0].id;
}

test('an event counts its games beyond those that it lists', async () => {
	const id = writeMatch(join(harness.journals, 'long.journal'), 1002);
	const page = await harness.page({ viewport: { width: 320, height: 640 } });
	while (!(await harness.api('events')).events.some((/** @type {any} */ it) => it.id === id)) {
		await page.waitForTimeout(100);
	}
	await page.goto(`/events/${id}`);
	await page.getByText('1002 played').waitFor();
	const games = page.getByRole('region', { name: 'games' });
	assert.equal(await games.locator('tbody tr').count(), 1000);
	await page.getByText('newest 1,000 of 1,002 games').waitFor();
	await page.getByRole('link', { name: '1,002 games' }).click();
	await page.waitForURL(`**/games/${id}`);
	await page.locator('.count').getByText('1002', { exact: true }).waitFor();
	for (let newest = 952; newest > 0; newest -= 50) {
		await page.getByRole('button', { name: 'Older' }).click();
		await games.getByRole('link', { name: `1.${newest}: ` }).first().waitFor();
	}
	await games.getByRole('link', { name: '1.1: random:1 against random:2', exact: true }).waitFor();
	assert.equal(await games.locator('tbody tr').count(), 2);
	await page.getByRole('link', { name: 'Event', exact: true }).click();
	await page.waitForURL(`**/events/${id}`);
	harness.check();
});
