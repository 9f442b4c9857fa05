/** Ways between the views: scroll position, focus, title, and links to a part of the page. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Harness, gamePath, showsPly } from '../harness.mjs';

/** @import { Page } from 'playwright-core' */

/** Module of the page that changes the address. */
const ROUTE = '/js/route.js';

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

/**
 * Holds the requests to a path.
 * @param {Page} page
 * @param {string} path
 * @returns {Promise<{asked: Promise<unknown>, release: () => Promise<void>}>} the first request; a
 *   function that lets the page read all answers
 */
async function hold(page, path) {
	/** @type {() => void} */
	let release = () => {};
	const released = new Promise(resolve => (release = () => resolve(undefined)));
	await page.route(path, async route => {
		await released;
		await route.continue();
	});
	return {
		asked: page.waitForRequest(path),
		release: async () => {
			const answered = page.waitForResponse(path);
			release();
			await (await answered).finished();
			await page.unrouteAll({ behavior: 'wait' });
			// The page has read the late answer when it has read the one after it.
			await page.evaluate(() => fetch('/api/v1/variants').then(answer => answer.text()));
		},
	};
}

/** Opens an address as a link does. @param {Page} page @param {string} path */
const navigate = (page, path) =>
	page.evaluate(
		async ([script, to]) => (await import(script)).navigate(to),
		[ROUTE, path]
	);

/** @param {Page} page */
const pathname = page => new URL(page.url()).pathname;

test('the view that is shown until the next one opens does not change the address', async () => {
	const game = await harness.played('duo', 2);
	const other = gamePath(await harness.create('duo', ['p', 'p']));
	const page = await harness.page();
	for (const [path, request] of [
		['/games', '**/api/v1/games?*'],
		[other, `**/api/v1/games/${other.split('/')[2].replaceAll('~', '.')}`],
	]) {
		await page.goto(`${gamePath(game)}/0`);
		await showsPly(page, 0);
		const held = await hold(page, request);
		await navigate(page, path);
		await held.asked;
		await page.keyboard.press('ArrowRight');
		await showsPly(page, 1);
		assert.equal(pathname(page), path);
		await held.release();
		if (path === other) await showsPly(page, 0);
		else await page.getByRole('heading', { name: 'Games' }).waitFor();
		assert.equal(pathname(page), path);
	}
	harness.check();
});

test('a view that a later click has overtaken does not change the address', async () => {
	const game = await harness.played('duo', 2);
	const page = await harness.page();
	await page.goto('/games');
	const held = await hold(page, '**/api/v1/variants/duo/tiles');
	await navigate(page, gamePath(game).replace('/game', '/line'));
	await held.asked;
	await page.locator('nav a[href="/play"]').click();
	await page.getByRole('button', { name: 'Begin' }).waitFor();
	await held.release();
	assert.equal(pathname(page), '/play');
	harness.check();
});

test('going back to the view that is still shown cancels the next one', async () => {
	const game = await harness.played('duo', 2);
	const page = await harness.page();
	await page.goto(`${gamePath(game)}/2`);
	await showsPly(page, 2);
	const held = await hold(page, '**/api/v1/players');
	await page.locator('nav a[href="/play"]').click();
	await held.asked;
	assert.equal(await page.locator('nav a[aria-current]').innerText(), 'Play');
	await page.goBack();
	await page.waitForURL(/\/2$/);
	assert.equal(await page.locator('nav a[aria-current]').count(), 0);
	await held.release();
	assert.equal(await page.getByRole('button', { name: 'Begin' }).count(), 0);
	await page.keyboard.press('ArrowRight');
	await showsPly(page, 3);
	assert.equal(pathname(page), `${gamePath(game)}/3`);
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
