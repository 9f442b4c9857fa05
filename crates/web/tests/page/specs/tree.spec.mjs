/** Variations and comments of an analysed game. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Harness, accessible, duoforge, rows } from '../harness.mjs';

/** @import { Page } from 'playwright-core' */

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

/** Moves of the tree: level, text, and a mark at the one that is shown. @param {Page} page */
const tree = page =>
	page
		.locator('[role="treeitem"]')
		.evaluateAll(items =>
			items.map(
				item =>
					item.getAttribute('aria-level') +
					(item.getAttribute('aria-selected') === 'true' ? '*' : '') +
					(item.querySelector('code')?.textContent ?? item.textContent) +
					(item.querySelector('.remark') ? '!' : '')
			)
		);

/** Waits until the page shows the position after codes. @param {Page} page @param {string[]} codes */
const shows = (page, codes) =>
	page.waitForURL(url => url.pathname === ['/analyse/duo', codes.join()].filter(Boolean).join('/'));

/** Sets a position by its codes. @param {Page} page @param {string[]} codes */
async function set(page, codes) {
	await page.getByRole('textbox', { name: 'Position' }).fill(codes.join(' '));
	await page.getByRole('button', { name: 'Set' }).click();
	await shows(page, codes);
}

test('another move makes a variation; keys go through the tree, promote and delete', async () => {
	const page = await harness.page();
	await page.goto('/analyse/duo');
	const [first, second] = ['53e0', 'a8e0'];
	await set(page, [first, second]);
	await page.locator('main').focus();
	await page.keyboard.press('ArrowLeft');
	await shows(page, [first]);
	// The first legal placement of the pentomino q.
	await page.keyboard.press('q');
	await page.keyboard.press(']');
	await page.keyboard.press('Enter');
	await page.waitForURL(/53e0,..q\d$/);
	const other = page.url().slice(-4);
	await page.locator('main').focus();
	assert.deepEqual(await tree(page), ['1Start', `1${first}`, `1${second}`, `2*${other}`]);
	const { board } = await harness.api(`positions/duo/${first},${other}`);
	assert.deepEqual(await rows(page), board);

	await page.keyboard.press('ArrowUp');
	await shows(page, [first, second]);
	await page.keyboard.press('ArrowDown');
	await shows(page, [first, other]);
	// A step back and forth stays on the variation.
	await page.keyboard.press('ArrowLeft');
	await shows(page, [first]);
	await page.keyboard.press('ArrowRight');
	await shows(page, [first, other]);
	await page.keyboard.press('Shift+ArrowUp');
	await page.locator('[aria-level="2"]').getByText(second).waitFor();
	assert.deepEqual(await tree(page), ['1Start', `1${first}`, `1*${other}`, `2${second}`]);

	// The tree has its own keys while it has the focus.
	await page.locator('[aria-selected="true"]').focus();
	await page.keyboard.press('ArrowDown');
	await shows(page, [first, second]);
	await page.locator('[aria-selected="true"]:focus').waitFor();
	await page.keyboard.press('Home');
	await shows(page, []);
	await page.keyboard.press('End');
	await shows(page, [first, second]);
	await page.keyboard.press('Delete');
	await shows(page, [first]);
	assert.deepEqual(await tree(page), ['1Start', `1*${first}`, `1${other}`]);
	harness.check();
});

test('a move by its action number joins the tree by its code', async () => {
	const page = await harness.page();
	await page.goto('/analyse/duo');
	/** @param {string} text */
	const enter = async text => {
		await page.getByLabel('Move', { exact: true }).pressSequentially(text);
		await page.keyboard.press('Enter');
	};
	await enter('1590');
	await shows(page, ['53e0']);
	assert.equal(await page.locator('.tile.last').count(), 1);
	await page.locator('main').focus();
	await page.keyboard.press('ArrowLeft');
	await shows(page, []);
	await enter('53e0');
	await shows(page, ['53e0']);
	assert.deepEqual(await tree(page), ['1Start', '1*53e0']);
	// So does a move by another code of its placement.
	await page.locator('main').focus();
	await page.keyboard.press('ArrowLeft');
	await shows(page, []);
	await enter('53e1');
	await shows(page, ['53e0']);
	assert.equal(await page.locator('.tile.last').count(), 1);
	assert.deepEqual(await tree(page), ['1Start', '1*53e0']);

	const { legal } = await harness.api('positions/duo/53e0');
	const at = legal.actions.findIndex((/** @type {number} */ action) => action >= 10_000);
	await enter(String(legal.actions[at]));
	await shows(page, ['53e0', legal.codes[at]]);
	// The pass has the last number.
	await enter('13730');
	await page.getByRole('alert').getByText('expected 0 to 13729').waitFor();
	const [saved] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('button', { name: 'Save as blksgf' }).click(),
	]);
	const path = join(harness.journals, 'numbers.blksgf');
	await saved.saveAs(path);
	const codes = duoforge(['convert', path, '--to', 'list']).trim().split('\n').at(-1);
	assert.equal(codes, `53e0 ${legal.codes[at]}`);
	harness.check();
});

