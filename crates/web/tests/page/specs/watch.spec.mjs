/** Watching and replay, the wall, and one stream for all tabs. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Harness, gamePath, rows, showsPly } from '../harness.mjs';

/** @import { Game } from '../../../page/js/types.js' */

/** Module of the page that reads the stream. */
const STREAM = '/js/stream.js';

/** @type {Harness} */
let harness;
/** @type {Game} */
let ended;
before(async () => {
	harness = await Harness.start();
	ended = await harness.played('duo', 2);
});
after(() => harness?.close());

test('replay by keys, by address and by the curve', async () => {
	const page = await harness.page();
	await page.goto(gamePath(ended));
	await showsPly(page, ended.ply);
	for (const [key, ply] of /** @type {[string, number][]} */ ([
		['Home', 0],
		['ArrowRight', 1],
		['Shift+ArrowRight', 11],
		['ArrowLeft', 10],
		['End', ended.ply],
		['Shift+ArrowLeft', ended.ply - 10],
	])) {
		await page.keyboard.press(key);
		await showsPly(page, ply);
		await page.waitForFunction(wanted => location.pathname.endsWith(`/${wanted}`), ply);
		const { state } = await harness.api(`games/${ended.id}?ply=${ply}`);
		assert.deepEqual(await rows(page), state.board);
	}
	await page.reload();
	await showsPly(page, ended.ply - 10);
	const curve = page.locator('.curve');
	const box = await curve.boundingBox();
	assert.ok(box);
	await curve.click({ position: { x: 1, y: box.height / 2 } });
	await showsPly(page, 0);
	for (let i = 0; i < 4; i += 1) await page.keyboard.press('+');
	assert.equal(await page.locator('.speed').innerText(), '16×');
	await page.locator('main').focus();
	await page.keyboard.press('Space');
	await page.getByRole('button', { name: 'pause' }).waitFor();
	await showsPly(page, ended.ply);
	await page.getByRole('button', { name: 'play', exact: true }).waitFor();
	await page.locator('.moves button').nth(4).click();
	await showsPly(page, 5);
	harness.check();
});

test('the board turns, and keeps the names of its cells', async () => {
	const page = await harness.page();
	await page.goto(gamePath(ended));
	await showsPly(page, ended.ply);
	const before = await rows(page);
	await page.keyboard.press('v');
	const turned = await rows(page);
	assert.deepEqual(turned.map(row => row[13]).join(''), before[0]);
	for (let i = 0; i < 3; i += 1) await page.keyboard.press('v');
	assert.deepEqual(await rows(page), before);
	harness.check();
});

test('two tabs share one stream, and the second continues when the first is closed', async () => {
	const first = await harness.page();
	const context = first.context();
	let streams = 0;
	context.on('request', request => {
		if (request.url().endsWith('/api/v1/stream')) streams += 1;
	});
	let game = await harness.create('duo', ['p', 'p']);
	await first.goto(gamePath(game));
	await showsPly(first, 0);
	const second = await context.newPage();
	await second.goto(gamePath(game));
	await showsPly(second, 0);
	const wall = await context.newPage();
	await wall.goto('/wall');
	await wall.locator('.wall-game').first().waitFor();
	game = await harness.step(game);
	await showsPly(first, 1);
	await showsPly(second, 1);
	await wall.getByText('ply 1').first().waitFor();
	assert.equal(streams, 1);
	await first.close();
	for (let ply = 2; ply < 8; ply += 1) {
		game = await harness.step(game);
		await showsPly(second, ply);
		assert.deepEqual(await rows(second), game.state.board);
	}
	await wall.getByText('ply 7').first().waitFor();
	assert.equal(streams, 2);
	harness.check();
});

test('a viewer stays at an old ply while the game continues', async () => {
	const page = await harness.page();
	let game = await harness.create('duo', ['p', 'p']);
	await page.goto(gamePath(game));
	for (let i = 0; i < 3; i += 1) game = await harness.step(game);
	await showsPly(page, 3);
	await page.getByRole('button', { name: 'previous ply' }).click();
	await showsPly(page, 2);
	await harness.step(game);
	await page.locator('.moves li').nth(3).waitFor();
	await showsPly(page, 2);
	await page.getByRole('button', { name: 'Back to the live position' }).click();
	await showsPly(page, 4);
	harness.check();
});

