/** Names of players and events that are long, or read from right to left. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Harness, duoforge, gamePath } from '../harness.mjs';

/** @import { Page } from 'playwright-core' */

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

/** Plays a tournament of two players. @param {string} file @param {string} event @param {string[]} names */
async function tournament(file, event, names) {
	const players = names.map(name => `[[player]]\nname = "${name}"\nspec = "random:1"\n`).join('');
	const path = join(harness.journals, `${file}.toml`);
	writeFileSync(path, `event = "${event}"\nformat = "round-robin"\npairs = 1\n${players}`);
	duoforge(['tournament', path, '--quiet']);
	for (;;) {
		const { events } = await harness.api('events');
		const found = events.find((/** @type {any} */ it) => it.name === event && it.finished);
		if (found) return found.id;
		await new Promise(resolve => setTimeout(resolve, 100));
	}
}

test('names of 80 characters without a break fit on 320 pixels', async () => {
	const long = (/** @type {string} */ letter) => letter.repeat(80);
	const id = await tournament('long', long('E'), [long('A'), long('B')]);
	const [game] = (await harness.api(`games?journal=${id}`)).games;
	const page = await harness.page({ viewport: { width: 320, height: 640 } });
	for (const path of [
		'/events',
		`/events/${id}`,
		'/games',
		`/games/${long('A')}/${long('B')}/duo`,
		gamePath(game),
		gamePath(game).replace('game', 'line'),
		gamePath(game).replace('game', 'twin'),
		'/ladder',
		'/wall',
	]) {
		await page.goto(path);
		await page.locator('main > *').first().waitFor();
		const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		assert.ok(sideways <= 0, `${path} scrolls sideways by ${sideways} pixels`);
	}
	harness.check();
});

/** Left edges of texts below an element. @param {Page} page @param {string} where @param {string[]} texts */
const edges = (page, where, texts) =>
	page
		.locator(where)
		.first()
		.evaluate(
			(element, wanted) =>
				wanted.map(text => {
					const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
					while (walker.nextNode()) {
						const node = /** @type {Text} */ (walker.currentNode);
						const at = node.data.indexOf(text);
						if (at < 0) continue;
						const range = document.createRange();
						range.setStart(node, at);
						range.setEnd(node, at + text.length);
						return range.getBoundingClientRect().left;
					}
					throw new Error(`${text} is not shown`);
				}),
			texts
		);

test('names that read from right to left keep the order of their neighbours', async () => {
	const [one, two] = ['אבג', 'דהו'];
	const id = await tournament('rtl', 'cup', [one, two]);
	const page = await harness.page();
	for (const [path, where] of [
		[`/events/${id}`, '[aria-label="games"] tbody td:nth-child(3)'],
		[`/games/${one}/${two}/duo`, 'h1'],
		['/ladder', '[aria-label="head to head"] tbody th:has-text("אבג")'],
	]) {
		await page.goto(path);
		await page.locator(where).first().waitFor();
		const text = await page.locator(where).first().innerText();
		const order = [one, two].sort((a, b) => text.indexOf(a) - text.indexOf(b));
		const [left, right] = await edges(page, where, order);
		assert.ok(left < right, `${path}: ${left}, ${right}`);
	}
	harness.check();
});

test('the colours of a position are apart, and the one to move is marked', async () => {
	const page = await harness.page({ viewport: { width: 1400, height: 800 } });
	await page.goto('/analyse/duo/53e0');
	const rows = page.locator('.colour-rows > *');
	await rows.nth(1).waitFor();
	assert.equal(await rows.count(), 2);
	const boxes = await rows.nth(0).evaluate(row => {
		const range = document.createRange();
		return [...row.childNodes].map(node => {
			range.selectNode(node);
			const { left, right } = range.getBoundingClientRect();
			return { left, right };
		});
	});
	assert.ok(boxes.length >= 3);
	for (let i = 1; i < boxes.length; i += 1)
		assert.ok(boxes[i].left - boxes[i - 1].right >= 4, JSON.stringify(boxes));
	const borders = await rows.evaluateAll(all => all.map(row => getComputedStyle(row).borderBottomColor));
	assert.notEqual(borders[0], borders[1]);
	harness.check();
});
