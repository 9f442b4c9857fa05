/** Ladder: ratings over all journals, with intervals, and the games of each pair. */

import { get } from '../api.js';
import { button, fill, h, heading, numbers, s, say, table } from '../dom.js';
import { ladderPath, gamesPath } from '../route.js';
import { refreshing } from './events.js';

/** @import { Ladder, Rung } from '../event-types.js' */

/** Columns: title, and the value by which rows are sorted. @type {[string, (rung: Rung) => string | number][]} */
const COLUMNS = [
	['Rank', ({ place }) => place],
	['Player', ({ name, version }) => `${name} ${version ?? ''}`],
	['Elo', ({ elo }) => elo.elo],
	['95 % interval', ({ elo }) => elo.high - elo.low],
	['Games', ({ games }) => games],
	['Won', ({ won }) => won],
	['Drawn', ({ drawn }) => drawn],
	['Lost', ({ lost }) => lost],
	['Score', ({ score }) => score],
	['Glicko-2', ({ rating }) => rating],
];

/** @param {number | null} value */
const whole = value => (value === null ? '∞' : value.toFixed(0).replace('-', '−'));

/** @param {{elo: number | null, low: number | null, high: number | null}} elo */
const interval = ({ low, high }) => `${low === null ? '−∞' : whole(low)} to ${whole(high)}`;

/** @param {{name: string, version: string | null}} player */
const label = ({ name, version }) => (version && version !== name ? `${name} (${version})` : name);

/** Interval of a rating on the scale of the table. @param {Rung} rung @param {number} from @param {number} to */
function bar({ elo }, from, to) {
	const x = (/** @type {number} */ value) => 4 + ((value - from) / (to - from || 1)) * 192;
	return s(
		'svg',
		{ class: 'interval', viewBox: '0 0 200 12', role: 'img', 'aria-label': interval(elo) },
		from < 0 && to > 0 ? s('path', { class: 'zero', d: `M${x(0)} 0V12` }) : null,
		s('path', { d: `M${x(elo.low)} 2V10M${x(elo.low)} 6H${x(elo.high)}M${x(elo.high)} 2V10` }),
		s('circle', { cx: x(elo.elo), cy: 6, r: 3.5 })
	);
}

/**
 * @param {string[]} parts variant, and the unit that has a rating
 * @param {(path: string) => void} note
 */
export async function open([variant = 'duo', unit = 'version'], note) {
	const by = unit === 'player' ? unit : 'version';
	let [column, down] = [0, false];
	/** @type {Ladder} */
	let ladder;
	let text = '';
	const body = h('tbody');
	const heads = COLUMNS.map(([title], i) =>
		h(
			'th',
			{ scope: 'col' },
			button(title, () => sort(i), { class: 'sort' })
		)
	);
	const count = h('span', 'count');
	const change = () => {
		variant = rated.value;
		note(ladderPath(variant, by));
		void draw();
	};
	const rated = h('select', { id: 'variant', change });
	const pairs = h('div');
	const others = by === 'version' ? 'player' : 'version';
	const other = h('a', 'button', `By ${others}`);

	const rows = () => {
		const value = COLUMNS[column][1];
		const scale = ladder.rungs.flatMap(({ elo }) => [elo.low, elo.high]);
		const [from, to] = [Math.min(...scale), Math.max(...scale)];
		const order = (/** @type {Rung} */ one, /** @type {Rung} */ two) => {
			const [left, right] = [value(one), value(two)];
			return (left < right ? -1 : left > right ? 1 : 0) * (down ? -1 : 1);
		};
		heads.forEach((head, i) => {
			if (i === column) head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
			else head.removeAttribute('aria-sort');
		});
		fill(
			body,
			ladder.rungs
				.toSorted(order)
				.map(rung =>
					h(
						'tr',
						{},
						numbers([rung.place]),
						h('th', { scope: 'row' }, h('bdi', {}, rung.name), ' ', h('small', {}, rung.version)),
						numbers([h('strong', {}, whole(rung.elo.elo))]),
						h('td', {}, bar(rung, from, to)),
						numbers([
							rung.games,
							rung.won,
							rung.drawn,
							rung.lost,
							`${(rung.score * 100).toFixed(1)} %`,
							`${whole(rung.rating)} ± ${whole(2 * rung.deviation)}`,
						])
					)
				)
		);
	};
	/** @param {number} i */
	const sort = i => {
		// Numbers begin with the greatest one, but ranks with the first.
		down = i === column ? !down : i > 1;
		column = i;
		rows();
		say(`sorted by ${COLUMNS[i][0]}, ${down ? 'descending' : 'ascending'}`);
	};
	const meetings = () =>
		table(
			'head to head',
			['Players', 'Won', 'Drawn', 'Lost', 'Elo difference', '95 % interval'],
			ladder.meetings.map(({ players, won, drawn, lost, elo }) => {
				const [one, two] = players;
				const href = gamesPath(one.name, two.name, variant);
				return h(
					'tr',
					{},
					h(
						'th',
						{ scope: 'row' },
						h('a', { href }, h('bdi', {}, label(one)), ' – ', h('bdi', {}, label(two)))
					),
					numbers([
						won,
						drawn,
						lost,
						elo.elo === null && elo.score < 0.5 ? '−∞' : whole(elo.elo),
						interval(elo),
					])
				);
			}),
			{},
			'Head to head'
		);
	const draw = async () => {
		const news = await get(`ladder?variant=${encodeURIComponent(variant)}&by=${by}`);
		if (JSON.stringify(news) === text) return;
		text = JSON.stringify(news);
		ladder = news;
		const names = new Set([variant, ...ladder.variants.map(it => it.variant)]);
		fill(
			rated,
			[...names].map(name => h('option', { value: name, selected: name === variant }, name))
		);
		other.setAttribute('href', ladderPath(variant, others));
		fill(count, `${ladder.games} rated games of ${ladder.events.length} events`);
		rows();
		const focused = document.activeElement?.getAttribute('href');
		fill(pairs, ladder.meetings.length > 0 ? meetings() : null);
		for (const link of pairs.querySelectorAll('a')) {
			if (focused && link.getAttribute('href') === focused) link.focus();
		}
	};
	await draw();
	return {
		title: 'Ladder',
		element: h(
			'section',
			'page',
			heading('Ladder', count, h('label', { for: 'variant' }, 'Variant'), rated, other),
			table('ratings', heads, body, {}, 'Ratings'),
			h('p', 'summary', '0 Elo is close to the mean of all players.'),
			pairs
		),
		leave: refreshing(draw, () => true),
	};
}
