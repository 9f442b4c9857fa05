/** Games: all games, newest first, to replay. */

import { get } from '../api.js';
import { button, fill, h, heading, numbers, setText, table } from '../dom.js';
import { contestants, signed } from '../panels.js';
import { gamePath } from '../route.js';

/** @import { GameSummary } from '../types.js' */

const PAGE = 50;

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
					h('a', { href: gamePath(game.id) }, game.round ? `${game.round}.${game.number}` : game.id)
				),
				h('td', {}, game.variant),
				h('td', {}, contestants(game)),
				numbers([(game.result?.scores ?? game.scores).map(signed).join(' : '), game.ply]),
				h('td', {}, game.result?.ending ?? game.status)
			)
		)
	);

/** @param {string[]} parts names of two players, and the variant; none for all games */
export async function open([player, opponent, variant]) {
	const names = opponent ? Object.entries({ player, opponent, variant }) : [];
	const query = new URLSearchParams(names.filter(([, name]) => name));
	const count = h('span', 'count');
	const list = h('div');
	let offset = 0;
	const load = async () => {
		const { total, games } = await get(`games?limit=${PAGE}&offset=${offset}&${query}`);
		setText(count, `${total}`);
		fill(list, games.length > 0 ? gamesTable(games) : h('p', 'notice', 'No games yet.'));
		newer.disabled = offset === 0;
		older.disabled = offset + PAGE >= total;
	};
	const newer = button('Newer', () => {
		offset = Math.max(0, offset - PAGE);
		void load();
	});
	const older = button('Older', () => {
		offset += PAGE;
		void load();
	});
	await load();
	return {
		title: 'Games',
		element: h(
			'section',
			'page',
			heading(opponent ? `${player} – ${opponent}` : 'Games', count, newer, older),
			list
		),
	};
}
