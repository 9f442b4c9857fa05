/** Tournaments that a referee begins at the page: by keys, to the standings; stop and resume. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Harness, accessible } from '../harness.mjs';

/** @import { Page } from 'playwright-core' */

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

/** Goes to an element with the tabulator. @param {Page} page @param {string} label */
async function tabTo(page, label) {
	for (let i = 0; i < 60; i += 1) {
		const name = await page.evaluate(() => {
			const element = document.activeElement;
			const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement
				? [...(element.labels ?? [])].map(it => it.textContent)
				: [element?.textContent];
			return labels.join('');
		});
		if (name === label) return;
		await page.keyboard.press('Tab');
	}
	assert.fail(`no focus on ${label}`);
}

test('a tournament is begun by keys and followed to its standings', async () => {
	const page = await harness.page();
	await page.goto('/events');
	await page.getByText('New tournament').waitFor();
	await tabTo(page, 'New tournament');
	await page.keyboard.press('Enter');
	await tabTo(page, 'Name');
	await page.keyboard.press('Control+A');
	await page.keyboard.type('Evening cup');
	await tabTo(page, 'Begin');
	await page.keyboard.press('Enter');
	// No player is chosen yet: the service names the fault.
	await page.getByRole('alert').getByText('expected 2 to 64').waitFor();
	for (const player of ['Greedy player', 'Random player']) {
		await tabTo(page, player);
		await page.keyboard.press('Space');
	}
	await tabTo(page, 'Begin');
	await page.keyboard.press('Enter');
	await page.waitForURL(/\/events\/.+/);
	await page.getByRole('heading', { name: 'Evening cup' }).waitFor();
	await page.getByText('finished at this service').waitFor({ timeout: 60_000 });
	const rows = page.getByRole('region', { name: 'standings' }).locator('tbody tr');
	await page.waitForFunction(() => /finished/.test(document.querySelector('.count')?.textContent ?? ''));
	const shown = await rows.evaluateAll(lines =>
		lines.map(line => [...line.children].map(cell => cell.textContent ?? ''))
	);
	assert.deepEqual(shown.map(([, name, , games]) => [name, games]).sort(), [
		['Greedy player', '2'],
		['Random player', '2'],
	]);
	assert.equal(await page.getByRole('button', { name: /Stop|Resume/ }).count(), 0);
	await accessible(page, 'event of the service');
	// It is an event like any other.
	await page.goto('/events');
	await page.getByRole('link', { name: /Evening cup.*finished, 2 games/s }).waitFor();
	harness.check();
});

test('the form offers what each variant has', async () => {
	const page = await harness.page({ viewport: { width: 320, height: 640 } });
	await page.goto('/events');
	await page.getByText('New tournament').click();
	assert.equal(await page.getByLabel('Rounds').isVisible(), false);
	await page.getByLabel('Format').selectOption('swiss');
	assert.equal(await page.getByLabel('Rounds').isVisible(), true);
	await page.getByLabel('Variant', { exact: true }).selectOption('classic');
	assert.equal(await page.getByLabel('Format').isVisible(), false);
	assert.equal(await page.getByLabel('Rounds').isVisible(), true);
	assert.equal(await page.getByLabel('Pattern player').count(), 0);
	assert.equal(await page.getByLabel('Engine for every variant', { exact: true }).count(), 1);
	const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	assert.ok(sideways <= 0, `${sideways}`);
	harness.check();
});

test('a tournament is stopped and resumed', async () => {
	const event = await harness.api('events', {
		name: 'Long',
		pairs: 1000,
		limit_ms: 60_000,
		players: [{ player: 'random' }, { player: 'greedy' }],
	});
	const page = await harness.page();
	await page.goto(`/events/${event.id}`);
	for (let i = 0; i < 2; i += 1) {
		await page.getByText('running at this service').waitFor();
		await page.getByRole('button', { name: 'Stop' }).click();
		await page.getByText('stopped at this service').waitFor({ timeout: 60_000 });
		if (i === 0) await page.getByRole('button', { name: 'Resume' }).click();
	}
	const { counts, finished } = await harness.api(`events/${event.id}`);
	assert.deepEqual([counts.running, finished], [0, false]);
	harness.check();
});

test('the form keeps the players, and hidden fields do not stop it', async () => {
	const page = await harness.page();
	await page.goto('/events');
	await page.getByText('New tournament').click();
	const players = ['Greedy player', 'Random player'].map(name => page.getByLabel(name, { exact: true }));
	for (const player of players) await player.check();
	await page.getByLabel('Format').selectOption('swiss');
	for (const player of players) assert.equal(await player.isChecked(), true);
	await page.getByLabel('Game pairs').fill('0');
	await page.getByLabel('Pattern player', { exact: true }).check();
	await page.getByLabel('Variant', { exact: true }).selectOption('classic');
	for (const player of players) assert.equal(await player.isChecked(), true);
	// The service counts the players of the variant: the player of duo alone is not sent.
	await page.getByRole('button', { name: 'Begin' }).click();
	await page.getByRole('alert').getByText('number of players: 2 is out of range').waitFor();
	// Back in duo, the field is shown and checked again.
	await page.getByLabel('Variant', { exact: true }).selectOption('duo');
	assert.equal(await page.getByLabel('Pattern player', { exact: true }).isChecked(), true);
	const pairs = page.getByLabel('Game pairs');
	await page.getByRole('button', { name: 'Begin' }).click();
	await page.locator('input:invalid:focus').waitFor();
	assert.equal(await pairs.evaluate(field => field === document.activeElement), true);
	harness.check();
});
