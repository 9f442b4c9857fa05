/** Pages that come back: after lost connections, other windows' moves, refusals, and other views. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Harness, gamePath, showsPly } from '../harness.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Game } from '../../../page/js/types.js' */

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

const STALE = 'is stale: the game is at ply';

/** Plays a move of a game through the service. @param {Game} game @param {number} share @returns {Promise<Game>} */
const play = (game, share) => {
	const { codes } = game.state.legal;
	const code = codes[Math.floor(codes.length * share)];
	return harness.api(`games/${game.id}/moves`, { ply: game.ply, code });
};

/**
 * Replaces both moves of a game while the page gets no answer.
 * @param {Page} page
 * @param {Game} game
 * @returns {Promise<Game>} the game after it
 */
async function replaceMoves(page, game) {
	/** @type {() => void} */
	let release = () => {};
	const released = new Promise(resolve => (release = () => resolve(undefined)));
	await page.route(new RegExp(`/api/v1/games/${game.id}$`), async route => {
		await released;
		await route.continue();
	});
	for (const ply of [2, 1]) game = await harness.api(`games/${game.id}/undo`, { ply });
	game = await play(await play(game, 0.3), 0.4);
	release();
	return game;
}

for (const view of ['game', 'line']) {
	test(`moves that were replaced meanwhile are shown in the view ${view}`, async () => {
		const page = await harness.page();
		let game = await play(await play(await harness.create('duo', ['p', 'p']), 0.8), 0.9);
		await page.goto(gamePath(game).replace('/game', `/${view}`));
		const list = page.locator(view === 'game' ? '.moves li' : '.replies li');
		await list.nth(1).waitFor();
		// Both states are known to the page.
		await page.keyboard.press('ArrowLeft');
		await page.waitForFunction(() => location.pathname.endsWith('/1'));
		await page.keyboard.press('End');
		game = await replaceMoves(page, game);
		await list.nth(0).getByText(game.moves[0].code).waitFor();
		await list.nth(1).getByText(game.moves[1].code).waitFor();
		await page.keyboard.press('ArrowLeft');
		await page.waitForFunction(() => location.pathname.endsWith('/1'));
		// A page that is opened now is the oracle.
		const fresh = await harness.page();
		await fresh.goto(page.url());
		const tiles = '.board .tiles';
		await fresh.locator(`${tiles} path`).first().waitFor();
		const wanted = await fresh.locator(tiles).innerHTML();
		await page.waitForFunction(
			([where, html]) => document.querySelector(where)?.innerHTML === html,
			[tiles, wanted]
		);
		harness.check();
	});
}

test('the line follows a snapshot of the journal of its game', async () => {
	const game = await harness.create('duo', ['p', 'p']);
	// The tab that holds the lock sends the messages; this one reads no stream.
	const leader = await harness.page();
	await leader.goto('/icon.svg');
	await leader.evaluate(
		() =>
			new Promise(resolve => {
				void navigator.locks.request('duoforge-stream', () => {
					resolve(undefined);
					return new Promise(() => {});
				});
			})
	);
	const page = await leader.context().newPage();
	await page.goto(gamePath(game).replace('/game', '/line'));
	await page.getByText('in progress, ply 0').waitFor();
	await harness.step(game);
	await leader.evaluate(id => {
		const message = { event: 'journal', data: { event: { id }, running: [] } };
		new BroadcastChannel('duoforge-stream').postMessage({ message });
	}, game.journal);
	await page.getByText('in progress, ply 1').waitFor();
	harness.check();
});

test('the refusal of a move that another window has overtaken stays', async () => {
	const page = await harness.page();
	const game = await harness.create('duo', ['p', 'p']);
	await page.goto(gamePath(game));
	await showsPly(page, 0);
	await page.route(`**/api/v1/games/${game.id}/moves`, async route => {
		await harness.step(game);
		await route.continue();
	});
	await page.keyboard.press(']');
	await page.keyboard.press('Enter');
	await page.getByRole('alert').getByText(STALE).waitFor();
	await showsPly(page, 1);
	// The page shows a later ply once it has got the game again after the refusal.
	await harness.step(await harness.game(game.id));
	await showsPly(page, 2);
	assert.match(await page.getByRole('alert').innerText(), new RegExp(STALE));
	await page.unrouteAll({ behavior: 'wait' });
	await page.keyboard.press(']');
	await page.keyboard.press('Enter');
	await showsPly(page, 3);
	await page.getByText(STALE).waitFor({ state: 'hidden' });
	harness.check();
});

