/** Replays in a single HTML file: no service, no other file. */

import { Board } from './board.js';
import { Curve } from './curve.js';
import { fill, h, numbers, say, setText, table } from './dom.js';
import { COLOURS } from './geometry.js';
import { belongsToFocus, showKeys } from './keys.js';
import { contestants, diagnostics, duration, signed } from './panels.js';
import { Stage } from './stage.js';
import { startTheme } from './theme.js';
import { Tiles } from './tiles.js';

/** @import { Replay, ReplayGame, State } from './types.js' */

/** Minutes of a time in UTC. @param {number} ms since 1970 */
const minutes = ms => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Share as a percentage. @param {number} share */
const percent = share => `${Math.round(100 * share)} %`;

/** Names of the players. @param {ReplayGame} game */
const players = game => game.seats.map(({ name }) => name).join(' – ');

/**
 * Element that names a move.
 * @param {string} code
 */
const named = code => (code === '0000' ? 'pass' : h('code', {}, code));

/** One game. */
class GameView {
	/**
	 * @param {ReplayGame} game
	 * @param {Tiles} tiles
	 * @param {(ply: number) => void} note called whenever the ply changes
	 */
	constructor(game, tiles, note) {
		this.game = game;
		this.tiles = tiles;
		this.note = note;
		this.diagnostics = false;
		this.states = new Map(game.states.map(state => [state.ply, state]));
		this.board = new Board(tiles.size, { label: 'board', play: true });
		this.board.setStarts(game.starts.map(starts => ({ starts })));
		this.stage = new Stage(ply => this.show(ply));
		this.timeline = this.stage.timeline;
		this.move = h('section', { class: 'seat note', 'aria-label': 'move' });
		this.chance = new Curve(`winning chance of ${game.seats[0].name}`, this.stage.go);
		const { stage } = this;
		const rated = game.evaluations.length > 0;
		this.element = h(
			'div',
			{ class: rated ? 'game rated' : 'game' },
			h(
				'div',
				'stage',
				this.board.element,
				h(
					'div',
					'under',
					stage.line,
					stage.controls,
					rated ? this.chance.element : null,
					stage.curve.element
				)
			),
			h('div', 'side', stage.seats, this.move, stage.moves, this.#about())
		);
		const first = this.timeline.ply;
		this.timeline.extend(game.ply);
		if (this.timeline.ply === first) this.show(first);
	}

	/** Facts, comment and texts. */
	#about() {
		const { facts, comment, texts, ended_ms: ended, variant } = this.game;
		const rows = [
			{ name: 'variant', value: variant },
			...facts,
			...(ended === null ? [] : [{ name: 'ended', value: minutes(ended) }]),
		];
		return h(
			'section',
			{ class: 'seat about', 'aria-label': 'game' },
			h(
				'dl',
				{},
				rows.map(({ name, value }) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))
			),
			comment ? h('p', 'comment', comment) : null,
			texts.map(({ title, text }) =>
				h('details', {}, h('summary', {}, title), h('pre', { tabindex: 0 }, text))
			)
		);
	}

	/** State at a ply. @param {number} ply */
	state(ply) {
		return /** @type {State} */ (this.states.get(ply));
	}

	/** Cells of a code; none if it is a pass or reaches beyond the board. @param {string} code */
	cells(code) {
		const placement = this.tiles.read(code);
		return placement && this.tiles.action(placement) >= 0 ? this.tiles.cells(placement) : [];
	}

	/** Shows a ply. @param {number} ply */
	show(ply) {
		const { game } = this;
		const state = this.state(ply);
		const move = game.moves[ply - 1];
		this.board.draw(state.board, move ? this.cells(move.code) : []);
		this.#marks();
		this.#drawMove();
		this.stage.draw(game, state, this.states);
		if (game.evaluations.length > 0) {
			const values = game.evaluations.map(({ chance }) => chance);
			const colour = game.seats[0].colours[0] ?? 0;
			this.chance.draw([{ colour, values }], game.ply, ply, 0.5);
		}
		if (move) {
			const where = move.code === '0000' ? 'passes' : `places ${move.code}`;
			say(`ply ${ply}: ${COLOURS[move.colour]} ${where}`);
		}
		this.note(ply);
	}

	/** Marks cells: corner points and void cells, the better move, or the move that was refused. */
	#marks() {
		const { ply } = this.timeline;
		const move = this.game.moves[ply - 1];
		const { refused } = this.game;
		if (this.diagnostics) this.board.setMarks(diagnostics(this.state(ply)));
		else {
			const cells = move?.better ? this.cells(move.better) : [];
			const better = { cells, label: '★', colour: move?.colour ?? 0, weight: 1 };
			this.board.setCandidates(cells.length > 0 ? [better] : []);
		}
		const cells = refused && ply === this.game.ply ? this.cells(refused.code) : [];
		this.board.setImprint(
			refused && cells.length > 0
				? { cells, colour: refused.colour, legal: false, fault: refused.cell }
				: null
		);
	}

	/** Describes the move that led to the ply. */
	#drawMove() {
		const { game, timeline } = this;
		const { ply } = timeline;
		const move = game.moves[ply - 1];
		const rated = game.evaluations[ply];
		const { refused } = game;
		/** @type {[string, (Node | string | null)[]][]} */
		const rows = [];
		if (move?.us != null) rows.push(['reply', [duration(move.us)]]);
		if (move?.sim_us != null) rows.push(['simulated', [duration(move.sim_us)]]);
		if (move?.host_us != null) rows.push(['host latency', [duration(move.host_us)]]);
		if (move) rows.push(['legal', [String(move.legal)]]);
		if (rated) {
			rows.push([`chance of ${game.seats[0].name}`, [percent(rated.chance)]]);
			if (rated.margin !== null) {
				const margin = rated.margin.toFixed(rated.exact ? 0 : 1);
				const sign = rated.margin > 0 ? '+' : '';
				rows.push([rated.exact ? 'exact margin' : 'margin', [sign, signed(margin)]]);
			}
		}
		if (move?.better) {
			const lost = (move.lost ?? 0) >= 0.005 ? `, ${percent(move.lost ?? 0)} better` : '';
			rows.push(['★ the engine plays', [named(move.better), lost]]);
		}
		fill(
			this.move,
			h(
				'h2',
				{},
				move ? [`Move ${ply}: ${COLOURS[move.colour]} `, named(move.code)] : 'Before the first move'
			),
			h(
				'dl',
				{},
				rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))
			),
			move?.comment ? h('p', 'comment', move.comment) : null,
			refused && ply === game.ply
				? h('p', 'alert', 'refused: ', named(refused.code), `, ${refused.reason}`)
				: null
		);
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (event.key === 'v') this.board.turnView();
		else if (event.key === 'x') this.diagnostics = !this.diagnostics;
		else return this.board.cursorKey(event) || this.stage.key(event);
		this.#marks();
		return true;
	}

	leave() {
		this.timeline.stop();
	}
}

