/** Games: all games, newest first, to replay. */

import { get } from '../api.js';
import { button, fill, h, setText } from '../dom.js';
import { signed } from '../panels.js';
import { gamePath } from '../route.js';

/** @import { GameSummary } from '../types.js' */

const PAGE = 50;

/**
 * Table of games.
 * @param {GameSummary[]} games
 */
export function gamesTable(games) {
	return h(
		'div',
		{ class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'games' },
		h(
			'table',
			{},
			h(
				'thead',
				{},
				h(
					'tr',
					{},
					['Game', 'Variant', 'Seats', 'Score', 'Plies', 'Ending'].map(name =>
						h('th', { scope: 'col' }, name)
					)
				)
			),
			h(
				'tbody',
				{},
				games.map(game =>
					h(
						'tr',
						{},
						h(
							'th',
							{ scope: 'row' },
							h(
								'a',
								{ href: gamePath(game.id) },
								game.round ? `${game.round}.${game.number}` : game.id
							)
						),
						h('td', {}, game.variant),
						h(
							'td',
							{},
							game.seats
								.map(({ name }, seat) => {
									const won =
										game.result && !game.result.draw && game.result.winners.includes(seat);
									return [seat > 0 ? ' – ' : '', won ? h('strong', {}, name) : name];
								})
								.flat()
						),
						h(
							'td',
							{ class: 'number' },
							(game.result?.scores ?? game.scores).map(signed).join(' : ')
						),
						h('td', { class: 'number' }, game.ply),
						h('td', {}, game.result?.ending ?? game.status)
					)
				)
			)
		)
	);
}

export async function open() {
	const count = h('span', { class: 'count' });
	const list = h('div', {});
	let offset = 0;
	const load = async () => {
		const { total, games } = await get(`games?limit=${PAGE}&offset=${offset}`);
		setText(count, `${total}`);
		fill(list, games.length > 0 ? gamesTable(games) : h('p', { class: 'notice' }, 'No games yet.'));
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
			{ class: 'page' },
			h('div', { class: 'page-head' }, h('h1', {}, 'Games'), count, newer, older),
			list
		),
	};
}
