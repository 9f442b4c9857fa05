/** Ladder: the ratings of `duoforge ladder`, sorted by keys, and the games of a pair. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Harness, accessible, duoforge } from '../harness.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Rung } from '../../../page/js/event-types.js' */

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

/** Plays a match of two games. @param {string} one @param {string} two */
function match(one, two) {
	const journal = join(harness.journals, `${one}-${two}.journal`.replaceAll(':', ''));
	duoforge(['match', one, two, '--games', '2', '--journal', journal]);
}

/** Rows of the ratings without the interval. @param {Page} page */
const ratings = page =>
	page
		.getByRole('region', { name: 'Ratings' })
		.locator('tbody tr')
		.evaluateAll(lines =>
			lines.map(line => {
				const cells = [...line.children].map(cell => cell.textContent ?? '');
				const player = line.querySelector('th')?.firstChild?.textContent;
				return [cells[0], player, cells[2].replace('−', '-'), ...cells.slice(4, 8)].join();
			})
		);

test('ratings are those of the command, sorted by keys, and follow the games', async () => {
	match('pattern', 'random:1');
	match('sample:1', 'random:1');
	while ((await harness.api('ladder')).games < 4) {
		await new Promise(resolve => setTimeout(resolve, 100));
	}
	const expected = (/** @type {string} */ unit) => {
		const words = ['ladder', harness.journals, '--by', unit, '--format', 'json'];
		/** @type {{rungs: Rung[]}} */
		const { rungs } = JSON.parse(duoforge(words));
		return rungs.map(({ place, name, elo, games, won, drawn, lost }) =>
			[place, name, elo.elo.toFixed(0), games, won, drawn, lost].join()
		);
	};
	const page = await harness.page();
	await page.goto('/wall');
	await page.getByRole('link', { name: 'Ladder' }).click();
	await page.getByRole('heading', { name: 'Ladder' }).waitFor();
	const byRank = expected('version');
	assert.equal(byRank.length, 3);
	assert.deepEqual(await ratings(page), byRank);
	assert.equal(await page.getByRole('img', { name: /^−?\d+ to −?\d+$/ }).count(), 3);
	// Keys alone: the head of a column sorts it, and once more the other way.
	const table = page.getByRole('region', { name: 'Ratings' });
	const head = table.getByRole('columnheader', { name: 'Lost' });
	await head.getByRole('button').focus();
	await page.keyboard.press('Enter');
	assert.equal(await head.getAttribute('aria-sort'), 'descending');
	const lost = (/** @type {string} */ row) => Number(row.split(',').at(-1));
	const sorted = (await ratings(page)).map(lost);
	assert.deepEqual(
		sorted,
		byRank.map(lost).sort((one, two) => two - one)
	);
	await page.keyboard.press('Space');
	assert.equal(await head.getAttribute('aria-sort'), 'ascending');
	assert.deepEqual((await ratings(page)).map(lost), sorted.reverse());
	assert.match((await page.locator('#live').textContent()) ?? '', /Lost, ascending/);
	// A further match appears, and the head keeps the focus.
	match('pattern', 'sample:1');
	const pairs = page.getByRole('region', { name: 'Head to head' }).locator('tbody tr');
	await pairs.nth(2).waitFor({ timeout: 30_000 });
	await page.getByText('6 rated games').waitFor();
	assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Lost');
	await accessible(page, 'ladder');
	await page.getByRole('link', { name: 'By player' }).click();
	await page.waitForURL(/\/ladder\/duo\/player$/);
	await page.getByRole('link', { name: 'By version' }).waitFor();
	assert.deepEqual(await ratings(page), expected('player'));
	harness.check();
});

test('a pair leads to its games', async () => {
	const page = await harness.page();
	await page.goto('/ladder/duo/player');
	await page.getByRole('link', { name: /^(sample:1 – random:1|random:1 – sample:1)$/ }).click();
	await page.waitForURL(/\/games\//);
	const games = page.getByRole('region', { name: 'games' }).locator('tbody tr');
	await games.nth(1).waitFor();
	assert.equal(await games.count(), 2);
	for (const text of await games.allInnerTexts()) {
		assert.match(text, /sample:1/);
		assert.match(text, /random:1/);
	}
	await page.reload();
	await games.nth(1).waitFor();
	assert.equal(await games.count(), 2);
	harness.check();
});
