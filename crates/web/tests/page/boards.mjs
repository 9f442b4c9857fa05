/** Simulated devices at TCP ports, and a stand-in for `navigator.serial` that is wired to one. */

import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { DUOFORGE } from './harness.mjs';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Socket } from 'node:net' */
/** @import { Page } from 'playwright-core' */

/** Simulated devices. @type {ChildProcess[]} */
const devices = [];

/** Ends the simulated devices. */
export const endDevices = () => devices.forEach(child => child.kill());

/** Starts a simulated device; returns its TCP port. @param {string[]} words @returns {Promise<number>} */
export function device(words) {
	const child = spawn(DUOFORGE, ['device', ...words, '--tcp', '127.0.0.1:0'], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	devices.push(child);
	return new Promise((resolve, reject) => {
		let text = '';
		child.stdout?.on('data', piece => {
			text += piece;
			const found = /127\.0\.0\.1:(\d+)/.exec(text);
			if (found) resolve(Number(found[1]));
		});
		child.on('exit', status => reject(new Error(`the device ended with ${status}: ${text}`)));
	});
}

/**
 * Puts a stand-in for `navigator.serial` into a page. Its one port leads to a device; `unplug` ends
 * the connection as a pulled plug does.
 * @param {Page} page
 * @param {number} port
 */
export async function wire(page, port) {
	/** @type {Socket | null} */
	let line = null;
	/** Settings with which the page opened the port. @type {any} */
	const settings = {};
	/** Bytes in the order of their arrival. */
	let forwarding = Promise.resolve();
	const push = (/** @type {number[] | null} */ bytes) => {
		forwarding = forwarding
			.then(() => page.evaluate(data => /** @type {any} */ (globalThis).pushBytes(data), bytes))
			.catch(() => {});
	};
	await page.exposeFunction('openLine', (/** @type {object} */ line_) => {
		Object.assign(settings, line_);
		return new Promise((resolve, reject) => {
			const socket = connect(port, '127.0.0.1', () => resolve(null));
			socket.on('data', bytes => push([...bytes]));
			socket.on('error', reject);
			// A port that the page has closed has no stream any more.
			socket.on('close', () => line === socket && push(null));
			socket.setNoDelay(true);
			line = socket;
		});
	});
	await page.exposeFunction('writeLine', (/** @type {number[]} */ bytes) => {
		if (!line || line.destroyed) throw new Error('The device has been lost.');
		line.write(Buffer.from(bytes));
	});
	await page.exposeFunction('closeLine', () => {
		const socket = line;
		line = null;
		socket?.end();
	});
	await page.addInitScript(() => {
		const world = /** @type {any} */ (globalThis);
		/** @type {ReadableStreamDefaultController<Uint8Array> | null} */
		let source = null;
		const lost = () => new DOMException('The device has been lost.', 'NetworkError');
		world.pushBytes = (/** @type {number[] | null} */ bytes) => {
			if (bytes) source?.enqueue(new Uint8Array(bytes));
			else if (source) {
				const gone = source;
				source = null;
				standIn.readable = null;
				gone.error(lost());
			}
		};
		/** @type {any} */
		const standIn = {
			readable: null,
			writable: null,
			async open(/** @type {object} */ line) {
				if (standIn.writable) throw new DOMException('The port is already open.', 'InvalidStateError');
				await world.openLine(line);
				standIn.readable = new ReadableStream({ start: control => void (source = control) });
				standIn.writable = new WritableStream({
					write: bytes => world.writeLine([...bytes]),
				});
			},
			async close() {
				if (standIn.readable?.locked || standIn.writable?.locked)
					throw new TypeError('Cannot close a locked stream');
				source = null;
				standIn.readable = null;
				standIn.writable = null;
				await world.closeLine();
			},
		};
		Object.defineProperty(navigator, 'serial', {
			configurable: true,
			value: { requestPort: () => Promise.resolve(standIn) },
		});
	});
	return { settings, unplug: () => line?.destroy() };
}
