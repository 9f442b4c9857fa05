/** Games: all games, newest first, to replay. */

import { get } from '../api.js';
import { button, fill, h, heading, link, message, numbers, setText, table, warning } from '../dom.js';
import { contestants, signed } from '../panels.js';
import { gamePath } from '../route.js';

/** @import { GameSummary } from '../types.js' */

const PAGE = 50;

/** Name of a game in a list: round and number in its event. @param {GameSummary} game */
const nameOf = game =>
	game.round && game.kind !== 'casual' ? `${game.round}.${game.number}` : game.id;

/** Names of the seats of a game. @param {GameSummary} game */
const against = ({ seats }) => seats.map(({ name }) => name).join(' against ');

/**
 * Table of games.
 * @param {GameSummary[]} games
 */
export const gamesTable = games =>
	table(
		'games',
		['Game', 'Variant', 'Seats', 'Score', 'Plies', 'Ending'],
		games.map(game =>
			h(
				'tr',
				{},
				h(
					'th',
					{ scope: 'row' },
					h(
						'a',
						{ href: gamePath(game.id), 'aria-label': `${nameOf(game)}: ${against(game)}` },
						nameOf(game)
					)
				),
				h('td', {}, game.variant),
				h('td', {}, contestants(game)),
				numbers([(game.result?.scores ?? game.scores).map(signed).join(' : '), game.ply]),
				h('td', {}, game.result?.ending ?? game.status)
			)
		)
	);

/** @param {string[]} parts id of an event; or names of two players, and the variant; none for all games */
export async function open([player, opponent, variant]) {
	const names = opponent ? { player, opponent, variant } : { journal: player };
	const query = new URLSearchParams(Object.entries(names).filter(([, name]) => name));
	const count = h('span', 'count');
	const list = h('div');
	const alert = warning();
	let offset = 0;
	const load = async (/** @type {number} */ from) => {
		const { total, games } = await get(`games?limit=${PAGE}&offset=${from}&${query}`);
		offset = from;
		setText(alert, '');
		setText(count, `${total}`);
		fill(list, games.length > 0 ? gamesTable(games) : h('p', 'notice', 'No games yet.'));
		newer.disabled = offset === 0;
		older.disabled = offset + PAGE >= total;
	};
	const go = (/** @type {number} */ from) =>
		void load(from).catch(error => setText(alert, message(error)));
	const newer = button('Newer', () => go(Math.max(0, offset - PAGE)));
	const older = button('Older', () => go(offset + PAGE));
	await load(0);
	return {
		title: 'Games',
		element: h(
			'section',
			'page',
			heading(
				opponent ? [h('bdi', {}, player), ' – ', h('bdi', {}, opponent)] : 'Games',
				count,
				player && !opponent && link(`/events/${player}`, 'Event'),
				newer,
				older
			),
			alert,
			list
		),
	};
}
