/** Bytes of the line, and the second of a reply as a bar. */

import { fill, h, s, setText, table } from './dom.js';
import { duration } from './panels.js';

/** @import { GameMove, WireEntry } from './types.js' */

/** The contest's limit of a reply in microseconds. */
const SECOND = 1_000_000;

/** Length of the bar in units. */
const LENGTH = 1000;

/** Time of a reply that the limit applies to: simulated if it is known. @param {GameMove} move */
export const judged = move => move.sim_us ?? move.us ?? 0;

/** True if a device made a move: persons have no host latency. @param {GameMove} move */
export const isReply = move => (move.host_us ?? null) !== null || (move.sim_us ?? null) !== null;

/**
 * Bar of a reply in the second that it has; the part that the host may have caused is at its end.
 * @param {GameMove} move
 */
export function secondBar(move) {
	const us = judged(move);
	const host = (move.sim_us ?? null) === null ? Math.min(move.host_us ?? 0, us) : 0;
	const scale = LENGTH / Math.max(SECOND, us);
	const x = (/** @type {number} */ time) => Math.round(time * scale);
	const rect = (/** @type {string} */ kind, /** @type {number} */ from, /** @type {number} */ to) =>
		s('rect', { class: kind, x: from, y: 0, width: Math.max(0, to - from), height: 10 });
	const end = Math.max(6, x(us));
	return s(
		'svg',
		{
			class: `second${us > SECOND ? ' late' : ''}`,
			viewBox: `0 0 ${LENGTH} 10`,
			preserveAspectRatio: 'none',
			role: 'img',
			'aria-label': `${duration(us)} of one second`,
		},
		rect('track', 0, LENGTH),
		rect('reply', 0, end),
		host > 0 ? rect('host', Math.min(end - 3, x(us - host)), end) : null,
		us > SECOND ? s('path', { class: 'limit', d: `M${x(SECOND)} 0V10` }) : null
	);
}

/** Seconds with microseconds. @param {number} us */
export const seconds = us => (us / 1e6).toFixed(6);

/** Time of an entry: simulated if it is known. @param {WireEntry} entry */
const timeOf = entry => entry.sim_us ?? entry.us;

/**
 * Row of an entry.
 * @param {WireEntry} entry
 * @param {WireEntry[]} before entries before it
 * @param {string[]} names names of the seats
 */
function byteRow(entry, before, names) {
	const same = before.findLast(({ seat, dir }) => seat === entry.seat && dir);
	const clock = (entry.sim_us ?? null) === null ? '' : ' simulated';
	const name = names[entry.seat ?? -1] ?? '';
	return h(
		'tr',
		{ class: entry.dir ?? 'note' },
		h('td', 'number', `${seconds(timeOf(entry))} s${clock}`),
		h(
			'td',
			'number',
			same && entry.dir ? duration(Math.max(0, timeOf(entry) - timeOf(same))) : ''
		),
		h('td', {}, entry.dir ? `${entry.dir === 'to-board' ? '→ to' : '← from'} ${name}` : 'remark'),
		h(
			'td',
			{},
			entry.hex === null
				? entry.text
				: [h('code', {}, entry.text), ' ', h('small', {}, pairs(entry.hex))]
		),
		h('td', 'meaning', entry.meaning.join('; '))
	);
}

/**
 * Table of bytes; the times count from the first entry.
 * @param {WireEntry[]} entries
 * @param {string[]} names names of the seats
 */
export function bytesTable(entries, names) {
	const element = table(
		'bytes',
		['Time', 'After', 'Direction', 'Bytes', 'Meaning'],
		entries.map((entry, i) => byteRow(entry, entries.slice(0, i), names))
	);
	element.classList.add('bytes');
	return element;
}

/**
 * Table of bytes that grows. A drawing adds and removes rows and keeps all others: 200 rows take long
 * enough to draw that bytes would wait for them.
 */
export class GrowingBytes {
	/** @param {string[]} names names of the seats */
	constructor(names) {
		this.names = names;
		this.element = h('div');
		/** Rows of the entries that are shown. @type {Map<WireEntry, HTMLElement>} */
		this.rows = new Map();
		/** Body of the table, once there are bytes. @type {Element | null} */
		this.body = null;
		this.show([]);
	}

	/** Shows entries; those that were shown before may have a meaning since. @param {WireEntry[]} entries */
	show(entries) {
		const kept = new Set(entries);
		for (const [entry, row] of this.rows) {
			if (kept.has(entry)) continue;
			row.remove();
			this.rows.delete(entry);
		}
		if (entries.length === 0) {
			fill(this.element, 'No bytes yet.');
			this.body = null;
			return;
		}
		if (!this.body) {
			fill(this.element, bytesTable(entries.slice(0, 1), this.names));
			this.body = this.element.querySelector('tbody');
			this.body?.replaceChildren();
		}
		entries.forEach((entry, i) => {
			const row = this.rows.get(entry);
			const meaning = row?.lastElementChild;
			if (meaning) setText(meaning, entry.meaning.join('; '));
			else this.#add(entry, entries.slice(0, i));
		});
		const list = this.element.firstElementChild;
		if (list) list.scrollTop = list.scrollHeight;
	}

	/** @param {WireEntry} entry @param {WireEntry[]} before */
	#add(entry, before) {
		const row = byteRow(entry, before, this.names);
		this.rows.set(entry, row);
		this.body?.append(row);
	}
}

/** Hexadecimal digits in pairs. @param {string} hex */
const pairs = hex => hex.replaceAll(/../g, '$& ').trim();
