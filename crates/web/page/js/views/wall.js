/** Wall: all running games at once, and a projector mode for halls. */

import { Board } from '../board.js';
import { button, fill, h, heading, link, setText } from '../dom.js';
import { get, pathOf } from '../api.js';
import { signed, swatch } from '../panels.js';
import { gamePath } from '../route.js';
import { listen, live } from '../stream.js';

/** @import { GameSummary, Live } from '../types.js' */

/** Time for which a game stays on the wall after its end, in milliseconds. */
const STAYS_MS = 60_000;

/** True in projector mode. */
const isProjector = () => document.body.classList.contains('projector');

export async function open() {
	// Also for a browser whose stream is not open yet: a refusal is shown instead of the view.
	const { games } = await get('games?running=true&limit=64');
	return new WallView(games);
}

/** Board of one game on the wall. */
class Tile {
	/** @param {Live} game */
	constructor(game) {
		this.board = new Board(game.board.length, { label: '', coordinates: false });
		this.head = h('div', 'wall-head');
		this.foot = h('div', 'wall-foot');
		this.element = h(
			'a',
			{ class: 'wall-game', href: gamePath(game.id) },
			this.head,
			this.board.element,
			this.foot
		);
		this.drawn = '';
	}

	/** @param {Live} game @param {string} event */
	draw(game, event) {
		const scores = game.result?.scores ?? game.scores;
		const names = game.seats.map(({ name }) => name).join(' against ');
		const text = `${names}, ply ${game.ply}, ${scores.map(signed).join(' to ')}`;
		this.board.svg.setAttribute('aria-label', text);
		fill(
			this.head,
			game.seats.map((seat, index) => {
				const turn = game.to_move?.seat === index ? ' turn' : '';
				const won = game.result?.winners.includes(index) && !game.result.draw ? ' won' : '';
				return h(
					'span',
					`seat-line${turn}${won}`,
					seat.colours.map(swatch),
					h('span', 'seat-name', seat.name),
					h('strong', 'score', signed(scores[index]))
				);
			})
		);
		const position = game.board.join('');
		if (position !== this.drawn) {
			this.drawn = position;
			this.board.draw(game.board);
		}
		const ended = game.status !== 'running';
		setText(
			this.foot,
			[
				event,
				game.round && game.kind !== 'casual' ? `round ${game.round}` : '',
				`ply ${game.ply}`,
				ended ? (game.result?.ending ?? game.status) : '',
			]
				.filter(Boolean)
				.join(' · ')
		);
		this.element.classList.toggle('ended', ended);
	}
}

class WallView {
	/** @param {GameSummary[]} running */
	constructor(running) {
		this.title = 'Running games';
		/** @type {Map<string, Tile>} */
		this.tiles = new Map();
		this.grid = h('div', 'wall');
		this.empty = h(
			'div',
			'notice',
			h('p', {}, 'No game is running.'),
			h('p', {}, link('/play', 'Play a game'), ' ', link('/games', 'Replay a game'))
		);
		this.count = h('span', 'count');
		this.element = h(
			'section',
			'page wall-page',
			heading(
				'Running games',
				this.count,
				button('Projector', () => this.projector(), { title: 'projector mode (key p)' })
			),
			this.grid,
			this.empty
		);
		this.drawing = 0;
		this.listening = new AbortController();
		this.ends = listen(({ event }) => {
			if (event !== 'analysis') this.#soon();
		});
		this.timer = setInterval(() => this.draw(), 5000);
		const { signal } = this.listening;
		addEventListener('resize', () => this.#soon(), { signal });
		// Ends projector mode. A click or a tap then opens no game.
		const pressed = (/** @type {Event} */ event) => {
			if (!isProjector()) return;
			event.preventDefault();
			event.stopPropagation();
			this.projector();
		};
		document.addEventListener('click', pressed, { signal, capture: true });
		// In full screen, the browser keeps the Escape that ends it.
		const changed = () => {
			if (isProjector() && !document.fullscreenElement) this.projector();
		};
		document.addEventListener('fullscreenchange', changed, { signal });
		this.draw();
		void this.#withoutStream(running);
	}

	/** Gets running games that the stream has not named yet. @param {GameSummary[]} running */
	async #withoutStream(running) {
		for (const { id } of running) {
			if (live.games.has(id)) continue;
			const game = await get(pathOf(id)).catch(() => null);
			if (!game || live.games.has(id)) continue;
			live.games.set(id, {
				...game,
				last: null,
				board: game.state.board,
				colours: game.state.colours,
			});
		}
		this.draw();
	}

	#soon() {
		if (!this.drawing) {
			this.drawing = requestAnimationFrame(() => {
				this.drawing = 0;
				this.draw();
			});
		}
	}

	draw() {
		const now = Date.now();
		for (const [id, { status, heard_ms: heard = 0 }] of live.games) {
			if (status !== 'running' && now - heard >= STAYS_MS) live.games.delete(id);
		}
		const games = [...live.games.values()].sort(
			(a, b) => b.begun_ms - a.begun_ms || b.number - a.number
		);
		const ids = new Set(games.map(({ id }) => id));
		for (const [id, tile] of this.tiles) {
			if (!ids.has(id)) {
				tile.element.remove();
				this.tiles.delete(id);
			}
		}
		for (const [i, game] of games.entries()) {
			let tile = this.tiles.get(game.id);
			if (!tile) {
				tile = new Tile(game);
				this.tiles.set(game.id, tile);
				this.grid.insertBefore(tile.element, this.grid.children[i]);
			}
			tile.draw(game, live.events.get(game.journal)?.name ?? '');
		}
		this.grid.dataset.count = String(Math.min(16, games.length));
		this.#arrange(games);
		this.empty.hidden = games.length > 0;
		const running = games.filter(({ status }) => status === 'running').length;
		setText(this.count, running === 1 ? '1 game' : `${running} games`);
	}

	/** Chooses the number of columns with which the boards are largest. @param {Live[]} games */
	#arrange(games) {
		const projector = isProjector();
		const width = this.grid.clientWidth || innerWidth;
		const height = innerHeight - (projector ? 30 : 140);
		// Names and the line below a board need this much.
		const lines = Math.ceil(Math.max(2, ...games.map(({ seats }) => seats.length)) / 2);
		const text = 60 + (projector ? 44 : 34) * lines;
		let best = { columns: 1, shown: 0, side: 0 };
		for (let columns = 1; columns <= games.length; columns += 1) {
			const rows = Math.ceil(games.length / columns);
			const across = width / columns - 34;
			const side = Math.min(across, height / rows - text);
			// Without the projector, the page scrolls before boards get smaller than this.
			const shown = projector ? side : Math.max(side, Math.min(across, 320));
			const same = shown > best.shown - 1 && side > best.side;
			if (shown > best.shown + 1 || same) best = { columns, shown, side };
		}
		this.grid.style.setProperty('--columns', String(best.columns));
		this.grid.style.setProperty('--board', projector ? `${Math.floor(best.side)}px` : 'none');
	}

	/** Dark, large, without controls; the key p, Escape, a click or a tap ends it. */
	projector() {
		const on = document.body.classList.toggle('projector');
		if (on) void document.documentElement.requestFullscreen?.().catch(() => {});
		else if (document.fullscreenElement) void document.exitFullscreen();
		this.draw();
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (event.key !== 'p' && !(isProjector() && event.key === 'Escape')) return false;
		this.projector();
		return true;
	}

	leave = () => {
		clearInterval(this.timer);
		this.listening.abort();
		cancelAnimationFrame(this.drawing);
		if (isProjector()) this.projector();
		this.ends();
	};
}
