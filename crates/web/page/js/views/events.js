/** Events: tournaments and matches with standings and crosstable. */

import { get } from '../api.js';
import { fill, h } from '../dom.js';
import { listen } from '../stream.js';
import { gamesTable } from './games.js';

/** @import { EventSummary, EventView } from '../types.js' */

/** @param {string[]} parts id of the event */
export async function open([id]) {
	return id ? openEvent(id) : openList();
}

/** @param {number} ms */
const date = ms =>
	new Date(ms).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** @param {EventSummary['games']} games */
const progress = ({ ended, running, total }) =>
	`${ended}${total ? ` of ${total}` : ''} played${running ? `, ${running} running` : ''}`;

async function openList() {
	const list = h('div', { class: 'cards' });
	const draw = async () => {
		/** @type {{events: EventSummary[]}} */
		const { events } = await get('events');
		fill(
			list,
			events.length === 0
				? h(
						'p',
						{ class: 'notice' },
						'No tournaments or matches. Their journals are the arguments of duoforge serve.'
					)
				: events.map(event =>
						h(
							'a',
							{ class: 'card', href: `/events/${encodeURIComponent(event.id)}` },
							h('strong', {}, event.name),
							h('span', {}, `${event.kind}, ${date(event.made_ms)}`),
							h(
								'span',
								{},
								event.finished ? `finished, ${event.games.ended} games` : progress(event.games)
							)
						)
					)
		);
	};
	await draw();
	return {
		title: 'Events',
		element: h(
			'section',
			{ class: 'page' },
			h('div', { class: 'page-head' }, h('h1', {}, 'Events')),
			list
		),
		leave: refreshing(draw, () => true),
	};
}

/**
 * Draws again after records, at most once a second; returns a function that ends it.
 * @param {() => Promise<void>} draw
 * @param {(journal: string) => boolean} concerns
 */
function refreshing(draw, concerns) {
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let timer;
	const ends = listen(({ event, data }) => {
		const journal = event === 'record' ? data.journal : event === 'journal' ? data.event.id : null;
		if (journal === null || !concerns(journal) || data.type === 'moved' || timer) return;
		timer = setTimeout(() => {
			timer = undefined;
			void draw().catch(() => {});
		}, 1000);
	});
	return () => {
		clearTimeout(timer);
		ends();
	};
}

/** @param {number | null} value */
const points = value =>
	value === null ? '' : String(value).replace('.5', '½').replace(/^0½/, '½');

/** @param {EventView} event */
function standings(event) {
	return h(
		'div',
		{ class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'standings' },
		h(
			'table',
			{},
			h('caption', {}, 'Standings'),
			h(
				'thead',
				{},
				h(
					'tr',
					{},
					['', 'Player', 'Points', 'Games', 'Won', 'Drawn', 'Lost', 'Margin'].map(name =>
						name ? h('th', { scope: 'col' }, name) : h('td', {})
					)
				)
			),
			h(
				'tbody',
				{},
				event.standings.map(row =>
					h(
						'tr',
						{},
						h('td', { class: 'number' }, row.rank),
						h('th', { scope: 'row' }, row.player),
						h('td', { class: 'number' }, h('strong', {}, points(row.points))),
						[row.games, row.wins, row.draws, row.losses, row.margin].map(value =>
							h('td', { class: 'number' }, String(value).replace('-', '−'))
						)
					)
				)
			)
		)
	);
}

/** @param {EventView} event */
function crosstable({ crosstable: cross }) {
	if (!cross || cross.players.length < 2) return null;
	return h(
		'div',
		{ class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'crosstable' },
		h(
			'table',
			{ class: 'cross' },
			h('caption', {}, 'Crosstable: points of the row against the column'),
			h(
				'thead',
				{},
				h(
					'tr',
					{},
					h('td', {}),
					cross.players.map((_, i) =>
						h(
							'th',
							{ scope: 'col', 'aria-label': cross.players[i], title: cross.players[i] },
							i + 1
						)
					)
				)
			),
			h(
				'tbody',
				{},
				cross.players.map((name, row) =>
					h(
						'tr',
						{},
						h('th', { scope: 'row' }, `${row + 1} ${name}`),
						cross.points[row].map((value, column) =>
							row === column
								? h('td', { class: 'self' })
								: h(
										'td',
										{ class: 'number', title: `${cross.games[row][column] ?? 0} games` },
										points(value)
									)
						)
					)
				)
			)
		)
	);
}

/** @param {string} id */
async function openEvent(id) {
	const body = h('div', {});
	const title = h('h1', {});
	const line = h('span', { class: 'count' });
	let name = '';
	const draw = async () => {
		/** @type {EventView} */
		const event = await get(`events/${encodeURIComponent(id)}`);
		name = event.name;
		fill(title, event.name);
		const running = event.games.filter(({ status }) => status === 'running').length;
		const ended = event.games.filter(({ status }) => status === 'ended').length;
		fill(line, event.finished ? 'finished' : progress({ total: null, ended, running }));
		fill(
			body,
			h('div', { class: 'tables' }, standings(event), crosstable(event)),
			h('h2', {}, 'Games'),
			gamesTable(event.games)
		);
	};
	await draw();
	return {
		title: name,
		element: h('section', { class: 'page' }, h('div', { class: 'page-head' }, title, line), body),
		leave: refreshing(draw, journal => journal === id),
	};
}
