/** Writes the pictures of docs/images/page: every view, light, dark, and on a phone. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { device, endDevices, wire } from './boards.mjs';
import { Harness, NAMES, duoforge, gamePath, middle, pick, showsPly } from './harness.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Game } from '../../page/js/types.js' */

const DIRECTORY = fileURLToPath(new URL('../../../../docs/images/page/', import.meta.url));
const WIDE = { width: 1200, height: 760 };
const PHONE = { width: 320, height: 640 };

/** The first build of the model in Verilator takes its time. */
const BUILD = 280_000;

/** Views to write; all without arguments. */
const wanted = process.argv.slice(2);

mkdirSync(DIRECTORY, { recursive: true });
for (const name of wanted.length > 0 ? [] : readdirSync(DIRECTORY)) rmSync(join(DIRECTORY, name));
const directory = mkdtempSync(join(tmpdir(), 'duoforge-pictures-'));
const profiles = join(directory, 'profiles.toml');
writeFileSync(profiles, '[left]\ndevice = "twin"\n\n[strong]\ndevice = "engine:level=9"\n');
const harness = await Harness.start(['--profiles', profiles]);

/** Plays a game of a person against a device. @returns {Promise<Game>} */
async function againstDevice() {
	const { id } = await harness.create('duo', ['p', 'left']);
	for (;;) {
		const game = await harness.turn(id);
		if (game.status !== 'running') return game;
		const code = pick(game.state, 0.8) ?? '0000';
		await harness.api(`games/${id}/moves`, { ply: game.ply, code });
	}
}

/** Waits until a resource has a value. @param {string} path @param {(answer: any) => boolean} is */
async function until(path, is) {
	while (!is(await harness.api(path))) await new Promise(resolve => setTimeout(resolve, 200));
}

