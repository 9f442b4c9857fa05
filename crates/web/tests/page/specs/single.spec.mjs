/** Replays in single HTML files, opened from disk with the network off. */

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
	Harness,
	accessible,
	duoforge,
	gamePath,
	rows,
	showsPly,
	status,
} from '../harness.mjs';

/** @import { Page } from 'playwright-core' */

/** First of the games that the organisers' program played. @type {string[]} */
const recorded = JSON.parse(
	readFileSync(
		new URL('../../../../../tests/data/random_games.jsonl', import.meta.url),
		'utf8'
	).split('\n')[0]
).moves;

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

/** File in the directory of the test. @param {string} name */
const place = name => join(harness.journals, name);

/** Board after codes, by the service. @param {string[]} codes */
async function board(codes) {
	const after = codes.length > 0 ? `/${codes.join()}` : '';
	return (await harness.api(`positions/duo${after}`)).board;
}

/**
 * Steps through a replay by keys, and compares its boards with those of the codes.
 * @param {Page} page
 * @param {string[]} codes
 */
async function steps(page, codes) {
	const last = codes.length;
	await showsPly(page, last);
	for (const [key, ply] of /** @type {[string, number][]} */ ([
		['End', last],
		['ArrowLeft', last - 1],
		['Home', 0],
		['ArrowRight', 1],
		['Shift+ArrowRight', Math.min(11, last)],
	])) {
		await page.keyboard.press(key);
		await showsPly(page, ply);
		assert.deepEqual(await rows(page), await board(codes.slice(0, ply)), `ply ${ply}`);
	}
}

/**
 * Checks a file for accessibility, and that it fits a narrow screen: light and dark.
 * @param {string} path
 * @param {string} name
 * @param {string} [link] link to open first
 */
async function readable(path, name, link) {
	for (const [colorScheme, width] of /** @type {['light' | 'dark', number][]} */ ([
		['light', 1280],
		['dark', 320],
	])) {
		const page = await harness.file(path, {
			viewport: { width, height: 800 },
			colorScheme,
			reducedMotion: 'reduce',
		});
		if (link) await page.getByRole('link', { name: link, exact: true }).click();
		for (const summary of await page.locator('summary').all()) await summary.click();
		assert.equal(await page.locator('html').getAttribute('data-theme'), colorScheme);
		await accessible(page, `${name}, ${colorScheme}`);
		const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		assert.ok(sideways <= 0, `${name} scrolls sideways by ${sideways} pixels`);
		await page.context().close();
	}
}

