/** Tournaments of `duoforge tournament`: finished and in progress. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
