/** Twin: a decision of a search by its player, its twin, and the emitted Verilog in simulation. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Harness, accessible, gamePath } from '../harness.mjs';

/** The first build of a model takes its time. */
const BUILD = { timeout: 280_000 };

/** Small search, whose model is built in little time. */
const SEARCH = 'search:lanes=1,nodes=63,children=8,expand_threshold=6';

/** @type {Harness} */
let harness;
/** @type {string} */
let directory;
before(async () => {
	directory = mkdtempSync(join(tmpdir(), 'duoforge-twin-'));
	const profiles = join(directory, 'profiles.toml');
	writeFileSync(profiles, `[soft]\ndevice = "${SEARCH},sims=40"\n`);
	harness = await Harness.start(['--profiles', profiles]);
});
after(async () => {
	await harness?.close();
	if (directory) rmSync(directory, { recursive: true, force: true });
});

test('a search is compared in three columns, and cancelled', BUILD, async () => {
	let game = await harness.create('duo', ['p', 'soft']);
	await harness.api(`games/${game.id}/moves`, { ply: 0, code: '53e0' });
	game = await harness.turn(game.id);
	const { code, legal } = game.moves[1];
	const page = await harness.page();
	await page.goto(`/twin${gamePath(game).slice(5)}/1`);
	await page.getByRole('button', { name: 'Compare' }).click();
	// The profile of the seat is the player.
	await page.getByText('Device, twin and Verilog agree.').waitFor(BUILD);
	const report = await page.locator('.differences').innerText();
	assert.ok(report.includes(`${SEARCH},sims=40, 40 simulations`), report);
	assert.ok(report.includes(`--player ${SEARCH},sims=40 --simulations 40 53e0`), report);
	for (const name of ['Twin', 'Verilog in simulation']) {
		const column = page.getByRole('region', { name, exact: true });
		const text = (await column.innerText()).replaceAll(/\s+/g, ' ');
		for (const part of [`choice ${code}`, `legal set ${legal} placements`, 'simulations 40']) {
			assert.ok(text.includes(part), text);
		}
		const cells = await column.locator('tbody tr td:nth-child(2)').allInnerTexts();
		assert.equal(cells.length, 8);
		const visits = cells.reduce((sum, cell) => sum + Number(cell), 0);
		assert.equal(visits, 40, cells.join(' '));
	}
	assert.equal(await page.locator('.differs').count(), 0);
	await accessible(page, 'twin of a search');

	// The search of a board is longer than that of the person's decision.
	await page.keyboard.press('ArrowLeft');
	await page.waitForURL(/\/0$/);
	await page.getByLabel('Player').fill(SEARCH);
	await page.getByLabel('Simulations').fill('20');
	await page.getByRole('button', { name: 'Compare' }).click();
	await page.getByText('Twin and Verilog agree.').waitFor(BUILD);
	await page.getByText(/The device is not compared\..*, 20 simulations/).waitFor();

	await page.getByLabel('Simulations').fill('20000');
	await page.getByRole('button', { name: 'Compare' }).click();
	await page.getByRole('button', { name: 'Cancel' }).click();
	await page.getByRole('button', { name: 'Compare' }).waitFor();
	await page.getByText(/the 100,000 of a board minutes/).waitFor();

	await page.getByLabel('Player').fill('search:lanes=3');
	await page.getByRole('button', { name: 'Compare' }).click();
	await page.getByText(/lanes=3 is not supported in hardware: expected 1, 2 or 4/).waitFor();
	const narrow = await harness.page({ viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
	await narrow.goto(`/twin${gamePath(game).slice(5)}/1`);
	await narrow.locator('.twin-column .tile').first().waitFor();
	await accessible(narrow, 'twin of a search, narrow');
	const sideways = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	assert.ok(sideways <= 0, `scrolls sideways by ${sideways} pixels`);
	harness.check();
});
