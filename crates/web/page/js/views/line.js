/** Line: the bytes of the devices in a game, each reply in its second, and the move on the board. */

import * as api from '../api.js';
import { Board } from '../board.js';
import { bytesTable, isReply, secondBar } from '../bytes.js';
import { fill, h, heading, link, reveal, setCurrent, setText } from '../dom.js';
import { commonPlies, duration, summary, swatch } from '../panels.js';
import { gameId, gamePath, linePath, twinPath } from '../route.js';
import { concerns, listen } from '../stream.js';
import { Timeline, watchKey } from '../timeline.js';

/** @import { Game, State, Wire } from '../types.js' */
/** @import { Tiles } from '../tiles.js' */

/**
 * @param {string[]} parts name of the game, and the ply
 * @param {(path: string) => void} note
 */
export async function open([name = '', ply], note) {
	const path = api.pathOf(gameId(name));
	const variants = api.variants();
	variants.catch(() => {});
	/** @type {[Game, Wire]} */
	const [game, wire] = await Promise.all([api.get(path), api.get(`${path}/wire`)]);
	const tiles = await api.tiles(game.variant);
	const starts = (await variants).get(game.variant)?.colours ?? [];
	return new LineView(game, wire, tiles, starts, ply, note);
}

class LineView {
	/**
	 * @param {Game} game
	 * @param {Wire} wire
	 * @param {Tiles} tiles
	 * @param {import('../types.js').Variant['colours']} starts
	 * @param {string | undefined} ply
	 * @param {(path: string) => void} note notes the address of what is shown
	 */
	constructor(game, wire, tiles, starts, ply, note) {
		this.note = note;
		this.game = game;
		this.wire = wire;
		this.tiles = tiles;
		this.closed = false;
		this.title = `Line: ${game.seats.map(({ name }) => name).join(' – ')}`;
		/** States by ply. @type {Map<number, State>} */
		this.states = new Map([[game.state.ply, game.state]]);
		this.board = new Board(tiles.size, { label: 'position after the move' });
		this.board.setStarts(starts);
		this.timeline = new Timeline(at => void this.show(at));
		this.result = h('p', 'summary');
		this.twin = h('a', { class: 'button', hidden: game.variant !== 'duo' }, 'Twin');
		this.evidence = h('div', 'evidence');
		this.rows = h('ol', { class: 'replies', 'aria-label': 'replies', tabindex: 0 });
		this.bytes = h('div');
		this.element = h(
			'section',
			'page',
			heading(this.title, h('span', 'count'), this.twin, link(gamePath(game.id), 'Game')),
			this.result,
			this.evidence,
			h(
				'div',
				'line',
				h('div', 'line-main', this.rows, this.bytes),
				h('div', 'line-board', this.board.element)
			)
		);
		this.ends = listen(message => {
			if (concerns(message, this.game)) void this.refresh();
		});
		this.leave = () => {
			this.closed = true;
			this.timeline.stop();
			this.ends();
		};
		this.#take();
		this.timeline.find(ply);
		void this.show(this.timeline.ply);
	}

	/** Gets the game and its bytes again. */
	async refresh() {
		const path = api.pathOf(this.game.id);
		const news = await Promise.all([api.get(path), api.get(`${path}/wire`)]).catch(() => null);
		if (!news || this.closed || news[0].records < this.game.records) return;
		const kept = commonPlies(this.game.moves, news[0].moves);
		for (const ply of this.states.keys()) if (ply > kept) this.states.delete(ply);
		[this.game, this.wire] = news;
		this.states.set(this.game.state.ply, this.game.state);
		this.#take();
		void this.show(this.timeline.ply);
	}

	/** Number of plies with a prompt: the last one may have no move. */
	get last() {
		const prompted = this.wire.entries.map(({ ply }) => (ply ?? -1) + 1);
		return Math.max(this.game.ply, ...prompted);
	}

