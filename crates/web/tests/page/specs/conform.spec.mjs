/** Devices: identification and conformance checks by keys, on programs of the contest's protocol. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DUOFORGE, Harness, accessible } from '../harness.mjs';

/** Device that passes on its first turn, which is illegal. */
const PASSES = `while :; do c=$(head -c 1); case "$c" in
0) printf 1XX;; 5|A) printf 0000;; "") exit;; esac; done`;

/** Starts a device at a TCP address, of which only one exists. @returns {Promise<string>} */
function atTcp() {
	const child = spawn(DUOFORGE, ['device', '--twin', '--tcp', '127.0.0.1:0'], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	devices.push(child);
	return new Promise((resolve, reject) => {
		let text = '';
		child.stdout.on('data', piece => {
			text += piece;
			const found = /127\.0\.0\.1:\d+/.exec(text);
			if (found) resolve(found[0]);
		});
		child.on('exit', status => reject(new Error(`the device ended with ${status}: ${text}`)));
	});
}

/** @type {import('node:child_process').ChildProcess[]} */
const devices = [];
/** @type {Harness} */
let harness;
/** @type {string} */
let directory;
before(async () => {
	directory = mkdtempSync(join(tmpdir(), 'duoforge-conform-'));
	const script = join(directory, 'passes.sh');
	writeFileSync(script, PASSES);
	const profiles = join(directory, 'profiles.toml');
	const single = `tcp:${await atTcp()}`;
	const specs = { passes: `exec:sh ${script}`, model: 'twin', quick: 'engine:level=1', single };
	const tables = Object.entries(specs).map(([name, spec]) => `[${name}]\ndevice = "${spec}"\n`);
	writeFileSync(profiles, tables.join(''));
	harness = await Harness.start(['--profiles', profiles]);
});
after(async () => {
	await harness?.close();
	for (const device of devices) device.kill();
	if (directory) rmSync(directory, { recursive: true, force: true });
});

/** Report of the command, whose status is 1 if a check failed. @param {string} device */
const reported = device =>
	JSON.parse(
		spawnSync(DUOFORGE, ['conform', device, '--only', '1-7', '--json'], { encoding: 'utf8' }).stdout
	);

test('a device is identified by keys alone', async () => {
	const page = await harness.page();
	await page.goto('/wall');
	await page.getByRole('link', { name: 'Devices' }).focus();
	await page.keyboard.press('Enter');
	const device = page.getByRole('region', { name: 'model', exact: true });
	await device.getByRole('button', { name: 'Identify' }).focus();
	await page.keyboard.press('Enter');
	await device.getByRole('status').getByText('team TW, build 00000000').waitFor();
	const bytes = await device.getByRole('region', { name: 'bytes' }).innerText();
	assert.match(bytes, /→ to model\t0 30\t/);
	assert.match(bytes, /← from model\t1TW/);
	// A program that is asked for moves directly is named, without an examination.
	const program = page.getByRole('region', { name: 'quick', exact: true });
	await program.getByText('program, asked for moves directly').waitFor();
	assert.equal(await program.getByRole('button').count(), 0);
	harness.check();
});

test('checks come with their results and explanations, and stay', async () => {
	const page = await harness.page();
	await page.goto('/devices');
	const device = page.getByRole('region', { name: 'passes', exact: true });
	await device.getByRole('button', { name: 'Conform' }).focus();
	await page.keyboard.press('Enter');
	const rows = device.getByRole('region', { name: 'checks of passes' }).locator('tbody tr');
	await rows.nth(6).getByText('blocked').waitFor({ timeout: 60_000 });
	// Advisory checks would wait for seconds: the run is cancelled by its button.
	await device.getByRole('button', { name: 'Cancel' }).focus();
	await page.keyboard.press('Space');
	await device.getByRole('status').getByText(/^cancelled, .*1 failed, /).waitFor();
	assert.equal(await device.getByRole('button', { name: 'Cancel' }).count(), 0);
	const shown = await rows.evaluateAll(lines =>
		lines.map(line => [...line.children].map(cell => cell.textContent ?? ''))
	);
	// The command reports the same of the same device.
	const { steps } = reported(`exec:sh ${join(directory, 'passes.sh')}`);
	/** @type {Record<string, string>} */
	const words = { passed: 'ok', 'not-reached': 'not reached', 'not-run': 'not run' };
	assert.deepEqual(
		shown.slice(0, 7).map(([check, , result]) => `${check}: ${result}`),
		steps.map(
			(/** @type {any} */ { number, name, verdict }) =>
				`${number} ${name}: ${words[verdict] ?? verdict}`
		)
	);
	assert.match(shown[4][3], /a colour may not pass on its first turn/);
	assert.match(shown[4][3], /device < 0000/);
	assert.match(shown[6][3], /^as in check 5/);
	await device.getByRole('region', { name: 'bytes' }).waitFor();
	await accessible(page, 'devices after a run');
	const narrow = await harness.page({ viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
	await narrow.goto('/devices');
	await narrow.getByText(/^cancelled, /).waitFor();
	await accessible(narrow, 'devices, narrow');
	const sideways = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	assert.ok(sideways <= 0, `scrolls sideways by ${sideways} pixels`);
	harness.check();
});

test('a lost answer does not end the view of a run; a refusal does', async () => {
	const page = await harness.page();
	let asked = 0;
	await page.route('**/api/v1/conformances/*', route => {
		asked += 1;
		const half = { contentType: 'application/json', body: '{"id": "' };
		return asked === 1 ? route.fulfill(half) : route.continue();
	});
	await page.goto('/devices');
	const device = page.getByRole('region', { name: 'passes', exact: true });
	await device.getByRole('button', { name: 'Conform' }).click();
	const rows = device.getByRole('region', { name: 'checks of passes' }).locator('tbody tr');
	await rows.nth(6).getByText('blocked').waitFor({ timeout: 60_000 });
	assert.ok(asked > 1);
	// The service was restarted: the view of another browser names the refusal, too.
	const other = await harness.page();
	const body = '{"detail":"no run of checks has this id"}';
	const gone = { status: 404, contentType: 'application/problem+json', body };
	await other.route('**/api/v1/conformances/*', route => route.fulfill(gone));
	await other.goto('/devices');
	await other.getByRole('status').getByText('no run of checks has this id').waitFor();
	await device.getByRole('button', { name: 'Cancel' }).click();
	await device.getByRole('status').getByText(/^cancelled, /).waitFor();
	harness.check();
});

test('a device in a game is not examined', async () => {
	const page = await harness.page();
	const game = await harness.create('duo', ['p', 'single']);
	await page.goto('/devices');
	const device = page.getByRole('region', { name: 'single', exact: true });
	await device.getByText('in use', { exact: true }).waitFor();
	await device.getByRole('button', { name: 'Identify' }).click();
	await device.getByRole('status').getByText(/single is in use/).waitFor();
	await harness.api(`games/${game.id}/resign`, { ply: 0, seat: 0 });
	await device.getByText('in use', { exact: true }).waitFor({ state: 'hidden' });
	harness.check();
});
