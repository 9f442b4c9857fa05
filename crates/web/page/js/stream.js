/**
 * One event stream for all tabs of a browser. The tab that holds the lock reads the stream and
 * sends each message to the others. When it closes, another tab gets the lock and continues at the
 * position of the last message that it has seen.
 */

import { pause } from './api.js';
import { LiveGames } from './live.js';
import { EventReader } from './sse.js';

/** @import { Message } from './types.js' */

const NAME = 'duoforge-stream';

/** Silence after which a connection is lost, in milliseconds: a comment comes every 15 s. */
const QUIET_MS = 40_000;

/** @type {Set<(message: Message) => void>} */
const listeners = new Set();

/** Events and games that the stream has reported. */
export const live = new LiveGames();

/** State of the connection: `connecting`, `open` or `lost`. */
export let connection = 'connecting';

/** @type {BroadcastChannel | null} */
let channel = null;
let leading = false;

/**
 * Listens to the messages; returns a function that ends it.
 * @param {(message: Message) => void} listener
 * @returns {() => void}
 */
export function listen(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/**
 * True if a game may have changed.
 * @param {Message} message
 * @param {{id: string, journal: string}} game
 */
export const concerns = ({ event, data }, { id, journal }) =>
	event === 'restored' ||
	(event === 'connection' && data === 'open') ||
	(event === 'journal' && data.event.id === journal) ||
	(event === 'record' && data.game === id);

/** @param {Message} message */
function deliver(message) {
	if (message.event === 'connection') connection = message.data;
	else live.apply(message);
	for (const listener of listeners) listener(message);
}

/** @param {Message} message */
function publish(message) {
	channel?.postMessage({ message });
	deliver(message);
}

/** Notifies the listeners that they may have missed messages: they must request again what they show. */
export function missed() {
	for (const listener of listeners) listener({ event: 'restored', data: null });
}

/** @param {MessageEvent} event */
function received({ data }) {
	if (data.message && !leading) deliver(data.message);
	if (data.join && leading) channel?.postMessage({ copy: live.snapshot(), connection });
	if (data.copy && !leading) {
		live.restore(data.copy);
		connection = data.connection;
		missed();
	}
}

/** Opens a connection and reads it to its end, or until it is silent for too long. */
async function readOnce() {
	/** @type {Record<string, string>} */
	const headers = { accept: 'text/event-stream' };
	if (live.id) headers['last-event-id'] = live.id;
	const quiet = new AbortController();
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let timer;
	const hears = () => {
		clearTimeout(timer);
		timer = setTimeout(() => quiet.abort(), QUIET_MS);
	};
	try {
		hears();
		const { signal } = quiet;
		const response = await fetch('/api/v1/stream', { headers, cache: 'no-store', signal });
		return await readAll(response, hears);
	} finally {
		clearTimeout(timer);
	}
}

/**
 * Reads a connection to its end; returns the delay before the next one.
 * @param {Response} response
 * @param {() => void} hears called for each chunk
 */
async function readAll(response, hears) {
	if (!response.ok || !response.body) {
		return 1000 * Number(response.headers.get('retry-after') ?? 5);
	}
	publish({ event: 'connection', data: 'open' });
	const reader = new EventReader();
	const body = response.body.pipeThrough(new TextDecoderStream()).getReader();
	for (;;) {
		const { done, value } = await body.read();
		if (done) return reader.retry;
		hears();
		reader.read(value).forEach(publish);
	}
}

async function lead() {
	leading = true;
	for (;;) {
		const delay = await readOnce().catch(() => 1000);
		publish({ event: 'connection', data: 'lost' });
		await pause(delay);
	}
}

/** Begins to follow the stream. */
export function start() {
	// Locks exist in secure contexts only: on loopback, and with TLS elsewhere.
	if (navigator.locks && 'BroadcastChannel' in globalThis) {
		channel = new BroadcastChannel(NAME);
		channel.addEventListener('message', received);
		channel.postMessage({ join: true });
		void navigator.locks.request(NAME, lead);
	} else void lead();
}
