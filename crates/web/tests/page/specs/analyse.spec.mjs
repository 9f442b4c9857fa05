/** Positions, candidates and heat maps. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Harness, duoforge, rows } from '../harness.mjs';

/** @import { Route } from 'playwright-core' */

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

test('a position by codes, by address and by clicks', async () => {
	const page = await harness.page();
	await page.goto('/analyse/duo');
	await page.getByRole('textbox', { name: 'Position' }).fill('53e0 a8e0');
	await page.getByRole('button', { name: 'Set' }).click();
	await page.waitForURL(/\/analyse\/duo\/53e0,a8e0$/);
	const { board } = await harness.api('positions/duo/53e0,a8e0');
	assert.deepEqual(await rows(page), board);
	await page.reload();
	await page.locator('.tile').first().waitFor();
	assert.deepEqual(await rows(page), board);
	await page.locator('main').focus();
	await page.keyboard.press('ArrowLeft');
	await page.waitForURL(/\/analyse\/duo\/53e0$/);
	await page.keyboard.press(']');
	await page.keyboard.press('Enter');
	await page.waitForURL(/\/analyse\/duo\/53e0,[1-9a-e]{2}[a-u][0-7]$/);
	await page.getByRole('textbox', { name: 'Position' }).fill('53e0 53e0');
	await page.getByRole('button', { name: 'Set' }).click();
	await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
	await page.getByLabel('Variant').selectOption('classic');
	await page.waitForURL(/\/analyse\/classic$/);
	await page.locator('[role="grid"] [role="row"]').nth(19).waitFor();
	assert.equal((await rows(page)).length, 20);
	harness.check();
});

test('candidates with visits, prior, value and margin; maps; a candidate is played', async () => {
	const page = await harness.page();
	await page.goto('/analyse/duo/53e0');
	await page.getByLabel('simulations').selectOption('1000');
	await page.getByRole('button', { name: 'Analyse', exact: true }).click();
	const lines = page.locator('[aria-label="candidates"] tbody tr');
	await lines.first().waitFor({ timeout: 60_000 });
	await page
		.locator('.summary')
		.getByText(/^1,0\d\d simulations in/)
		.waitFor({ timeout: 60_000 });
	const visits = await lines.evaluateAll(all =>
		all.map(line => Number(line.children[1].textContent?.replaceAll(',', '')))
	);
	assert.ok(visits.length > 1);
	// The best comes first, the others by visit count.
	const others = visits.slice(1);
	assert.deepEqual(
		others,
		[...others].sort((a, b) => b - a)
	);
	assert.equal(await page.locator('g.candidate').count(), Math.min(5, visits.length));
	for (const map of ['Prior map', 'Value map']) {
		await page.getByRole('button', { name: map }).click();
		assert.ok((await page.locator('.heat .warm').count()) > 3);
	}
	const link = lines.first().getByRole('button');
	const code = await link.innerText();
	await link.click();
	await page.waitForURL(new RegExp(`/analyse/duo/53e0,${code}$`));
	harness.check();
});

test('an analysis is followed after a lost answer, and ends with a refusal', async () => {
	const page = await harness.page();
	/** Answers a poll: the first answer is cut off. @type {(route: Route) => unknown} */
	let answer = route => {
		answer = next => next.continue();
		return route.fulfill({ contentType: 'application/json', body: '{"id": "' });
	};
	// A stream that ends at once leaves the progress to the polls.
	await page.route('**/api/v1/stream', route =>
		route.fulfill({ contentType: 'text/event-stream', body: '' })
	);
	await page.route('**/api/v1/analyses/*', route => answer(route));
	await page.goto('/analyse/duo/53e0');
	await page.getByLabel('simulations').selectOption('1000');
	const [analyse, stop] = ['Analyse', 'Stop'].map(name =>
		page.getByRole('button', { name, exact: true })
	);
	await analyse.click();
	await page
		.locator('.summary')
		.getByText(/^1,0\d\d simulations in/)
		.waitFor({ timeout: 60_000 });
	await analyse.waitFor();
	// A service that was restarted does not know the analysis.
	/** @type {Promise<Route>} */
	const polled = new Promise(resolve => (answer = resolve));
	await page.getByLabel('simulations').selectOption('100000');
	await analyse.click();
	await stop.waitFor();
	const refusal = { status: 404, contentType: 'application/problem+json', body: '{"detail":"gone"}' };
	await (await polled).fulfill(refusal);
	await analyse.waitFor();
	harness.check();
});

test('a blksgf and a list are opened', async () => {
	const page = await harness.page();
	const ended = await harness.played('duo', 2);
	const codes = ended.moves.map(({ code }) => code).join(' ');
	const list = join(harness.journals, 'game.list');
	writeFileSync(list, `# a game\n${codes}\n`);
	const blksgf = duoforge(['convert', list, '--to', 'blksgf']);
	for (const [name, text] of [
		['game.blksgf', blksgf],
		['game.list', codes],
	]) {
		await page.goto('/analyse/classic');
		if (name.endsWith('list')) await page.goto('/analyse/duo');
		await page
			.locator('input[type="file"]')
			.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
		await page.waitForURL(/analyse\/duo\/.*,/);
		await page.locator('.tile.last, .board .tile').first().waitFor();
		assert.deepEqual(await rows(page), ended.state.board, name);
	}
	await page
		.locator('input[type="file"]')
		.setInputFiles({ name: 'chess.sgf', mimeType: 'text/plain', buffer: Buffer.from('(;GM[1])') });
	await page.getByRole('alert').getByText('Blokus').waitFor();
	harness.check();
});
