/** Cards of the seats and list of the moves. */

import { fill, h, setCurrent } from './dom.js';
import { COLOURS } from './geometry.js';

/** @import { Cell, ReplayedGame, State } from './types.js' */

/** Duration in microseconds as text. @param {number} us */
export function duration(us) {
	if (us < 1000) return `${us} µs`;
	if (us < 999_500) return `${(us / 1000).toFixed(us < 1e4 ? 1 : 0)} ms`;
	if (us < 6e7) return `${(us / 1e6).toFixed(2)} s`;
	const seconds = Math.floor(us / 1e6);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Number with a minus sign of the width of a digit. @param {number | string} n */
export const signed = n => String(n).replace('-', '−');

/**
 * Names of the seats of a game, the winners' in bold.
 * @param {{seats: {name: string}[], result: {winners: number[], draw: boolean} | null}} game
 */
export const contestants = ({ seats, result }) =>
	seats.flatMap(({ name }, seat) => {
		const won = result && !result.draw && result.winners.includes(seat);
		return [seat > 0 ? ' – ' : '', h('bdi', {}, won ? h('strong', {}, name) : name)];
	});

/** Swatch of a colour, with its pattern. @param {number} colour */
export const swatch = colour =>
	h('span', { class: `swatch c${colour}`, title: COLOURS[colour], 'aria-hidden': true });

/** Number of empty cells. @param {string[]} board */
export const emptyCells = board =>
	board.reduce((sum, row) => sum + [...row].filter(mark => mark === '.').length, 0);

/**
 * Scores by seat: the sum over the colours that count for it.
 * @param {{seat: number, score: number, shared?: boolean}[]} colours
 * @param {number} seats
 */
export function seatScores(colours, seats) {
	const scores = Array(seats).fill(0);
	for (const { seat, score, shared } of colours) if (!shared) scores[seat] += score;
	return scores;
}

/**
 * Draws a card for each seat.
 * @param {HTMLElement} element
 * @param {ReplayedGame} game
 * @param {State} state state that is shown
 */
export function drawSeats(element, game, state) {
	const latest = state.ply === game.ply;
	const scores =
		latest && game.result ? game.result.scores : seatScores(state.colours, game.seats.length);
	fill(
		element,
		game.seats.map((seat, index) => {
			const colours = seat.colours.map(colour => ({ colour, ...state.colours[colour] }));
			const turn = state.to_move?.seat === index && !(latest && game.result);
			const won = latest && game.result && !game.result.draw && game.result.winners.includes(index);
			const used = game.moves.filter(
				move => move.seat === index && move.ply < state.ply && move.us !== null
			);
			const total = used.reduce((sum, move) => sum + (move.us ?? 0), 0);
			const left = state.clock?.left_ms[index];
			return h(
				'section',
				`seat${turn ? ' turn' : ''}${won ? ' won' : ''}`,
				h(
					'h2',
					{},
					seat.colours.map(swatch),
					h('span', 'seat-name', seat.name),
					won ? h('span', 'badge', 'won') : null,
					turn && latest && game.thinking
						? h('span', 'badge thinking', 'thinking')
						: null,
					turn && !(latest && game.thinking) ? h('span', 'badge', 'to move') : null,
					h('strong', 'score', signed(scores[index]))
				),
				h(
					'dl',
					{},
					[
						['tiles left', colours.map(({ left: tiles }) => tiles.length).join(' + ')],
						['void', colours.map(({ void: cells }) => cells).join(' + ')],
						['mobility', colours.map(({ mobility }) => mobility).join(' + ')],
						left === undefined || left === null
							? [seat.unofficial ? 'unofficial time' : 'time used', total > 0 ? duration(total) : '–']
							: ['time left', duration(left * 1000)],
					].flatMap(([name, value]) => [h('div', {}, h('dt', {}, name), h('dd', {}, value))])
				)
			);
		})
	);
}

/**
 * Number of moves with which both of two games begin: moves may have been taken back and replaced.
 * @param {{code: string}[]} one
 * @param {{code: string}[]} two
 */
export function commonPlies(one, two) {
	const plies = one.findIndex(({ code }, ply) => code !== two[ply]?.code);
	return plies < 0 ? one.length : plies;
}

/**
 * Draws the list of moves.
 * @param {HTMLElement} element an ordered list
 * @param {ReplayedGame} game
 * @param {number} ply ply that is shown
 * @param {(ply: number) => void} go
 */
export function drawMoves(element, game, ply, go) {
	const drawn = [game.id, ...game.moves.map(({ code, us }) => `${code}:${us}`)].join(' ');
	if (element.dataset.drawn !== drawn) {
		element.dataset.drawn = drawn;
		fill(
			element,
			game.moves.map(move =>
				h(
					'li',
					{},
					h(
						'button',
						{ type: 'button', click: () => go(move.ply + 1) },
						h('span', 'number', move.ply + 1),
						swatch(move.colour),
						h('code', {}, move.code === '0000' ? 'pass' : move.code),
						h('small', {}, move.us === null ? '' : duration(move.us)),
						move.forfeit ? h('small', 'badge', 'late') : null,
						move.better && (move.lost ?? 0) >= 0.1
							? h('small', 'badge bad', `${signed(-Math.round(100 * (move.lost ?? 0)))} %`)
							: null
					)
				)
			)
		);
	}
	[...element.children].forEach((item, i) => {
		const now = i + 1 === ply;
		setCurrent(/** @type {Element} */ (item.firstElementChild), now && 'step');
		if (now) keepVisible(element, /** @type {HTMLElement} */ (item));
	});
}

/**
 * Scrolls a list, and nothing else, to an item.
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 */
function keepVisible(list, item) {
	const [top, bottom] = [
		item.offsetTop - list.offsetTop,
		item.offsetTop - list.offsetTop + item.offsetHeight,
	];
	if (top < list.scrollTop) list.scrollTop = top;
	else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/**
 * Marks of a state for the board: corner points and void cells of all colours.
 * @param {State} state
 */
export function diagnostics(state) {
	const open = (/** @type {Cell} */ [x, y]) => state.board[y][x] === '.';
	return state.colours.flatMap((colour, index) => [
		{ cells: colour.corner_points, kind: 'corner', colour: index },
		{ cells: colour.forbidden.filter(open), kind: 'void', colour: index },
	]);
}

/** One line on how a game stands or ended. @param {ReplayedGame} game @param {State} state */
export function summary(game, state) {
	if (state.ply < game.ply || !game.result) {
		const turn = state.to_move ? `${COLOURS[state.to_move.colour]} to move` : 'no colour to move';
		return `ply ${state.ply} of ${game.ply}, ${turn}, ${emptyCells(state.board)} cells empty`;
	}
	const names = game.result.winners.map(seat => game.seats[seat]?.name).join(' and ');
	const scores = game.result.scores.map(signed).join(' : ');
	const how = game.result.detail || game.result.ending;
	const won = names ? `${names} won` : 'no result';
	const who = game.result.draw ? 'draw' : won;
	return `${who}, ${scores}${how ? ` (${how})` : ''}, ${emptyCells(state.board)} cells empty`;
}