test('a game of the service is saved in every form by the links of its page', async () => {
	const ended = await harness.played('classic', 4);
	const page = await harness.page();
	await page.goto(gamePath(ended));
	await showsPly(page, ended.ply);
	/** @type {Record<string, RegExp>} */
	const heads = { blksgf: /^\(\s*;/, html: /^<!doctype html>/, list: /^# classic: /, svg: /^<svg / };
	for (const [form, head] of Object.entries(heads)) {
		const download = page.waitForEvent('download');
		await page.locator('.save').getByRole('link', { name: form, exact: true }).click();
		const file = await download;
		assert.equal(file.suggestedFilename(), `duoforge-${ended.id}.${form}`);
		copyFileSync(await file.path(), place(`saved.${form}`));
		assert.match(readFileSync(place(`saved.${form}`), 'utf8'), head);
	}
	const replay = await harness.file(place('saved.html'));
	await showsPly(replay, ended.ply);
	assert.deepEqual(await rows(replay), ended.state.board);
	for (const [key, ply] of /** @type {[string, number][]} */ ([
		['Home', 0],
		['Shift+ArrowRight', 10],
		['ArrowRight', 11],
	])) {
		await replay.keyboard.press(key);
		await showsPly(replay, ply);
		const { state } = await harness.api(`games/${ended.id}?ply=${ply}`);
		assert.deepEqual(await rows(replay), state.board);
	}
	// The address holds the ply.
	assert.match(replay.url(), /#11$/);
	await replay.reload();
	await showsPly(replay, 11);
	assert.equal(await replay.locator('.curve-line').count(), 4);
	await replay.keyboard.press('?');
	await replay.getByRole('dialog').waitFor();
	assert.equal(await replay.getByText('take the tile of that letter').count(), 0);
	await replay.keyboard.press('Escape');
	await replay.getByRole('button', { name: 'dark theme' }).click();
	assert.equal(await replay.locator('html').getAttribute('data-theme'), 'dark');
	await readable(place('saved.html'), 'game of the service');
	harness.check();
});

test('annotations are shown move by move', async () => {
	const codes = recorded.slice(0, 14);
	writeFileSync(place('game.txt'), `${codes.join(' ')}\n`);
	const words = ['annotate', place('game.txt'), '--sims', '30'];
	const { positions } = JSON.parse(duoforge([...words, '--json', '--html', place('rated.html')]));
	const page = await harness.file(place('rated.html'));
	await steps(page, codes);
	const note = page.locator('.note');
	for (const ply of [3, 8, 13]) {
		await page.locator('.moves button').nth(ply - 1).click();
		await showsPly(page, ply);
		const text = await note.innerText();
		const { chance, better } = positions[ply];
		assert.ok(text.includes(`Move ${ply}`), text);
		assert.ok(text.includes(`${Math.round(100 * chance)} %`), text);
		assert.equal(text.includes('the engine plays'), better !== null, text);
		if (better) assert.ok(text.includes(better), text);
		assert.equal(await page.locator('path.candidate').count(), better ? 1 : 0);
	}
	// The chance of the first player, and the scores of both.
	assert.equal(await page.locator('.curve').count(), 2);
	assert.equal(await page.locator('.curve-line').count(), 3);
	await readable(place('rated.html'), 'annotations');
	harness.check();
});

test('a refused move is shown with the cell at fault', async () => {
	const words = ['annotate', '-', '--sims', '10', '--html', place('refused.html')];
	assert.equal(status(words, '53e0 a8e0 65a0\n'), 1);
	const page = await harness.file(place('refused.html'));
	await showsPly(page, 2);
	assert.match(await page.locator('.note').innerText(), /refused: 65a0, .*touches the edge/);
	assert.match(await page.locator('.summary').innerText(), /player 2 won/);
	assert.equal(await page.locator('.imprint .illegal').count(), 1);
	assert.equal(await page.locator('.fault').count(), 1);
	await page.keyboard.press('ArrowLeft');
	await showsPly(page, 1);
	assert.equal(await page.locator('.imprint .tile').count(), 0);
	await readable(place('refused.html'), 'refused move');
	harness.check();
});

/** Writes a plan. @param {string} name @param {string[]} specs */
function plan(name, specs) {
	const players = specs.map(spec => `[[player]]\nspec = "${spec}"\n`).join('');
	writeFileSync(place(`${name}.toml`), `event = "${name}"\nformat = "round-robin"\n${players}`);
	return place(`${name}.toml`);
}

test('games of a journal are listed, each with its replay and its times', async () => {
	duoforge(['tournament', plan('Spring', ['pattern', 'sample:1', 'random:5']), '--quiet']);
	const journal = place('Spring.journal');
	duoforge(['games', journal, '--html', place('games.html')]);
	const games = duoforge(['games', journal, '--json'])
		.trim()
		.split('\n')
		.map(line => JSON.parse(line));
	const page = await harness.file(place('games.html'));
	assert.equal(await page.title(), 'Spring');
	assert.equal(await page.locator('tbody tr').count(), games.length);
	for (const index of [0, games.length - 1]) {
		const game = games[index];
		await page.getByRole('link', { name: String(game.game), exact: true }).click();
		await steps(page, game.moves);
		const first = await page.locator('.moves small').first().innerText();
		assert.match(first, /^[\d.]+ (µs|ms|s)$/);
		assert.match(await page.locator('.note').innerText(), /host latency/);
		await page.getByRole('link', { name: 'All games' }).click();
		await page.locator('tbody tr').first().waitFor();
	}
	await page.getByRole('link', { name: '1', exact: true }).click();
	await page.getByRole('link', { name: 'Next' }).click();
	await page.waitForFunction(() => /^#2\/\d+$/.test(location.hash));
	await page.goBack();
	await page.waitForFunction(() => /^#1(\/\d+)?$/.test(location.hash));
	await readable(place('games.html'), 'list of games');
	await readable(place('games.html'), 'game of a list', '2');

	// Each lost game left the same kind of file as evidence.
	const lost = games.filter(game => game.evidence);
	assert.ok(lost.length > 0);
	const [{ evidence, moves }] = lost;
	const path = place(join(evidence, 'replay.html'));
	assert.match(readFileSync(place(join(evidence, 'moves.txt')), 'utf8'), /replay\.html/);
	const replay = await harness.file(path);
	await steps(replay, moves);
	await replay.getByText('wire log').click();
	const wire = readFileSync(place(join(evidence, 'wire.log')), 'utf8');
	assert.equal(await replay.locator('pre').textContent(), wire);
	await readable(path, 'evidence');
	assert.ok(lost.every(game => existsSync(place(join(game.evidence, 'replay.html')))));
	harness.check();
});

test('failed games of a campaign are shown up to their mismatch', async () => {
	const { release } = await harness.api('health');
	const settings = { backend: 'verilator', gates: null, player: 'pattern' };
	const header = {
		format: 1,
		shard: '0/1',
		plan: { campaign: 'sim', version: release, seed: 7, items: 2, block: 2, settings },
	};
	const codes = recorded.slice(0, 6);
	const counts = { plies: 4, legal_sets: 7, exchanges: 5, cycles: 90_000, longest_delay: 1_920 };
	const mismatch = {
		ply: 6,
		request: `4${codes[5]}`,
		what: 'the answer',
		twin: '65t2',
		board: '64t2',
	};
	const store = (/** @type {unknown} */ mismatch) => {
		const lines = [
			header,
			{ item: 0, seed: 7, ...counts, moves: codes, mismatch: null },
			{ item: 1, seed: 8, ...counts, moves: codes, mismatch },
		];
		writeFileSync(place('sim.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''));
	};
	store(mismatch);
	const words = ['sim', '--games', '2', '--seed', '7', '--results', place('sim.jsonl')];
	assert.equal(status([...words, '--html', place('sim.html')]), 1);
	const page = await harness.file(place('sim.html'));
	await steps(page, codes);
	await page.keyboard.press('End');
	assert.match(await page.locator('.summary').innerText(), /the answer differs: twin 65t2/);
	await page.getByText('command that replays it').click();
	const command = await page.locator('pre').nth(2).innerText();
	assert.match(command, /^duoforge sim .*--seed 7 --only game-8/);
	await readable(place('sim.html'), 'failed game');

	store(null);
	assert.equal(status([...words, '--html', place('sim.html')]), 0);
	const none = await harness.file(place('sim.html'));
	await none.getByText('0 of 2 games').waitFor();
	await readable(place('sim.html'), 'no failed game');
	harness.check();
});
