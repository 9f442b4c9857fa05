/** Start of the page: views by address, keys, theme. */

import { Problem } from './api.js';
import { fill, h, message, say, setCurrent } from './dom.js';
import { belongsToFocus, showKeys } from './keys.js';
import { navigate, readPath } from './route.js';
import { listen, missed, start } from './stream.js';
import { startTheme } from './theme.js';

/**
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {string} title
 * @property {(event: KeyboardEvent) => boolean} [key] handles a key; true if it did
 * @property {(parts: string[]) => boolean} [move] goes to another address of the same view
 * @property {() => void} [leave]
 */

/**
 * @typedef {(path: string) => void} Note notes the address of what a view shows, without another
 *   entry of the history
 */

/** @type {Record<string, () => Promise<{open: (parts: string[], note: Note) => Promise<View>}>>} */
const VIEWS = {
	wall: () => import('./views/wall.js'),
	play: () => import('./views/new.js'),
	game: () => import('./views/game.js'),
	games: () => import('./views/games.js'),
	twin: () => import('./views/twin.js'),
	line: () => import('./views/line.js'),
	serial: () => import('./views/serial.js'),
	analyse: () => import('./views/analyse.js'),
	events: () => import('./views/events.js'),
	devices: () => import('./views/devices.js'),
	ladder: () => import('./views/ladder.js'),
};

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
/** @type {View | null} */
let current = null;
let currentName = '';
/** Note of the view that is shown. @type {Note | null} */
let own = null;
/**
 * Note of the view that the address names: the one that is being opened, or else the one shown.
 * @type {Note | null}
 */
let valid = null;
/** Path of the address. */
let path = '';
/** Number of the messages of the stream. */
let heard = 0;

/**
 * Shows the view of the address.
 * @param {boolean} isNew true for an address that was pushed; for others, the browser scrolls
 */
async function show(isNew) {
	path = location.pathname;
	const { view, parts } = readPath(path);
	for (const link of document.querySelectorAll('nav a'))
		setCurrent(link, link.getAttribute('href') === `/${view}` && 'page');
	// The view that is shown cancels the one that is being opened.
	valid = own;
	if (current && view === currentName && current.move?.(parts)) return;
	/** @type {Note} */
	const note = address => {
		if (note !== valid) return;
		if (location.pathname !== address) history.replaceState(null, '', address);
		path = address;
	};
	valid = note;
	const before = heard;
	/** @type {View} */
	let next;
	try {
		if (!VIEWS[view]) throw new Problem({ title: `there is no page ${path}` });
		next = await (await VIEWS[view]()).open(parts, note);
	} catch (error) {
		next = failure(error);
	}
	if (note !== valid) {
		next.leave?.();
		return;
	}
	current?.leave?.();
	current = next;
	currentName = view;
	own = note;
	document.title = `${next.title} – duoforge`;
	document.body.className = `view-${view}`;
	fill(main, next.element);
	if (isNew) {
		scrollTo(0, 0);
		main.focus({ preventScroll: true });
		say(next.title);
	}
	// The view did not listen while it asked for what it shows.
	if (heard !== before) missed();
}

/** @param {unknown} error @returns {View} */
function failure(error) {
	const help = error instanceof Problem ? error.help : '';
	return {
		title: 'Not shown',
		element: h(
			'section',
			'page notice',
			h('h1', {}, 'This cannot be shown'),
			h('p', { role: 'alert' }, message(error)),
			help ? h('p', {}, help) : null,
			h('p', {}, h('a', { href: '/wall' }, 'All running games'))
		),
	};
}

addEventListener('popstate', ({ isTrusted }) => {
	// A link to a part of the page changes the hash alone.
	if (!isTrusted || location.pathname !== path) void show(!isTrusted);
});
document.addEventListener('click', event => {
	const link = /** @type {Element} */ (event.target).closest?.('a');
	const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
	if (!link || !plain || link.target || link.hasAttribute('download')) return;
	if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
	if (link.hash) return;
	event.preventDefault();
	navigate(link.pathname);
});
document.addEventListener('keydown', event => {
	if (belongsToFocus(event)) return;
	if (event.key === '?') showKeys();
	else if (!current?.key?.(event)) return;
	event.preventDefault();
});
document.getElementById('keys')?.addEventListener('click', () => showKeys());

const state = document.getElementById('connection');
listen(({ event, data }) => {
	heard += 1;
	if (event === 'connection' && state) {
		state.dataset.state = data;
		state.textContent = data === 'lost' ? 'connection lost; trying again' : '';
	}
});

startTheme();
start();
void show(false);