test('moves that are played while a game is opened are shown', async () => {
	const page = await harness.page();
	let game = await harness.create('duo', ['p', 'p']);
	for (const path of [gamePath(game), `/line/${gamePath(game).split('/')[2]}`]) {
		/** @type {() => void} */
		let release = () => {};
		const released = new Promise(resolve => (release = () => resolve(undefined)));
		const asked = new Promise(resolve => {
			void page.route('**/api/v1/variants/*/tiles', async route => {
				resolve(undefined);
				await released;
				await route.continue();
			});
		});
		await page.goto(path, { waitUntil: 'commit' });
		await asked;
		await page.waitForFunction(
			async script => (await import(script)).connection === 'open',
			STREAM
		);
		for (let i = 0; i < 3; i += 1) game = await harness.step(game);
		await page.waitForFunction(
			async ({ script, id, ply }) => (await import(script)).live.games.get(id)?.ply === ply,
			{ script: STREAM, id: game.id, ply: game.ply }
		);
		release();
		await page.unrouteAll({ behavior: 'wait' });
		if (path.startsWith('/line')) await page.getByText(`in progress, ply ${game.ply}`).waitFor();
		else await showsPly(page, game.ply);
	}
	harness.check();
});

test('an answer that is cut off is reported, and the next one is shown', async () => {
	const page = await harness.page();
	let game = await harness.create('duo', ['p', 'p']);
	// A request that the page made before the step may be answered after it, so answers are cut off
	// when they arrive.
	let cut = false;
	await page.route(`**/api/v1/games/${game.id}`, async route => {
		const response = await route.fetch();
		const half = { contentType: 'application/json', body: '{"id": "' };
		await route.fulfill(cut ? half : { response });
	});
	await page.goto(gamePath(game));
	await showsPly(page, 0);
	cut = true;
	game = await harness.step(game);
	await page.getByText('the service does not answer').waitFor();
	cut = false;
	game = await harness.step(game);
	await showsPly(page, 2);
	await page.getByText('the service does not answer').waitFor({ state: 'hidden' });
	harness.check();
});

test('an answer that a newer one has overtaken is ignored', async () => {
	const page = await harness.page();
	const game = await harness.create('duo', ['p', 'p']);
	await page.goto(gamePath(game));
	await showsPly(page, 0);
	await page.route(`**/api/v1/games/${game.id}/moves`, async route => {
		const response = await route.fetch();
		await harness.step(await response.json());
		await showsPly(page, 2);
		await route.fulfill({ response });
	});
	const overtaken = page.waitForResponse(response => response.url().endsWith('/moves'));
	await page.keyboard.press(']');
	await page.keyboard.press('Enter');
	await (await overtaken).finished();
	// The page has read the answer when it has read the one after it.
	await page.evaluate(path => fetch(path).then(answer => answer.text()), `/api/v1/games/${game.id}`);
	assert.equal(await page.locator('input[aria-label="ply"]').inputValue(), '2');
	harness.check();
});

test('the projector shows games without controls', async () => {
	const page = await harness.page();
	await harness.create('classic', ['p', 'p', 'p', 'p']);
	await page.goto('/wall');
	await page.locator('.wall-game').first().waitFor();
	await page.keyboard.press('p');
	assert.equal(await page.locator('header').isVisible(), false);
	await page.keyboard.press('p');
	assert.equal(await page.locator('header').isVisible(), true);
	harness.check();
});

test('projector mode ends with a tap, and with the full screen', async () => {
	const page = await harness.page({ viewport: { width: 800, height: 600 }, hasTouch: true });
	await harness.create('duo', ['p', 'p']);
	await page.goto('/wall');
	const tile = page.locator('.wall-game').first();
	const header = page.locator('header');
	await tile.waitFor();
	await page.getByRole('button', { name: 'Projector' }).tap();
	await header.waitFor({ state: 'hidden' });
	await tile.tap();
	await header.waitFor();
	assert.match(page.url(), /\/wall$/);
	await page.waitForFunction(() => !document.fullscreenElement);

	await page.getByRole('button', { name: 'Projector' }).tap();
	await page.waitForFunction(() => document.fullscreenElement);
	assert.equal(await header.isVisible(), false);
	await page.evaluate(() => document.exitFullscreen());
	await header.waitFor();
	// Outside of projector mode, a tap opens the game.
	await tile.tap();
	await page.waitForURL(/\/game\//);
	harness.check();
});

test('a game that begins takes the place on the wall that it has after a reload', async () => {
	const page = await harness.page();
	await harness.create('duo', ['p', 'p']);
	await page.goto('/wall');
	const tiles = page.locator('.wall-game');
	await tiles.first().waitFor();
	const path = gamePath(await harness.create('duo', ['p', 'p']));
	await page.locator(`.wall-game[href="${path}"]`).waitFor();
	const shown = () => tiles.evaluateAll(all => all.map(it => it.getAttribute('href')));
	const before = await shown();
	assert.equal(before[0], path);
	await page.reload();
	await tiles.nth(before.length - 1).waitFor();
	assert.deepEqual(await shown(), before);
	harness.check();
});
