/** Writes the pictures of docs/images/page: every view, light and dark, on a screen and a phone. */

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Harness, NAMES, gamePath, middle, showsPly } from './harness.mjs';

/** @import { Page } from 'playwright-core' */

const FOLDER = fileURLToPath(new URL('../../../../docs/images/page/', import.meta.url));
const WIDE = { width: 1200, height: 760 };
const PHONE = { width: 320, height: 640 };

mkdirSync(FOLDER, { recursive: true });
const harness = await Harness.start();
try {
	const duo = await harness.played('duo', 2);
	const classic = await harness.played('classic', 4);
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
	const play = running[1];
	const hold = async (/** @type {Page} */ page) => {
		const code = play.state.legal.codes.findLast(text => text !== '0000') ?? '';
		await page.keyboard.press(code[2]);
		await page.keyboard.press(']');
		const { x, y } = await middle(page, NAMES.indexOf(code[0]), NAMES.indexOf(code[1]));
		await page.mouse.move(x, y);
	};
	const analyse = async (/** @type {Page} */ page) => {
		await page.getByRole('button', { name: 'Analyse', exact: true }).click();
		await page
			.locator('.summary')
			.getByText(/^10,\d\d\d simulations in/)
			.waitFor({ timeout: 60_000 });
	};
	/** @type {[string, string, string, ((page: Page) => Promise<void>)?][]} */
	const views = [
		['wall', '/wall', '.wall-game'],
		['projector', '/wall', '.wall-game', page => page.keyboard.press('p')],
		['replay', gamePath(duo), '.tile', page => showsPly(page, duo.ply)],
		['classic', gamePath(classic), '.tile', page => showsPly(page, classic.ply)],
		['play', gamePath(play), '.tile', hold],
		['new-game', '/play', '.seat-rows .row'],
		['analyse', '/analyse/duo/53e0,a8e0', '.tile', analyse],
		['games', '/games', 'tbody tr'],
		['keys', '/wall', '.wall-game', page => page.keyboard.press('?')],
	];
	for (const [theme, viewport] of /** @type {['light' | 'dark', typeof WIDE][]} */ ([
		['light', WIDE],
		['dark', WIDE],
		['light', PHONE],
	])) {
		const page = await harness.page({
			viewport,
			colorScheme: theme,
			reducedMotion: 'reduce',
			// Small files: documents show the pictures at half their width.
			deviceScaleFactor: 0.5,
		});
		for (const [name, path, shown, act] of views) {
			// One theme is enough where nothing but the colours differs; keys are for keyboards.
			if (theme === 'dark' && ['new-game', 'games', 'keys', 'classic', 'replay'].includes(name))
				continue;
			if (theme === 'light' && name === 'projector') continue;
			if (viewport === PHONE && ['projector', 'keys', 'games', 'classic'].includes(name)) continue;
			await page.goto(path);
			await page.locator(shown).first().waitFor();
			await act?.(page);
			await page.waitForTimeout(300);
			const kind = viewport === PHONE ? 'phone' : theme;
			await page.screenshot({ path: `${FOLDER}${name}-${kind}.png` });
		}
		await page.context().close();
	}
	harness.check();
} finally {
	await harness.close();
}
