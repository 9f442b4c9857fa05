/** Game: watch, play and replay. */

import * as api from '../api.js';
import { isReply } from '../bytes.js';
import { button, fill, h, link, message, say, setText, warning } from '../dom.js';
import { COLOURS } from '../geometry.js';
import { commonPlies, diagnostics, drawSeats } from '../panels.js';
import { gameId, gamePath, linePath, navigate, positionPath } from '../route.js';
import { Stage } from '../stage.js';
import { concerns, listen } from '../stream.js';
import { cursorKey, playTable } from '../table.js';

/** @import { Game, State } from '../types.js' */
/** @import { Tiles } from '../tiles.js' */

/**
 * @param {string[]} parts name of the game, and the ply
 * @param {(path: string) => void} note
 */
export async function open([name = '', ply], note) {
	const id = gameId(name);
	const common = Promise.all([api.variants(), api.role()]);
	// A failure is reported below, not here.
	common.catch(() => {});
	/** @type {Game} */
	const game = await api.get(api.pathOf(id));
	const tiles = await api.tiles(game.variant);
	const [variants, role] = await common;
	return new GameView(game, tiles, variants.get(game.variant), role !== 'watch', ply, note);
}

class GameView {
	/**
	 * @param {Game} game
	 * @param {Tiles} tiles
	 * @param {import('../types.js').Variant | undefined} variant
	 * @param {boolean} mayPlay
	 * @param {string | undefined} ply
	 * @param {(path: string) => void} note notes the address of what is shown
	 */
	constructor(game, tiles, variant, mayPlay, ply, note) {
		this.note = note;
		this.game = game;
		this.tiles = tiles;
		this.mayPlay = mayPlay && game.playable;
		/** States by ply. @type {Map<number, State>} */
		this.states = new Map();
		/** True for a variant that blksgf can name. */
		this.builtIn = variant !== undefined;
		this.busy = false;
		this.stale = false;
		/** True while the refusal of a write is shown. */
		this.refused = false;
		this.closed = false;
		this.diagnostics = false;
		this.title = game.seats.map(({ name }) => name).join(' – ');
		const { board, rack, play } = playTable({
			tiles,
			variant,
			label: 'board',
			place: code => void this.place(code),
		});
		this.board = board;
		this.rack = rack;
		this.play = play;
		this.stage = new Stage(at => void this.show(at));
		this.timeline = this.stage.timeline;
		const { stage } = this;
		this.alert = warning();
		this.actions = h('div', 'tools actions');
		this.live = button('Back to the live position', () => this.timeline.step(Infinity), {
			class: 'live-link',
		});
		this.element = h(
			'div',
			'game',
			h('h1', 'visually-hidden', `Game ${this.title}`),
			h(
				'div',
				'stage',
				this.board.element,
				h(
					'div',
					'under',
					this.play.status,
					stage.line,
					this.live,
					this.alert,
					stage.controls,
					stage.curve.element
				)
			),
			h('div', 'side', stage.seats, this.rack.element, this.play.element, stage.moves, this.actions)
		);
		this.ends = listen(message => this.#message(message));
		this.#take(game);
		this.timeline.find(ply);
		void this.show(this.timeline.ply);
		void this.#fillStates();
	}

	/** Takes a newer answer of the service. @param {Game} game */
	#take(game) {
		const kept = commonPlies(this.game.moves, game.moves);
		const replaced = kept < this.game.ply;
		for (const ply of this.states.keys()) if (ply > kept) this.states.delete(ply);
		const news = game.moves.slice(kept);
		this.game = game;
		this.states.set(game.state.ply, game.state);
		for (const move of news) {
			const where =
				move.code === '0000' ? 'passes' : `tile ${move.code[2]} at ${move.code.slice(0, 2)}`;
			say(`${COLOURS[move.colour]}: ${where}`);
		}
		const { ply } = this.timeline;
		this.timeline.extend(game.ply);
		if (this.timeline.ply === ply) void this.show(ply);
		if (replaced) void this.#fillStates();
	}