/**
 * List of several games.
 * @param {Replay} replay
 */
function gameList({ text, games }) {
	return h(
		'section',
		'page',
		text ? h('p', {}, text) : null,
		games.length === 0
			? h('p', 'notice', 'No games.')
			: table(
					'games',
					['game', 'players', 'scores', 'plies', 'ending', 'variant'],
					games.map((game, index) =>
						h(
							'tr',
							{},
							h('th', { scope: 'row' }, h('a', { href: `#${index + 1}` }, game.id)),
							h('td', {}, contestants(game)),
							numbers([(game.result?.scores ?? []).map(signed).join(' : '), game.ply]),
							h('td', {}, game.result?.ending ?? ''),
							h('td', {}, game.variant)
						)
					)
				)
	);
}

/**
 * Shows the games of a file. The address holds the game and the ply: `#12` is ply 12 of the only
 * game, `#3/12` that of the third game.
 * @param {Replay} replay
 * @param {HTMLElement} main
 */
function openReplay(replay, main) {
	const { games } = replay;
	const alone = games.length === 1;
	const tiles = new Map(replay.tables.map(table => [table.size, new Tiles(table)]));
	const title = /** @type {HTMLElement} */ (document.getElementById('title'));
	const links = /** @type {HTMLElement} */ (document.getElementById('games'));
	/** @type {GameView | null} */
	let view = null;
	let shown = -1;
	const note = (/** @type {number} */ index, /** @type {number} */ ply) => {
		try {
			history.replaceState(null, '', alone ? `#${ply}` : `#${index + 1}/${ply}`);
		} catch {
			// A frame may have no history: the replay works without.
		}
	};
	const name = (/** @type {string} */ text) => {
		setText(title, text);
		document.title = text;
	};
	const link = (/** @type {number} */ index, /** @type {string} */ text) =>
		games[index] ? h('a', { href: `#${index + 1}` }, text) : null;
	/** @param {number} index @param {number | undefined} ply */
	const open = (index, ply) => {
		const game = games[index];
		if (index !== shown || !view) {
			view?.leave();
			shown = index;
			view = new GameView(game, /** @type {Tiles} */ (tiles.get(game.size)), at => note(index, at));
			name(players(game));
			fill(main, view.element);
			if (!alone) {
				fill(
					links,
					h('a', { href: '#' }, 'All games'),
					link(index - 1, 'Previous'),
					link(index + 1, 'Next')
				);
			}
		}
		if (ply !== undefined) view.timeline.go(ply);
	};
	const route = () => {
		const [, first, , second] = /^#(\d+)(\/(\d+))?$/.exec(location.hash) ?? [];
		const index = alone ? 0 : Number(first) - 1;
		const ply = alone ? first : second;
		if (games[index]) {
			open(index, ply === undefined ? undefined : Number(ply));
			return;
		}
		view?.leave();
		view = null;
		shown = -1;
		name(replay.title);
		fill(links);
		fill(main, gameList(replay));
	};
	addEventListener('hashchange', route);
	document.addEventListener('keydown', event => {
		if (belongsToFocus(event)) return;
		if (event.key === '?') keys();
		else if (!view?.key(event)) return;
		event.preventDefault();
	});
	const keys = () => showKeys(['Watch and replay']);
	document.getElementById('keys')?.addEventListener('click', keys);
	startTheme();
	route();
}

const inlined = document.getElementById('data');
const main = document.getElementById('main');
if (inlined && main) openReplay(JSON.parse(inlined.textContent ?? ''), main);
