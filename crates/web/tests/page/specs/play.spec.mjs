/** Whole games by keys, by mouse and by touch. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
	Harness,
	NAMES,
	duoforge,
	gamePath,
	imprint,
	middle,
	pick,
	rows,
	showsAfter,
	showsPly,
} from '../harness.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Game } from '../../../page/js/types.js' */

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

/** Waits until the page says that a move is legal. @param {Page} page @param {string} code */
async function showsLegal(page, code) {
	await page.locator('.status', { hasText: new RegExp(`^${code}: legal$`) }).waitFor();
}

/** @param {Page} page @param {string} code */
async function byKeys(page, code) {
	await page.keyboard.press(code[2]);
	for (let i = 0; i < 9 && (await imprint(page)).slice(2) !== code.slice(2); i += 1) {
		await page.keyboard.press(i % 2 ? 'Shift+Space' : 'Space');
		if (i % 2) {
			await page.keyboard.press('Space');
			await page.keyboard.press('Space');
		}
	}
	for (let i = 0; i < 60; i += 1) {
		const now = await imprint(page);
		const dx = NAMES.indexOf(code[0]) - NAMES.indexOf(now[0]);
		const dy = NAMES.indexOf(code[1]) - NAMES.indexOf(now[1]);
		if (dx === 0 && dy === 0) break;
		await page.keyboard.press(
			dx > 0 ? 'ArrowRight' : dx < 0 ? 'ArrowLeft' : dy > 0 ? 'ArrowDown' : 'ArrowUp'
		);
	}
	await showsLegal(page, code);
	await page.keyboard.press('Enter');
}

/** @param {Page} page @param {string} code */
async function byMouse(page, code) {
	await page.getByRole('button', { name: `tile ${code[2]},` }).click();
	const { x, y } = await middle(page, NAMES.indexOf(code[0]), NAMES.indexOf(code[1]));
	await page.mouse.move(x, y);
	for (let i = 0; i < 9 && (await imprint(page)).slice(2) !== code.slice(2); i += 1) {
		await page.mouse.wheel(0, 100);
		await page.waitForTimeout(15);
	}
	// A tile at the rim has moved inwards while it turned.
	await page.mouse.move(x + 1, y + 1);
	await showsLegal(page, code);
	await page.mouse.click(x + 1, y + 1);
}

/** @param {Page} page @param {string} code */
async function byTouch(page, code) {
	await page.getByRole('button', { name: `tile ${code[2]},` }).tap();
	for (let i = 0; i < 9 && (await imprint(page)).slice(2) !== code.slice(2); i += 1) {
		await page.getByRole('button', { name: i === 4 ? 'Flip' : 'Rotate' }).tap();
	}
	for (let i = 0; i < 2; i += 1) {
		await page.locator('[role="grid"]').scrollIntoViewIfNeeded();
		const { x, y } = await middle(page, NAMES.indexOf(code[0]), NAMES.indexOf(code[1]));
		await page.touchscreen.tap(x, y);
		if (i === 0) await showsLegal(page, code);
	}
}

/**
 * Plays a game to its end; the page has to agree with the service at every turn.
 * @param {Page} page
 * @param {Game} game
 * @param {(page: Page, code: string) => Promise<void>} place
 */
async function playOut(page, game, place) {
	await page.goto(gamePath(game));
	let turns = 0;
	for (;;) {
		const now = await harness.turn(game.id);
		await showsPly(page, now.ply);
		if (now.status !== 'running') break;
		turns += 1;
		const code = pick(now.state, 0.9);
		if (code) await place(page, code);
		else await page.getByRole('button', { name: 'Pass', exact: true }).press('Enter');
		await showsAfter(page, now.ply);
		const answer = await harness.game(game.id);
		assert.equal(answer.moves[now.ply].code, code ?? '0000');
	}
	assert.ok(turns > 5, `${turns} turns`);
	const end = await harness.game(game.id);
	assert.ok(end.result);
	assert.deepEqual(await rows(page), end.state.board);
	const summary = await page.locator('.summary').innerText();
	for (const score of end.result.scores)
		assert.ok(summary.includes(String(score).replace('-', '−')), summary);
	// The command replays the moves that the page has played, to the same position.
	const codes = end.moves.map(({ code }) => code);
	const state = JSON.parse(duoforge(['state', '--variant', end.variant, ...codes, '--json']));
	assert.deepEqual(state.board, end.state.board);
	harness.check();
}

test('a game of Duo by keys alone', async () => {
	await playOut(await harness.page(), await harness.create('duo', ['p', 'engine']), byKeys);
});

test('a game of Duo by mouse', async () => {
	await playOut(await harness.page(), await harness.create('duo', ['engine', 'p']), byMouse);
});

test('a game of Duo by touch on 320 pixels', async () => {
	const page = await harness.page({
		viewport: { width: 320, height: 640 },
		hasTouch: true,
		isMobile: true,
	});
	await playOut(page, await harness.create('duo', ['p', 'engine']), byTouch);
});

