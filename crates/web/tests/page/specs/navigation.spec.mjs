/** Ways between the views: scroll position, focus, title, and links to a part of the page. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Harness } from '../harness.mjs';

/** @import { Page } from 'playwright-core' */

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

/** @param {Page} page */
const scrolled = page => page.evaluate(() => scrollY);

test('a link opens a view at its top, with the focus and the title read out', async () => {
	for (let i = 0; i < 50; i += 1) await harness.create('duo', ['p', 'p']);
	const page = await harness.page({ viewport: { width: 360, height: 640 } });
	await page.goto('/games');
	assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
	await page.locator('tbody tr').nth(45).getByRole('link').click();
	await page.locator('.rack-tile').first().waitFor();
	assert.equal(await scrolled(page), 0);
	assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
	assert.match(await page.locator('#live').innerText(), /^Person 1 – Person 2$/);
	// The browser scrolls where the list was.
	await page.goBack();
	await page.locator('tbody tr').nth(45).waitFor();
	assert.ok((await scrolled(page)) > 300);
	harness.check();
});

test('a link to a part of the page keeps the view', async () => {
	const page = await harness.page();
	await page.goto('/play');
	await page.getByLabel('name of seat 1').fill('Ada');
	await page.getByLabel('Scoring').selectOption('advanced');
	await page.getByText('Skip to the content').focus();
	await page.keyboard.press('Enter');
	await page.waitForURL(/#main$/);
	await page.locator('main:focus').waitFor();
	await page.goBack();
	await page.waitForURL(/play$/);
	// A view that was opened again would have asked for the players, and answered before this request.
	await page.evaluate(() => fetch('/api/v1/players').then(answer => answer.text()));
	assert.equal(await page.getByLabel('name of seat 1').inputValue(), 'Ada');
	assert.equal(await page.getByLabel('Scoring').inputValue(), 'advanced');
	harness.check();
});

test('the form of a game keeps its names and players when the variant changes', async () => {
	const page = await harness.page();
	await page.goto('/play');
	await page.getByLabel('name of seat 1').fill('Ada');
	await page.locator('#seat-1').selectOption('random');
	await page.getByLabel('Variant').selectOption('classic');
	await page.locator('#seat-3').waitFor();
	assert.equal(await page.getByLabel('name of seat 1').inputValue(), 'Ada');
	assert.equal(await page.locator('#seat-1').inputValue(), 'random');
	// A player of duo alone gives way to one that plays the variant.
	await page.getByLabel('Variant').selectOption('duo');
	await page.locator('#seat-1').selectOption('pattern');
	await page.getByLabel('Variant').selectOption('classic');
	assert.notEqual(await page.locator('#seat-1').inputValue(), 'pattern');
	assert.notEqual(await page.locator('#seat-1').inputValue(), '');
	harness.check();
});