test('comments stay in the browser, and go through a file', async () => {
	const page = await harness.page();
	await page.goto('/analyse/duo/53e0,a8e0');
	await page.getByLabel('Comment').fill('a good ]reply[\nwith two lines');
	await page.getByRole('treeitem', { name: '53e0' }).click();
	await shows(page, ['53e0']);
	assert.equal(await page.getByLabel('Comment').inputValue(), '');
	const legal = await harness.api('positions/duo/53e0');
	const other = legal.legal.codes.find((/** @type {string} */ code) => code !== 'a8e0');
	await set(page, ['53e0', other]);
	await page.getByLabel('Comment').fill('a variation');
	const lines = ['1Start', '153e0', '1a8e0!', `2*${other}!`];
	assert.deepEqual(await tree(page), lines);
	await accessible(page, 'tree');

	// Another view, and a new load of the page.
	await page.getByRole('link', { name: 'Games' }).first().click();
	await page.waitForURL(/\/games$/);
	await page.goBack();
	await page.locator('[role="treeitem"]').nth(3).waitFor();
	assert.deepEqual(await tree(page), lines);
	await page.reload();
	await page.locator('[role="treeitem"]').nth(3).waitFor();
	assert.deepEqual(await tree(page), lines);

	const [saved] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('button', { name: 'Save as blksgf' }).click(),
	]);
	assert.equal(saved.suggestedFilename(), 'analysis.blksgf');
	const path = join(harness.journals, 'analysis.blksgf');
	await saved.saveAs(path);
	const text = readFileSync(path, 'utf8');
	assert.match(text, /C\[a good \\\]reply\[\nwith two lines\]/);
	// The command keeps every byte of what the service wrote.
	assert.equal(duoforge(['convert', path, '--to', 'blksgf']), text);

	const fresh = await harness.page();
	await fresh.goto('/analyse/classic');
	const kept = text.replace('C[a variation]', 'C[a variation]ZZ[kept]');
	await fresh
		.locator('input[type="file"]')
		.setInputFiles({ name: 'a.blksgf', mimeType: 'text/plain', buffer: Buffer.from(kept) });
	await shows(fresh, ['53e0', 'a8e0']);
	await fresh.locator('[role="treeitem"]').nth(3).waitFor();
	assert.deepEqual(await tree(fresh), ['1Start', '153e0', '1*a8e0!', `2${other}!`]);
	assert.equal(await fresh.getByLabel('Comment').inputValue(), 'a good ]reply[\nwith two lines');
	const [again] = await Promise.all([
		fresh.waitForEvent('download'),
		fresh.getByRole('button', { name: 'Save as blksgf' }).click(),
	]);
	await again.saveAs(path);
	assert.equal(readFileSync(path, 'utf8'), kept);

	// A broken variation is refused with its place.
	writeFileSync(path, kept.replace('C[a variation]', 'B[a1]'));
	await fresh.locator('input[type="file"]').setInputFiles(path);
	await fresh.getByRole('alert').getByText('cannot be read: line').waitFor();
	await fresh.getByRole('button', { name: 'New' }).click();
	await shows(fresh, []);
	assert.deepEqual(await tree(fresh), ['1*Start']);
	harness.check();
});

/** Comments of the tree that the browser kept last. @param {Page} page */
const comments = page =>
	page.evaluate(() =>
		JSON.parse(sessionStorage.getItem('trees') ?? '[]')[0].tree.nodes.map(
			(/** @type {{code?: string, comment?: string}} */ { code, comment }) => [code, comment].filter(Boolean).join(' ')
		)
	);

test('a comment belongs to the move that is shown until the service answers', async () => {
	const page = await harness.page();
	const codes = ['53e0', 'a8e0'];
	const item = (/** @type {string} */ name) => page.getByRole('treeitem', { name });
	const comment = page.getByLabel('Comment');
	await page.goto(`/analyse/duo/${codes}`);
	await comment.fill('TWO');
	await item('53e0').click();
	await shows(page, ['53e0']);
	await comment.fill('ONE');
	await item('a8e0').click();
	await shows(page, codes);

	// An answer that is cut off.
	const half = { contentType: 'application/json', body: '{"ply": ' };
	await page.route('**/api/v1/positions/**', route => route.fulfill(half));
	const silent = page.getByRole('alert').getByText('the service does not answer');
	await item('53e0').click();
	await silent.waitFor();
	assert.equal(await comment.inputValue(), 'TWO');
	await comment.fill('TWO!');
	assert.deepEqual(await comments(page), ['', '53e0 ONE', 'a8e0 TWO!']);
	// A move whose deletion is not answered remains.
	await page.locator('main').focus();
	await page.keyboard.press('Delete');
	await silent.waitFor();
	assert.deepEqual(await tree(page), ['1Start', '153e0!', '1*a8e0!']);
	await page.unrouteAll({ behavior: 'wait' });

	// An answer that arrives after a later one.
	/** @type {() => void} */
	let release = () => {};
	const released = new Promise(resolve => (release = () => resolve(undefined)));
	await page.route('**/api/v1/positions/duo/53e0', async route => {
		await released;
		await route.continue();
	});
	const late = page.waitForResponse(response => response.url().endsWith('/53e0'));
	await item('53e0').click();
	await comment.fill('TWO?');
	await item('Start').click();
	await shows(page, []);
	release();
	await (await late).finished();
	// The page has read the late answer when it has read the one after it.
	await page.evaluate(() => fetch('/api/v1/variants').then(answer => answer.text()));
	assert.deepEqual(await tree(page), ['1*Start', '153e0!', '1a8e0!']);
	await comment.fill('ZERO');
	assert.deepEqual(await comments(page), ['ZERO', '53e0 ONE', 'a8e0 TWO?']);
	harness.check();
});

test('steps that outrun the answers are counted', async () => {
	const page = await harness.page();
	await page.goto('/analyse/duo/53e0,a8e0');
	await page.locator('.tile.last').waitFor();
	/** @type {() => void} */
	let release = () => {};
	const released = new Promise(resolve => (release = () => resolve(undefined)));
	await page.route('**/api/v1/positions/**', async route => {
		await released;
		await route.continue();
	});
	await page.locator('main').focus();
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.press('ArrowLeft');
	release();
	await shows(page, []);
	assert.deepEqual(await tree(page), ['1*Start', '153e0', '1a8e0']);
	harness.check();
});
