/**
 * Board on this computer: opened through WebSerial, its bytes forwarded over a socket to the
 * service. The board stays plugged in while the page shows other views.
 */

import { Problem, get } from './api.js';

/** @import { Check, SerialPort, WireEntry } from './types.js' */

/** Settings of the contest's line. */
const LINE = { baudRate: 115200, dataBits: 8, stopBits: 1, parity: 'none', bufferSize: 4096 };

/** Maximum number of bytes of a frame. */
const FRAME = 4096;

/** Number of entries that are kept: while the monitor draws them, no bytes are forwarded. */
const KEPT = 60;

/** Serial ports of the browser; undefined if it has no WebSerial. */
export const serial = () =>
	/** @type {{requestPort: () => Promise<SerialPort>} | undefined} */ (
		/** @type {any} */ (navigator).serial
	);

/** Board that is plugged in, or was last. @type {SerialBoard | null} */
export let board = null;

/** Asks the visitor for a port and plugs its board in. */
export async function plugIn() {
	const port = await serial()?.requestPort();
	if (!port) return;
	const next = new SerialBoard(port);
	await next.open();
	board = next;
}

/** Bytes as text, with escapes. @param {Uint8Array} bytes */
const escaped = bytes =>
	[...bytes]
		.map(byte => {
			if (byte > 32 && byte < 127) return String.fromCharCode(byte);
			return byte === 32 ? ' ' : `\\x${hex(byte)}`;
		})
		.join('');

/** @param {number} byte */
const hex = byte => byte.toString(16).padStart(2, '0');

/** Board; `change` is called after every change. */
class SerialBoard extends EventTarget {
	/** @param {SerialPort} port */
	constructor(port) {
		super();
		this.port = port;
		this.plugged = false;
		/** Reason of the end. */
		this.reason = '';
		/** Name as a player of games. */
		this.player = '';
		this.team = '';
		/** Job in progress: `identify`, `conform` or none. */
		this.job = '';
		/** Result of the last job. */
		this.result = '';
		/** @type {Check[]} */
		this.checks = [];
		/** Number of checks of the run. */
		this.total = 0;
		/** @type {WireEntry[]} */
		this.entries = [];
		this.writing = Promise.resolve();
	}

	async open() {
		await this.port.open(LINE);
		this.begun = performance.now();
		const digits = crypto.getRandomValues(new Uint8Array(16));
		const path = `serial?device=${[...digits].map(hex).join('')}`;
		this.socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/v1/${path}`);
		this.socket.binaryType = 'arraybuffer';
		try {
			await this.#hello(this.socket);
		} catch {
			await this.port.close();
			// A socket hides why it was refused: the same request without the upgrade returns the reason.
			const answer = await get(path).catch((/** @type {Problem} */ problem) => problem);
			if (answer instanceof Problem && answer.status !== 400) throw answer;
			throw new Problem({ title: 'the service does not open a socket' });
		}
		this.writer = this.port.writable.getWriter();
		this.plugged = true;
		this.reading = this.#read();
	}

	/** Waits for the first message. @param {WebSocket} socket @returns {Promise<void>} */
	#hello(socket) {
		return new Promise((resolve, reject) => {
			socket.onmessage = ({ data }) => {
				this.#take(data);
				if (this.player) resolve();
			};
			socket.onclose = ({ reason }) => {
				reject(new Error(reason));
				void this.close(reason || 'the service has closed the connection');
			};
		});
	}

	#changed() {
		this.dispatchEvent(new Event('change'));
	}

	/** Asks the service for something. @param {string} action */
	ask(action) {
		this.socket?.send(JSON.stringify({ do: action }));
		if (action === 'cancel') return;
		this.job = action;
		this.result = '';
		if (action === 'conform') this.checks = [];
		this.#changed();
	}

	/** Takes a message of the service. @param {ArrayBuffer | string} data */
	#take(data) {
		if (typeof data !== 'string') {
			const bytes = new Uint8Array(data);
			this.writing = this.writing
				.then(() => this.writer?.write(bytes))
				.then(
					() => this.#note('to-board', bytes),
					() => this.close('the board was unplugged')
				);
			return;
		}
		const report = JSON.parse(data);
		if (report.type === 'hello') this.player = report.player;
		else if (report.type === 'meaning') void this.writing.then(() => this.#explain(report));
		else if (report.type === 'begun') this.total = report.checks;
		else if (report.type === 'check') this.checks.push(report);
		else if (report.type === 'ended') {
			if (this.job === report.job) this.job = '';
			this.team = report.team ?? this.team;
			this.result = { done: '', cancelled: 'cancelled' }[String(report.status)] ?? report.reason;
		}
		this.#changed();
	}

	/** @param {{dir: string, meaning: string[]}} report */
	#explain({ dir, meaning }) {
		const entry = this.entries.find(known => known.dir === dir && !known.meaning.length);
		if (entry) entry.meaning = meaning.length > 0 ? meaning : [''];
		this.#changed();
	}

	/** @param {'to-board' | 'from-board'} dir @param {Uint8Array} bytes */
	#note(dir, bytes) {
		const us = Math.round((performance.now() - (this.begun ?? 0)) * 1000);
		const text = escaped(bytes);
		const digits = [...bytes].map(hex).join('');
		this.entries.push({ us, sim_us: null, seat: 0, ply: null, dir, text, hex: digits, meaning: [] });
		this.entries.splice(0, this.entries.length - KEPT);
		this.#changed();
	}

	/** Forwards the bytes of the board until it is unplugged. */
	async #read() {
		// After a framing error the port has another stream; without one it has gone.
		while (this.plugged && this.port.readable) {
			this.reader = this.port.readable.getReader();
			try {
				for (;;) {
					const { value, done } = await this.reader.read();
					if (done || !value) break;
					this.#note('from-board', value);
					for (let i = 0; i < value.length; i += FRAME)
						this.socket?.send(value.slice(i, i + FRAME));
				}
			} catch {
				// The loop checks whether the port is still there.
			}
			this.reader.releaseLock();
		}
		void this.close('the board was unplugged');
	}

	/** Unplugs the board. @param {string} [reason] */
	async close(reason = '') {
		if (!this.plugged) return;
		this.plugged = false;
		this.reason = reason;
		this.job = '';
		this.socket?.close(1000);
		this.#changed();
		// A port whose streams are in use does not close.
		await Promise.allSettled([this.reader?.cancel(), this.writer?.abort(), this.reading]);
		this.writer?.releaseLock();
		await this.port.close().catch(() => {});
	}
}
