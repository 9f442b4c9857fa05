/**
 * Service and browser of the page's tests. `DUOFORGE` names the program (default:
 * target/debug/duoforge), `CHROMIUM` the browser (default: chromium on PATH). A missing one is an
 * error, never a reason to skip a test.
 */

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */
/** @import { Game, State } from '../../page/js/types.js' */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
export const DUOFORGE = process.env.DUOFORGE ?? join(ROOT, 'target/debug/duoforge');

/** @param {string[]} names */
function onPath(names) {
	for (const directory of (process.env.PATH ?? '').split(delimiter)) {
		for (const name of names) {
			try {
				accessSync(join(directory, name), constants.X_OK);
				return join(directory, name);
			} catch {
				// Not here: the next directory.
			}
		}
	}
	throw new Error(`none of ${names.join(', ')} is on PATH: install chromium, or set CHROMIUM`);
}

/** Service with an empty directory of journals, and a browser. */
export class Harness {
	/** @type {string[]} */
	faults = [];

	/**
	 * @param {string} address
	 * @param {string} journals directory of the journals
	 * @param {Browser} browser
	 * @param {() => Promise<void>} stop
	 */
	constructor(address, journals, browser, stop) {
		this.journals = journals;
		this.address = address;
		this.browser = browser;
		this.stop = stop;
	}

	/** Starts both. @param {string[]} [words] further arguments of `duoforge serve` */
	static async start(words = []) {
		const journals = mkdtempSync(join(tmpdir(), 'duoforge-page-'));
		const child = spawn(
			DUOFORGE,
			['serve', journals, '--games', join(journals, 'games'), '--listen', '127.0.0.1:0', ...words],
			{ stdio: ['ignore', 'pipe', 'pipe'] }
		);
		const address = await new Promise((resolve, reject) => {
			let text = '';
			const read = (/** @type {Buffer} */ piece) => {
				text += piece;
				const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
				if (found) resolve(found[0]);
			};
			child.stdout.on('data', read);
			child.stderr.on('data', read);
			child.on('error', reject);
			child.on('exit', status => reject(new Error(`serve ended with ${status}: ${text}`)));
		});
		const stop = async () => {
			const ended = new Promise(resolve => child.once('exit', resolve));
			if (child.kill('SIGINT')) await ended;
			rmSync(journals, { recursive: true, force: true });
		};
		const executablePath = process.env.CHROMIUM ?? onPath(['chromium-headless-shell', 'chromium']);
		const args = ['--no-sandbox', '--force-color-profile=srgb'];
		const browser = await chromium.launch({ executablePath, args }).catch(error => {
			void stop();
			throw error;
		});
		return new Harness(address, journals, browser, stop);
	}

	async close() {
		await this.browser.close();
		await this.stop();
	}