try {
	for (const [one, two] of [
		['pattern', 'sample:2'],
		['sample:2', 'sample:1'],
		['sample:1', 'random:1'],
		['pattern', 'sample:1'],
		['sample:2', 'random:1'],
	]) {
		const journal = join(harness.journals, `${one}-${two}.journal`.replaceAll(':', ''));
		duoforge(['match', one, two, '--games', '6', '--journal', journal]);
	}
	const duo = await harness.played('duo', 2);
	const classic = await harness.played('classic', 4);
	const lost = await againstDevice();
	const cup = await harness.api('events', {
		name: 'Autumn cup',
		pairs: 1,
		opening: 2,
		seed: 7,
		players: ['pattern', 'sample:2', 'sample:1', 'greedy'].map(player => ({ player })),
	});
	await until(`events/${cup.id}`, event => event.run.status === 'finished');
	const running = [];
	for (const [variant, seats, plies] of /** @type {[string, number, number][]} */ ([
		['classic', 4, 24],
		['duo', 2, 9],
		['duo-corner', 2, 12],
		['classic-2', 2, 30],
		['duo', 2, 16],
		['classic-3', 3, 18],
	])) {
		let game = await harness.create(variant, Array(seats).fill('p'));
		for (let i = 0; i < plies && game.status === 'running'; i += 1) {
			const { codes } = game.state.legal;
			const code = codes[Math.floor((codes.length * (60 + ((i * 7) % 35))) / 100)];
			game = await harness.api(`games/${game.id}/moves`, { ply: game.ply, code });
		}
		running.push(game);
	}
	const checks = { only: ['1', '2', '3', '4', '5', '6', '7', '8'] };
	const run = await harness.api('players/left/conform', checks);
	await until(`conformances/${run.id}`, answer => answer.status === 'done');
	const board = await device(['--twin', '--team', 'QX']);

	const play = running[1];
	const hold = async (/** @type {Page} */ page) => {
		const code = play.state.legal.codes.findLast(text => text !== '0000') ?? '';
		await page.keyboard.press(code[2]);
		await page.keyboard.press(']');
		const { x, y } = await middle(page, NAMES.indexOf(code[0]), NAMES.indexOf(code[1]));
		await page.mouse.move(x, y);
	};
	/** Goes to a decision of a game, tries another move, and analyses it. @param {Page} page */
	const analyse = async page => {
		const codes = lost.moves.slice(0, 9).map(({ code }) => code);
		const position = page.getByRole('textbox', { name: 'Position' });
		const set = async (/** @type {string[]} */ moves) => {
			await position.fill(moves.join(' '));
			await page.getByRole('button', { name: 'Set' }).click();
			await page.waitForURL(url => url.pathname.endsWith(moves.join()));
		};
		await set(codes);
		const { legal } = await harness.api(`positions/duo/${codes.slice(0, 6).join()}`);
		const rest = legal.codes.filter((/** @type {string} */ code) => !['0000', codes[6]].includes(code));
		const other = rest.at(-1);
		await set([...codes.slice(0, 6), other]);
		await page.getByLabel('Comment').fill('keeps the way to the corner open');
		await page.getByRole('button', { name: 'Analyse', exact: true }).click();
		const summary = page.locator('.summary');
		await summary.getByText(/^10,\d\d\d simulations in/).waitFor({ timeout: 60_000 });
	};
	const identify = async (/** @type {Page} */ page) => {
		await page.getByRole('button', { name: 'Identify' }).first().click();
		await page.getByText(/^team .., build/).waitFor();
	};
	const compare = async (/** @type {Page} */ page) => {
		await page.getByRole('button', { name: 'Compare' }).click();
		await page.getByText('Simulating').waitFor();
		await page.getByRole('button', { name: 'Compare' }).waitFor({ timeout: BUILD });
	};
	const plug = async (/** @type {Page} */ page) => {
		await page.getByRole('button', { name: 'Plug in' }).click();
		await page.getByText('plugged in', { exact: true }).waitFor();
		await page.getByRole('button', { name: 'Identify' }).click();
		await page.getByText('plugged in; team QX', { exact: true }).waitFor();
	};
	const form = async (/** @type {Page} */ page) => {
		await page.getByText('New tournament').click();
		for (const name of ['Engine', 'Pattern player', 'left'])
			await page.getByLabel(name, { exact: true }).check();
		await page.evaluate(() => document.querySelector('details')?.scrollIntoView());
	};
	const at = (/** @type {Game} */ game) => (/** @type {Page} */ page) => showsPly(page, game.ply);
	const line = gamePath(lost).replace('game', 'line');
	/** Name, address, an element that shows that the view is there, and what is done then.
	 * @type {[string, string, string, ((page: Page) => Promise<void>)?][]} */
	const views = [
		['wall', '/wall', '.wall-game'],
		['projector', '/wall', '.wall-game', page => page.keyboard.press('p')],
		['replay', gamePath(duo), '.tile', at(duo)],
		['classic', gamePath(classic), '.tile', at(classic)],
		['play', gamePath(play), '.tile', hold],
		['new-game', '/play', '.seat-rows .row'],
		['analyse', '/analyse/duo', 'textarea', analyse],
		['games', '/games', 'tbody tr'],
		['events', '/events', 'summary', form],
		['event', `/events/${cup.id}`, 'tbody tr'],
		['ladder', '/ladder', '[aria-sort]'],
		['line', `${line}/8`, '.replies li'],
		['twin', `${line.replace('line', 'twin')}/7`, '.twin-column', compare],
		['devices', '/devices', 'h2', identify],
		['board', '/serial', 'h1', plug],
		['keys', '/wall', '.wall-game', page => page.keyboard.press('?')],
	];
	for (const [kind, colorScheme, viewport] of /** @type {[string, 'light' | 'dark', typeof WIDE][]} */ ([
		['light', 'light', WIDE],
		['dark', 'dark', WIDE],
		['phone', 'light', PHONE],
	])) {
		for (const [name, path, shown, act] of views) {
			if (wanted.length > 0 && !wanted.includes(name)) continue;
			// The projector is dark and wide.
			if (name === 'projector' && kind !== 'dark') continue;
			const page = await harness.page({ viewport, colorScheme, reducedMotion: 'reduce' });
			const plugged = name === 'board' ? await wire(page, board) : null;
			await page.goto(path);
			await page.locator(shown).first().waitFor();
			await act?.(page);
			await page.waitForTimeout(300);
			// Small files: the letters stay legible.
			await page.screenshot({ path: `${DIRECTORY}${name}-${kind}.webp`, type: 'webp', quality: 70 });
			await page.context().close();
			plugged?.unplug();
		}
	}
	harness.check();
} finally {
	endDevices();
	await harness.close();
	rmSync(directory, { recursive: true, force: true });
}