/** The first legal place of a tile. @param {Page} page */
async function byNextPlace(page) {
	await page.keyboard.press(']');
	await page.keyboard.press('Enter');
}

for (const [variant, seats] of /** @type {[string, number][]} */ ([
	['duo-corner', 2],
	['classic-3', 3],
	['classic', 4],
])) {
	test(`a game of ${variant} between ${seats} persons`, async () => {
		const page = await harness.page();
		const game = await harness.create(variant, Array(seats).fill('p'));
		await page.goto(gamePath(game));
		for (;;) {
			const now = await harness.game(game.id);
			await showsPly(page, now.ply);
			if (now.status !== 'running') break;
			if (now.state.legal.count > 0) await byNextPlace(page);
			else await page.keyboard.press('0');
			await showsAfter(page, now.ply);
		}
		const end = await harness.game(game.id);
		assert.deepEqual(await rows(page), end.state.board);
		assert.ok(end.ply > 20);
		harness.check();
	});
}

test('a red imprint names the reason, and marks the cell', async () => {
	const page = await harness.page();
	const game = await harness.create('duo', ['p', 'p']);
	await page.goto(gamePath(game));
	await showsPly(page, 0);
	await page.keyboard.press('a');
	await page.keyboard.press('ArrowRight');
	assert.match(await page.locator('.status').innerText(), /first tile must cover 55/);
	assert.equal(await page.locator('.imprint .illegal').count(), 1);
	assert.equal(await page.locator('.fault').count(), 1);
	await page.keyboard.press('Enter');
	assert.equal((await harness.game(game.id)).ply, 0);
	await page.keyboard.press('Escape');
	assert.equal(await page.locator('.imprint .tile').count(), 0);
	// The field asks the service, which names the same reason.
	await page.getByLabel('Move', { exact: true }).fill('11a0');
	await page.keyboard.press('Enter');
	await page.getByRole('alert').getByText('55').waitFor();
	await page.getByLabel('Move', { exact: true }).fill('55a0');
	await page.keyboard.press('Enter');
	await showsPly(page, 1);
	harness.check();
});

test('the field takes action numbers of five digits', async () => {
	const page = await harness.page();
	for (const variant of ['duo', 'classic-2']) {
		const game = await harness.create(variant, ['p', 'p']);
		await page.goto(gamePath(game));
		await showsPly(page, 0);
		const { actions, codes } = game.state.legal;
		const at = actions.findIndex(action => action >= 10_000);
		await page.getByLabel('Move', { exact: true }).pressSequentially(String(actions[at]));
		await page.keyboard.press('Enter');
		await showsPly(page, 1);
		assert.equal((await harness.game(game.id)).moves[0].code, codes[at]);
	}
	harness.check();
});

test('hints go both ways', async () => {
	const page = await harness.page();
	const game = await harness.create('duo', ['p', 'p']);
	await page.goto(gamePath(game));
	await showsPly(page, 0);
	await page.keyboard.press('w');
	assert.equal(await page.locator('.marks .corner').count(), 1);
	const { x, y } = await middle(page, 4, 4);
	await page.mouse.move(x, y);
	assert.equal(await page.locator('.rack-tile.reaches').count(), 21);
	await page.getByRole('button', { name: 'tile u,' }).hover();
	// The cross covers the start cell with each of its five cells.
	assert.equal(await page.locator('.heat .warm').count(), 13);
	await page.keyboard.press('y');
	const cells = new Set();
	for (const code of game.state.legal.codes) cells.add(code);
	assert.equal(cells.size, 414);
	assert.equal(
		await page.getByRole('button', { name: 'Heat map' }).getAttribute('aria-pressed'),
		'true'
	);
	harness.check();
});

test('undo, resign and a rematch with the colours swapped', async () => {
	const page = await harness.page();
	page.on('dialog', dialog => void dialog.accept());
	await page.goto('/play');
	await page.getByLabel('name of seat 1').fill('Ann');
	await page.getByLabel('level of seat 2').selectOption('1');
	await page.getByRole('button', { name: 'Begin' }).click();
	await page.waitForURL(/\/game\//);
	const id = decodeURIComponent(page.url().split('/')[4]).replaceAll('~', '.');
	await showsPly(page, 0);
	await byNextPlace(page);
	await showsPly(page, 2);
	await page.keyboard.press('z');
	await showsPly(page, 0);
	assert.equal((await harness.game(id)).ply, 0);
	await page.getByRole('button', { name: 'Resign' }).click();
	await page.getByRole('button', { name: 'Rematch' }).click();
	await page.waitForFunction(old => !location.pathname.includes(old), id.replaceAll('.', '~'));
	const next = await harness.game(
		decodeURIComponent(page.url().split('/')[4]).replaceAll('~', '.')
	);
	assert.deepEqual(
		next.seats.map(({ kind }) => kind),
		['player', 'person']
	);
	assert.equal(next.seats[1].name, 'Ann');
	await showsPly(page, 1);
	harness.check();
});