	/** @param {import('../types.js').Message} message */
	#message(message) {
		const { event, data } = message;
		if (event === 'thinking' && data.game === this.game.id) {
			this.game.thinking = data.thinking;
			drawSeats(this.stage.seats, this.game, this.states.get(this.timeline.ply) ?? this.game.state);
		}
		// The game that is shown contains the records before.
		if (concerns(message, this.game) && !(data?.n < this.game.records)) void this.refresh();
	}

	/** Gets the game again. */
	async refresh() {
		if (this.busy) {
			this.stale = true;
			return;
		}
		this.busy = true;
		do {
			this.stale = false;
			await this.#ask(() => api.get(this.path));
		} while (this.stale && !this.closed);
		this.busy = false;
	}

	get path() {
		return api.pathOf(this.game.id);
	}

	/**
	 * Asks the service, and shows its answer or its refusal. Answers can overtake each other: one
	 * with fewer records than the game that is shown is older, and is ignored. The refusal of a write
	 * stays until the next write.
	 * @param {() => Promise<Game>} question
	 * @param {boolean} [writes]
	 */
	async #ask(question, writes = false) {
		try {
			const game = await question();
			if (this.closed) return;
			if (writes) this.refused = false;
			if (!this.refused) setText(this.alert, '');
			if (game.records >= this.game.records) this.#take(game);
		} catch (error) {
			if (this.closed || !(error instanceof api.Problem)) throw error;
			setText(this.alert, error.message);
			// A write without an answer was not refused.
			if (writes) this.refused = error.status > 0;
			if (error.status === 409) this.stale = true;
			if (error.cell)
				this.board.setImprint({
					cells: [error.cell],
					colour: this.play.colour,
					legal: false,
					fault: error.cell,
				});
		}
	}

	/** @param {string} action @param {Record<string, unknown>} body */
	async #write(action, body) {
		const write = () => api.post(`${this.path}/${action}`, { ply: this.game.ply, ...body });
		await this.#ask(write, true);
		if (this.stale) void this.refresh();
	}

	/** @param {string} code */
	place(code) {
		return this.#write('moves', { code });
	}

	undo() {
		return this.#write('undo', {});
	}

	resign() {
		const seat = this.game.to_move?.seat ?? 0;
		const person =
			this.game.seats[seat]?.kind === 'person'
				? seat
				: this.game.seats.findIndex(({ kind }) => kind === 'person');
		if (person >= 0 && confirm(`Resign for ${this.game.seats[person].name}?`)) {
			void this.#write('resign', { seat: person });
		}
	}

	async rematch() {
		const { game } = this;
		let entries;
		try {
			entries = JSON.parse(sessionStorage.getItem(`seats-${game.id}`) ?? 'null');
		} catch {
			entries = null;
		}
		if (!entries) {
			navigate('/play');
			return;
		}
		const seats = [...entries.seats.slice(1), entries.seats[0]];
		try {
			const next = await api.post('games', { ...entries, seats });
			sessionStorage.setItem(`seats-${next.id}`, JSON.stringify({ ...entries, seats }));
			navigate(gamePath(next.id));
		} catch (error) {
			setText(this.alert, message(error));
		}
	}

	/** State at a ply. @param {number} ply @returns {Promise<State>} */
	async #state(ply) {
		const known = this.states.get(ply);
		if (known) return known;
		/** @type {Game} */
		const { moves, state } = await api.get(`${this.path}?ply=${ply}`);
		// Moves may have been taken back meanwhile.
		if (commonPlies(moves, this.game.moves) >= ply) this.states.set(ply, state);
		return state;
	}

	/** Gets all states, one after the other, for the curve and for stepping without delay. */
	async #fillStates() {
		for (let ply = 0; ply < this.game.ply && !this.closed; ply += 1) {
			if (this.states.has(ply)) continue;
			try {
				await this.#state(ply);
			} catch {
				return;
			}
			if (ply % 4 === 0) this.stage.drawCurve(this.game, this.states);
		}
		if (!this.closed) this.stage.drawCurve(this.game, this.states);
	}

	/** Shows a ply. @param {number} ply */
	async show(ply) {
		const state = await this.#state(ply).catch(() => null);
		if (!state || this.closed || this.timeline.ply !== ply) return;
		const { game } = this;
		const latest = ply === game.ply;
		const code = game.moves[ply - 1]?.code;
		this.board.draw(state.board, this.tiles.named(code));
		const turn = state.to_move && game.seats[state.to_move.seat]?.kind === 'person';
		const mine = latest && game.status === 'running' && this.mayPlay && turn;
		this.play.setState(mine ? state : null);
		if (!mine) {
			const colour = state.to_move?.colour ?? 0;
			this.rack.draw(colour, state.colours[colour].left, { active: false });
		}
		this.play.element.hidden = !this.mayPlay || game.status !== 'running' || !latest;
		this.play.status.hidden = this.play.element.hidden;
		this.element.classList.toggle('playing', !this.play.element.hidden);
		this.live.hidden = latest || game.status !== 'running';
		if (this.diagnostics) this.#marks(state);
		this.stage.draw(game, state, this.states);
		this.#actions(latest);
		this.note(gamePath(game.id, latest && game.status === 'running' ? undefined : ply));
	}

	/** Ply that is shown; undefined at the end. */
	#shownPly() {
		return this.timeline.following ? undefined : this.timeline.ply;
	}

	/** @param {boolean} latest */
	#actions(latest) {
		const { game } = this;
		const running = game.status === 'running' && this.mayPlay && latest;
		const codes = game.moves.slice(0, this.timeline.ply).map(({ code }) => code);
		const save = (/** @type {string} */ form) =>
			h('a', { href: `/api/v1/${this.path}.${form}`, download: `${game.id}.${form}` }, form);
		fill(this.actions, [
			running
				? button('Undo', () => void this.undo(), { disabled: !game.undo, title: 'key z' })
				: null,
			running ? button('Resign', () => this.resign()) : null,
			game.status === 'ended' && this.mayPlay ? button('Rematch', () => void this.rematch()) : null,
			link(positionPath(game.variant, codes), 'Analyse'),
			game.wire || game.moves.some(isReply)
				? link(linePath(game.id, this.#shownPly()), 'Line')
				: null,
			h(
				'span',
				'save',
				'save as ',
				this.builtIn ? [save('blksgf'), ' '] : null,
				save('list'),
				' ',
				save('svg'),
				' ',
				save('html')
			),
		]);
	}

	/** @param {State} state */
	#marks(state) {
		this.board.setMarks(this.diagnostics ? diagnostics(state) : []);
	}

	/** @param {string[]} parts */
	move([name, ply]) {
		if (gameId(name) !== this.game.id) return false;
		this.timeline.stop();
		this.timeline.find(ply);
		return true;
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (event.key === 'v') this.board.turnView();
		else if (event.key === 'x') {
			this.diagnostics = !this.diagnostics;
			this.#marks(this.states.get(this.timeline.ply) ?? this.game.state);
		} else if (event.key === 'z' && this.game.undo && this.mayPlay) void this.undo();
		else if (cursorKey(this.board, this.play, event)) return true;
		else if (!(this.mayPlay && this.play.key(event))) {
			return this.stage.key(event);
		} else return true;
		if (event.key === 'v') this.play.draw();
		return true;
	}

	leave = () => {
		this.closed = true;
		this.timeline.stop();
		this.ends();
	};
}
