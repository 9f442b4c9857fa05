/** Replay of the game in a single HTML file: no service, no other file. */

import { Board } from './board.js';
import { h } from './dom.js';
import { Stage } from './stage.js';
import { Tiles } from './tiles.js';

/** @import { Cell, Game, State, TileTable } from './types.js' */

/**
 * Shows a game.
 * @param {{game: Game, states: State[], table: TileTable, starts: {starts: Cell[]}[]}} data
 * @param {HTMLElement} main
 */
function openReplay({ game, states, table, starts }, main) {
	const tiles = new Tiles(table);
	const known = new Map(states.map(state => [state.ply, state]));
	const title = game.seats.map(({ name }) => name).join(' – ');
	const board = new Board(tiles.size, { label: 'board', play: true });
	const show = (/** @type {number} */ ply) => {
		const state = known.get(ply);
		if (!state) return;
		const code = game.moves[ply - 1]?.code;
		const placement = code ? tiles.read(code) : null;
		board.draw(state.board, placement ? tiles.cells(placement) : []);
		stage.draw(game, state, known);
		history.replaceState(null, '', `#${ply}`);
	};
	const stage = new Stage(show);
	const { timeline } = stage;
	board.setStarts(starts);
	const under = h('div', { class: 'under' }, stage.line, stage.controls, stage.curve.element);
	const side = h('div', { class: 'side' }, stage.seats, stage.moves);
	main.replaceChildren(
		h(
			'div',
			{ class: 'game' },
			h('h1', { class: 'visually-hidden' }, title),
			h('div', { class: 'stage' }, board.element, under),
			side
		)
	);
	document.title = title;
	document.addEventListener('keydown', event => {
		const target = /** @type {HTMLElement} */ (event.target);
		if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input')) return;
		if (event.key === ' ' && target.closest('button')) return;
		if (event.key === 'v') board.turnView();
		else if (!stage.key(event)) return;
		event.preventDefault();
	});
	const theme = matchMedia('(prefers-color-scheme: dark)');
	const dress = () => {
		document.documentElement.dataset.theme = theme.matches ? 'dark' : 'light';
	};
	theme.addEventListener('change', dress);
	dress();
	const wanted = /^#(\d+)$/.exec(location.hash);
	const first = timeline.ply;
	timeline.extend(game.ply);
	if (wanted) timeline.go(Number(wanted[1]));
	if (timeline.ply === first) show(first);
}

const inlined = document.getElementById('data');
const main = document.getElementById('main');
if (inlined && main) openReplay(JSON.parse(inlined.textContent ?? ''), main);
