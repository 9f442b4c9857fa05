/** Events: tournaments and matches with standings and crosstable. */

import { get, role } from '../api.js';
import { fill, h, heading, numbers, table } from '../dom.js';
import { gamesPath } from '../route.js';
import { listen } from '../stream.js';
import { runPanel, tournamentForm } from '../tournament.js';
import { gamesTable } from './games.js';

/** @import { EventSummary, EventView } from '../event-types.js' */

/** @param {string[]} parts id of the event */
export async function open([id]) {
	return id ? openEvent(id) : openList();
}

/** @param {number} ms */
const date = ms =>
	new Date(ms).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** @param {number} n */
const many = n => n.toLocaleString('en-GB');

/** @param {EventSummary['games']} games */
const progress = ({ ended, running, total }) =>
	`${ended}${total ? ` of ${total}` : ''} played${running ? `, ${running} running` : ''}`;

async function openList() {
	const list = h('div', 'cards');
	const draw = async () => {
		/** @type {{events: EventSummary[]}} */
		const { events } = await get('events');
		fill(
			list,
			events.length === 0
				? h(
						'p',
						'notice',
						'No tournaments or matches. Their journals are the arguments of duoforge serve.'
					)
				: events.map(event =>
						h(
							'a',
							{ class: 'card', href: `/events/${event.id}` },
							h('strong', {}, event.name),
							h('span', {}, `${event.kind}, ${date(event.made_ms)}`),
							h(
								'span',
								{},
								event.fault ??
									(event.finished ? `finished, ${event.games.ended} games` : progress(event.games))
							)
						)
					)
		);
	};
	await draw();
	const form = (await role()) === 'referee' && (await tournamentForm());
	return {
		title: 'Events',
		element: h('section', 'page', heading('Events'), list, form),
		leave: refreshing(draw, () => true),
	};
}

/**
 * Draws again after records, at most once a second; returns a function that ends it.
 * @param {() => Promise<void>} draw
 * @param {(journal: string) => boolean} concerns
 */
export function refreshing(draw, concerns) {
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let timer;
	const ends = listen(({ event, data }) => {
		const named = event === 'record' || event === 'gone';
		const journal = named ? data.journal : event === 'journal' ? data.event.id : null;
		const concerned = journal !== null && concerns(journal) && data.type !== 'moved';
		if (timer || !(concerned || event === 'restored')) return;
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
const standings = event =>
	table(
		'standings',
		['', 'Player', 'Points', 'Games', 'Won', 'Drawn', 'Lost', 'Margin'],
		event.standings.map(row =>
			h(
				'tr',
				{},
				numbers([row.rank]),
				h('th', { scope: 'row' }, row.player),
				numbers([
					h('strong', {}, points(row.points)),
					...[row.games, row.wins, row.draws, row.losses, row.margin].map(value =>
						String(value).replace('-', '−')
					),
				])
			)
		),
		{},
		'Standings'
	);

/** @param {EventView} event */
function crosstable({ crosstable: cross }) {
	if (!cross || cross.players.length < 2) return null;
	return table(
		'crosstable',
		[
			'',
			...cross.players.map((name, i) =>
				h('th', { scope: 'col', 'aria-label': name, title: name }, i + 1)
			),
		],
		cross.players.map((name, row) =>
			h(
				'tr',
				{},
				h('th', { scope: 'row' }, `${row + 1} `, h('bdi', {}, name)),
				cross.points[row].map((value, column) =>
					row === column
						? h('td', 'self')
						: h(
								'td',
								{ class: 'number', title: `${cross.games[row][column] ?? 0} games` },
								points(value)
							)
				)
			)
		),
		{ class: 'cross' },
		'Crosstable: points of the row against the column'
	);
}

/** @param {string} id */
async function openEvent(id) {
	const body = h('div');
	const title = h('h1');
	const line = h('span', 'count');
	let name = '';
	const load = async () => {
		/** @type {EventView} */
		const event = await get(`events/${encodeURIComponent(id)}`);
		run.show(event);
		return event;
	};
	const draw = async () => {
		const event = await load();
		name = event.name;
		fill(title, event.name);
		const { counts, games } = event;
		const all = counts.ended + counts.running;
		fill(line, event.fault ?? (event.finished ? 'finished' : progress(counts)));
		fill(
			body,
			h('div', 'tables', standings(event), crosstable(event)),
			h('h2', {}, 'Games'),
			all > games.length &&
				h(
					'p',
					{},
					`newest ${many(games.length)} of `,
					h('a', { href: gamesPath(id) }, `${many(all)} games`)
				),
			gamesTable(games)
		);
	};
	const run = runPanel((await role()) === 'referee', draw);
	await draw();
	const ends = refreshing(draw, journal => journal === id);
	// The end of a run is not a record.
	const timer = setInterval(() => void (run.isOpen() && load().catch(() => {})), 1000);
	return {
		title: name,
		element: h('section', 'page', h('div', 'page-head', title, line), run.element, body),
		leave: () => {
			clearInterval(timer);
			ends();
		},
	};
}
