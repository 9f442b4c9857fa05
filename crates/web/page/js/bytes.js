/** Bytes of the line, and the second of a reply as a bar. */

import { h, s, table } from './dom.js';
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

/**
 * Table of bytes; the times count from the first entry.
 * @param {WireEntry[]} entries
 * @param {string[]} names names of the seats
 */
export function bytesTable(entries, names) {
	const time = (/** @type {WireEntry} */ entry) => entry.sim_us ?? entry.us;
	const element = table(
		'bytes',
		['Time', 'After', 'Direction', 'Bytes', 'Meaning'],
		entries.map((entry, i) => {
			const same = entries.slice(0, i).findLast(({ seat, dir }) => seat === entry.seat && dir);
			const clock = (entry.sim_us ?? null) === null ? '' : ' simulated';
			const name = names[entry.seat ?? -1] ?? '';
			return h(
				'tr',
				{ class: entry.dir ?? 'note' },
				h('td', 'number', `${seconds(time(entry))} s${clock}`),
				h(
					'td',
					'number',
					same && entry.dir ? duration(Math.max(0, time(entry) - time(same))) : ''
				),
				h(
					'td',
					{},
					entry.dir ? `${entry.dir === 'to-board' ? '→ to' : '← from'} ${name}` : 'remark'
				),
				h(
					'td',
					{},
					entry.hex === null
						? entry.text
						: [h('code', {}, entry.text), ' ', h('small', {}, pairs(entry.hex))]
				),
				h('td', 'meaning', entry.meaning.join('; '))
			);
		})
	);
	element.classList.add('bytes');
	return element;
}

/** Hexadecimal digits in pairs. @param {string} hex */
const pairs = hex => hex.replaceAll(/../g, '$& ').trim();