	#take() {
		const { game, wire } = this;
		this.timeline.extend(this.last);
		setText(this.result, game.result ? summary(game, game.state) : `in progress, ply ${game.ply}`);
		const path = `/api/v1/${api.pathOf(game.id)}`;
		const file = (/** @type {string} */ name) =>
			h('a', { href: `${path}/evidence/${name}`, download: '' }, name);
		const list = h('a', { href: `${path}.list` }, 'list');
		fill(
			this.evidence,
			wire.files.length > 0
				? h('p', {}, 'Evidence: ', ...wire.files.flatMap(name => [file(name), ' ']), list)
				: null,
			wire.replay ? h('p', {}, 'Replay: ', h('code', {}, wire.replay)) : null,
			wire.files.length > 0
				? null
				: h('p', {}, 'No bytes are kept of this game: the times are those of its journal.'),
			game.seats.some(({ unofficial }) => unofficial)
				? h('p', {}, 'The times are unofficial: they contain those of a browser.')
				: null,
			wire.truncated ? h('p', 'alert', 'Some bytes are missing.') : null
		);
		fill(
			this.rows,
			Array.from({ length: this.last }, (_, ply) => this.#row(ply))
		);
	}

	/** @param {number} ply */
	#row(ply) {
		const move = this.game.moves[ply];
		const go = () => {
			this.timeline.stop();
			this.timeline.go(ply + 1);
		};
		const host = move?.host_us ?? null;
		return h(
			'li',
			{},
			h(
				'button',
				{ type: 'button', click: go },
				h('span', 'number', ply + 1),
				swatch(move?.colour ?? ply % 2),
				h('code', {}, !move ? 'none' : move.code === '0000' ? 'pass' : move.code),
				move && isReply(move) ? secondBar(move) : h('span', 'second'),
				h('span', 'took', move ? duration(move.sim_us ?? move.us ?? 0) : 'no move'),
				h('small', {}, host === null ? '' : `host ${duration(host)}`)
			)
		);
	}

	/** Entries of a ply; those before the first prompt and after the last are at its ends. */
	#entries() {
		const { entries } = this.wire;
		const ply = this.timeline.ply - 1;
		if (ply >= 0) {
			const own = entries.filter(entry => entry.ply === ply);
			if (ply + 1 < this.last) return own;
			const from = entries.findLastIndex(entry => entry.ply !== null);
			return [...own, ...entries.slice(from + 1).filter(entry => entry.ply === null)];
		}
		const first = entries.findIndex(entry => entry.ply !== null);
		return first < 0 ? entries : entries.slice(0, first);
	}

	/** Shows a ply: its bytes, and the position after it. @param {number} at */
	async show(at) {
		const plies = Math.min(at, this.game.ply);
		[...this.rows.children].forEach((item, i) => {
			const now = i + 1 === at;
			setCurrent(/** @type {Element} */ (item.firstElementChild), now && 'step');
			// The first time, the list is not in the document yet.
			if (now)
				requestAnimationFrame(() => reveal(this.rows, /** @type {HTMLElement} */ (item)));
		});
		const entries = this.#entries();
		const names = this.game.seats.map(({ name }) => name);
		fill(
			this.bytes,
			entries.length > 0 ? bytesTable(entries, names) : null,
			entries.length === 0 && this.wire.entries.length > 0
				? h('p', 'summary', at === 0 ? 'no bytes' : 'a person or a program moved')
				: null
		);
		this.note(linePath(this.game.id, at));
		this.twin.setAttribute('href', twinPath(this.game.id, Math.max(0, at - 1)));
		let state = this.states.get(plies);
		if (!state) {
			const path = `${api.pathOf(this.game.id)}?ply=${plies}`;
			/** @type {Game | null} */
			const answer = await api.get(path).catch(() => null);
			if (!answer) return;
			({ state } = answer);
			// Moves may have been taken back meanwhile.
			if (commonPlies(answer.moves, this.game.moves) >= plies) this.states.set(plies, state);
		}
		if (this.closed || this.timeline.ply !== at) return;
		const code = this.game.moves[plies - 1]?.code;
		this.board.draw(state.board, this.tiles.named(code));
	}

	/** @param {string[]} parts */
	move([name = '', ply]) {
		if (gameId(name) !== this.game.id) return false;
		this.timeline.stop();
		this.timeline.find(ply);
		return true;
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (event.key === 'v') {
			this.board.turnView();
			return true;
		}
		if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
			this.timeline.step(event.key === 'ArrowUp' ? -1 : 1);
			return true;
		}
		return watchKey(this.timeline, event);
	}
}
