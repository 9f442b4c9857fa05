/** Accessibility of every view, light and dark, wide and narrow. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { Harness, accessible, duoforge, gamePath } from '../harness.mjs';

/** @import { Page } from 'playwright-core' */

/** @type {Harness} */
let harness;
/** @type {Record<string, [string, string, ((page: Page) => Promise<void>)?]>} */
const views = {};
before(async () => {
	harness = await Harness.start();
	const journal = join(harness.journals, 'match.journal');
	duoforge(['match', 'pattern', 'random:1', '--games', '2', '--journal', journal]);
	const ended = await harness.played('classic-2', 2);
	const running = await harness.create('duo', ['p', 'p']);
	Object.assign(views, {
		wall: ['/wall', '.wall-game'],
		play: ['/play', '.seat-rows .row'],
		games: ['/games', 'tbody tr'],
		replay: [gamePath(ended), '.tile.last'],
		game: [
			gamePath(running),
			'.rack-tile',
			async (/** @type {Page} */ page) => {
				await page.keyboard.press('f');
				await page.keyboard.press('w');
			},
		],
		analyse: ['/analyse/duo/53e0', '.tile'],
		events: [
			'/events',
			'summary',
			(/** @type {Page} */ page) => page.getByText('New tournament').click(),
		],
		devices: ['/devices', 'h1'],
		ladder: ['/ladder', '[aria-sort]'],
		line: [gamePath(ended).replace('game', 'line'), '.replies li'],
		twin: [gamePath(running).replace('game', 'twin'), '.twin-column'],
		board: ['/serial', 'h1'],
		keys: ['/wall', '.wall-game', (/** @type {Page} */ page) => page.keyboard.press('?')],
		missing: ['/nothing', '[role="alert"]'],
	});
});
after(() => harness?.close());

describe('accessibility', { concurrency: true }, () => {
	for (const [colorScheme, width] of /** @type {['light' | 'dark', number][]} */ ([
		['light', 1280],
		['dark', 320],
	])) {
		test(`no violation, ${colorScheme}, ${width} pixels`, async () => {
			const page = await harness.page({
				viewport: { width, height: 800 },
				colorScheme,
				reducedMotion: 'reduce',
			});
			for (const [name, [path, shown, act]] of Object.entries(views)) {
				await page.goto(path);
				await page.locator(shown).first().waitFor();
				await act?.(page);
				await accessible(page, name);
				const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
				assert.ok(sideways <= 0, `${name} scrolls sideways by ${sideways} pixels`);
			}
			harness.check();
		});
	}
});

test('an image without a text is a violation', async () => {
	const page = await harness.page();
	await page.goto('/wall');
	await page.evaluate(() => document.body.append(document.createElement('img')));
	await assert.rejects(accessible(page, 'wall'), /image-alt/);
	harness.check();
});