test('a rematch and a part of the list that are refused leave the reason', async () => {
	const page = await harness.page();
	const game = await harness.create('duo', ['p', 'p']);
	await harness.api(`games/${game.id}/resign`, { ply: 0, seat: 0 });
	const refusal = { status: 409, contentType: 'application/problem+json', body: '{"detail":"not now"}' };
	await page.goto(gamePath(game));
	await page.evaluate(id => {
		sessionStorage.setItem(`seats-${id}`, JSON.stringify({ variant: 'duo', seats: [] }));
	}, game.id);
	await page.route('**/api/v1/games', route => route.fulfill(refusal));
	await page.getByRole('button', { name: 'Rematch' }).click();
	await page.getByRole('alert').getByText('not now').waitFor();
	await page.route('**/api/v1/games?*', route =>
		route.request().url().includes('offset=0')
			? route.fulfill({ json: { version: 1, total: 100, games: [] } })
			: route.fulfill(refusal)
	);
	await page.goto('/games');
	await page.getByRole('button', { name: 'Older' }).click();
	await page.getByRole('alert').getByText('not now').waitFor();
	assert.equal(await page.getByRole('button', { name: 'Newer' }).isDisabled(), true);
	harness.check();
});

test('a list of games names casual games by their ids and players', async () => {
	const page = await harness.page();
	const game = await harness.create('duo', ['p', 'p']);
	await page.goto('/games');
	const name = `${game.id}: Person 1 against Person 2`;
	const link = page.getByRole('link', { name, exact: true });
	assert.equal(await link.innerText(), game.id);
	harness.check();
});

test('an address that is malformed is explained', async () => {
	const page = await harness.page();
	await page.goto('/%');
	await page.getByRole('alert').getByText('there is no page /%').waitFor();
	harness.check();
});

test('the players are those that the service has now', async () => {
	const page = await harness.page();
	let asked = 0;
	await page.route('**/api/v1/players', async route => {
		asked += 1;
		await route.continue();
	});
	await page.goto('/play');
	await page.getByRole('button', { name: 'Begin' }).waitFor();
	await page.locator('nav a[href="/games"]').click();
	await page.getByRole('heading', { name: 'Games' }).waitFor();
	await page.locator('nav a[href="/play"]').click();
	await page.getByRole('button', { name: 'Begin' }).waitFor();
	assert.equal(asked, 2);
	harness.check();
});

test('a game that has ended leaves the wall for good', async () => {
	const page = await harness.page();
	await page.clock.install();
	const game = await harness.create('duo', ['p', 'p']);
	const other = await harness.create('duo', ['p', 'p']);
	const tileOf = (/** @type {Game} */ it) => page.locator(`.wall-game[href="${gamePath(it)}"]`);
	const tile = tileOf(game);
	await page.goto('/wall');
	await tile.waitFor();
	await harness.api(`games/${game.id}/resign`, { ply: 0, seat: 0 });
	await tile.getByText('resigned').waitFor();
	await page.clock.fastForward('01:10');
	await tile.waitFor({ state: 'detached' });
	await page.locator('nav a[href="/games"]').click();
	await page.getByRole('heading', { name: 'Games' }).waitFor();
	const running = page.waitForResponse(/games\?running=true/);
	await page.locator('nav a[href="/wall"]').click();
	await running;
	await page.getByRole('heading', { name: 'Running games' }).waitFor();
	await tileOf(other).waitFor();
	assert.equal(await tile.count(), 0);
	harness.check();
});

test('a connection that is silent for 40 s is replaced', async () => {
	const page = await harness.page();
	await page.clock.install();
	await page.addInitScript(() => {
		const real = window.fetch;
		let streams = 0;
		window.fetch = async (input, init) => {
			if (input !== '/api/v1/stream' || (streams += 1) > 1) return real(input, init);
			const body = new ReadableStream({
				start: controller =>
					init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason)),
			});
			return new Response(body);
		};
	});
	await page.goto('/wall');
	await page.locator('#connection[data-state="open"]').waitFor({ state: 'attached' });
	// The clock runs on, so the loss may be over before the next look at the page.
	const seen = await page.evaluateHandle(() => {
		const state = /** @type {HTMLElement} */ (document.getElementById('connection'));
		/** @type {string[]} */
		const texts = [];
		const note = () => texts.push(`${state.dataset.state}: ${state.textContent}`);
		new MutationObserver(note).observe(state, { attributes: true, childList: true });
		return texts;
	});
	const again = page.waitForRequest('**/api/v1/stream');
	await page.clock.fastForward('00:45');
	await again;
	await page.locator('#connection[data-state="open"]').waitFor({ state: 'attached' });
	const texts = await seen.jsonValue();
	assert.deepEqual(texts, ['lost: connection lost; trying again', 'open: ']);
	harness.check();
});

test('a page without a token, or with an unknown one, explains the refusal', async () => {
	const tokens = join(harness.journals, 'tokens.toml');
	writeFileSync(tokens, 'watcher-0123456789 = "watch"\n');
	const guarded = await Harness.start(['--tokens', tokens]);
	try {
		const page = await guarded.page();
		for (const path of ['/', '/?token=watcher-0000000000']) {
			await page.goto(path);
			await page.getByRole('alert').getByText('the token is missing or unknown').waitFor();
		}
		await page.goto('/?token=watcher-0123456789');
		await page.getByText('No game is running.').waitFor();
		guarded.check();
	} finally {
		await guarded.close();
	}
});