	/** Opens a page that notes errors and requests to elsewhere. @param {BrowserContextOptions} [options] */
	async page(options = {}) {
		const context = await this.browser.newContext({
			viewport: { width: 1280, height: 800 },
			baseURL: this.address,
			...options,
		});
		context.on('page', page => this.#watch(page));
		return context.newPage();
	}

	/**
	 * Opens a file from disk with the network off. Any request is a fault.
	 * @param {string} path
	 * @param {BrowserContextOptions} [options]
	 */
	async file(path, options = {}) {
		const context = await this.browser.newContext({
			viewport: { width: 1280, height: 800 },
			...options,
		});
		await context.setOffline(true);
		const address = pathToFileURL(path).href;
		await context.route(
			url => url.href.split('#')[0] !== address,
			route => {
				this.faults.push(route.request().url());
				return route.abort();
			}
		);
		context.on('page', page => this.#watch(page, address));
		const page = await context.newPage();
		await page.goto(address);
		return page;
	}

	/** @param {Page} page @param {string} [own] begin of the addresses that may be requested */
	#watch(page, own = this.address) {
		page.on('pageerror', error => this.faults.push(String(error.stack)));
		page.on('console', message => {
			// A refusal of the service is an answer that the page shows.
			const refused = /status of 4\d\d/.test(message.text());
			if (message.type() === 'error' && !refused) this.faults.push(message.text());
		});
		page.on('request', request => {
			const url = request.url();
			if (!url.startsWith(own) && !/^(data|blob):/.test(url)) this.faults.push(url);
		});
	}

	/** Fails if a page had an error. */
	check() {
		assert.deepEqual(this.faults, []);
	}

	/** @param {string} path @param {unknown} [body] @returns {Promise<any>} */
	async api(path, body) {
		const response = await fetch(`${this.address}/api/v1/${path}`, {
			method: body ? 'POST' : 'GET',
			headers: { 'content-type': 'application/json' },
			...(body ? { body: JSON.stringify(body) } : {}),
		});
		const answer = await response.json();
		assert.ok(response.ok, `${path}: ${JSON.stringify(answer)}`);
		return answer;
	}

	/** @param {string} id @returns {Promise<Game>} */
	game(id) {
		return this.api(`games/${id}`);
	}

	/** Waits until a person is to move or the game has ended. @param {string} id @returns {Promise<Game>} */
	async turn(id) {
		for (;;) {
			const game = await this.game(id);
			const seat = game.to_move && game.seats[game.to_move.seat];
			if (game.status !== 'running' || seat?.kind === 'person') return game;
			await new Promise(resolve => setTimeout(resolve, 40));
		}
	}

	/**
	 * Creates a game. `p` is a person, anything else a program.
	 * @param {string} variant
	 * @param {string[]} seats
	 * @returns {Promise<Game>}
	 */
	create(variant, seats) {
		const entries = seats.map((player, i) =>
			player === 'p'
				? { kind: 'person', name: `Person ${i + 1}` }
				: { kind: 'player', player, ...(player === 'engine' ? { level: 1 } : {}) }
		);
		return this.api('games', { variant, seats: entries });
	}

	/**
	 * Plays the first legal move of a game through the service.
	 * @param {Game} game
	 * @returns {Promise<Game>} the game after it
	 */
	step(game) {
		const code = game.state.legal.codes[0];
		return this.api(`games/${game.id}/moves`, { ply: game.ply, code });
	}

	/** Plays a whole game of persons through the service. @param {string} variant @param {number} seats */
	async played(variant, seats) {
		let game = await this.create(variant, Array(seats).fill('p'));
		while (game.status === 'running') {
			const { codes } = game.state.legal;
			// The largest tiles come last in the order of actions; the pass comes after them.
			const code = codes[Math.floor(codes.length * 0.9)];
			game = await this.api(`games/${game.id}/moves`, { ply: game.ply, code });
		}
		return game;
	}
}

/** Address of a game on the page. @param {{id: string}} game */
export const gamePath = game => `/game/${game.id.replaceAll('.', '~')}`;

/** Ply that the page shows; -1 before it shows a game. @param {Page} page @returns {Promise<number>} */
const shownPly = page =>
	page.evaluate(() => {
		const slider = /** @type {HTMLInputElement | null} */ (
			document.querySelector('[aria-label="ply"]')
		);
		return Number(slider?.value ?? -1);
	});

/**
 * Waits until the page shows a ply. Fails after 30 s with what the page shows instead.
 * @param {Page} page
 * @param {(ply: number) => boolean} isWanted
 * @param {string} wanted name of the ply in the error
 */
async function awaitPly(page, isWanted, wanted) {
	const end = Date.now() + 30_000;
	for (;;) {
		const ply = await shownPly(page);
		if (isWanted(ply)) return;
		if (Date.now() > end) {
			const texts = await page.locator('.status, .summary, [role="alert"]').allInnerTexts();
			assert.fail(`the page shows ply ${ply} instead of ${wanted}: ${JSON.stringify(texts)}`);
		}
		await page.waitForTimeout(20);
	}
}

/** Waits until the page shows a ply of a game. @param {Page} page @param {number} ply */
export const showsPly = (page, ply) => awaitPly(page, shown => shown === ply, String(ply));

/** Waits until the page shows a later ply of a game. @param {Page} page @param {number} ply */
export const showsAfter = (page, ply) =>
	awaitPly(page, shown => shown > ply, `one after ${ply}`);

/** Rows of the board as the grid names them. @param {Page} page @returns {Promise<string[]>} */
export const rows = page =>
	page.evaluate(() => {
		/** @type {Record<string, string>} */
		const marks = { empty: '.', orange: '1', violet: '2', teal: '3', rose: '4' };
		return [...document.querySelectorAll('[role="grid"] [role="row"]')].map(row =>
			[...row.children]
				.map(cell => marks[cell.getAttribute('aria-label')?.split(', ')[1] ?? ''])
				.join('')
		);
	});

/** Names columns and rows 1 to 20. */
export const NAMES = '123456789abcdefghijk';

/** Middle of a cell on the screen. @param {Page} page @param {number} x @param {number} y */
export async function middle(page, x, y) {
	const box = await page.locator('[role="grid"]').boundingBox();
	const size = await page.locator('[role="grid"] [role="row"]').count();
	assert.ok(box);
	return { x: box.x + ((x + 0.5) * box.width) / size, y: box.y + ((y + 0.5) * box.height) / size };
}

/** Code of the imprint. @param {Page} page */
export const imprint = async page => (await page.locator('.status').innerText()).slice(0, 4);

/**
 * Fails for any violation that axe finds. The rules run in the page, which has no frames, and what is
 * not a violation stays there: it would be half of the time.
 * @param {Page} page
 * @param {string} name
 */
export async function accessible(page, name) {
	const { violations } = await new AxeBuilder({ page })
		.options({ resultTypes: ['violations'] })
		.setLegacyMode()
		.analyze();
	const found = violations.map(
		({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(n => n.html).slice(0, 3)}`
	);
	assert.deepEqual(found, [], name);
}

/** Runs a command of duoforge and returns its output. @param {string[]} words */
export const duoforge = words => execFileSync(DUOFORGE, words, { encoding: 'utf8' });

/** Runs a command of duoforge and returns its exit status. @param {string[]} words @param {string} [input] */
export const status = (words, input = '') =>
	spawnSync(DUOFORGE, words, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status;

/** Picks a large legal placement; null if only a pass is legal. @param {State} state @param {number} [share] */
export function pick(state, share = 0.9) {
	const codes = state.legal.codes.filter(code => code !== '0000');
	return codes[Math.floor(codes.length * share)] ?? null;
}
