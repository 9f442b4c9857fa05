/** Twin: one decision of a game, by the device, its twin, and the emitted Verilog in simulation. */

import * as api from '../api.js';
import { Board } from '../board.js';
import { button, fill, h, setText } from '../dom.js';
import { duration, summary } from '../panels.js';
import { gameId, gamePath, noteAddress, twinPath } from '../route.js';
import { Timeline, watchKey } from '../timeline.js';

/** @import { Comparison, Decision, Game, State } from '../types.js' */
/** @import { Tiles } from '../tiles.js' */

/** Interval of questions for the result, in milliseconds. */
const POLL = 300;

/** Columns by their name in a comparison. */
const COLUMNS = /** @type {const} */ ([
	['device', 'Device'],
	['twin', 'Twin'],
	['hardware', 'Verilog in simulation'],
]);

/** @param {string[]} parts name of the game, and the number of moves before the decision */
export async function open([name = '', ply]) {
	/** @type {Game} */
	const game = await api.get(`games/${encodeURIComponent(gameId(name))}`);
	const [tiles, variants, role] = await Promise.all([
		api.tiles(game.variant),
		api.variants(),
		api.role().catch(() => 'watch'),
	]);
	const starts = variants.get(game.variant)?.colours ?? [];
	return new TwinView(game, tiles, starts, role !== 'watch', ply);
}

class TwinView {
	/**
	 * @param {Game} game
	 * @param {Tiles} tiles
	 * @param {import('../types.js').Variant['colours']} starts
	 * @param {boolean} mayCompare
	 * @param {string | undefined} ply
	 */
	constructor(game, tiles, starts, mayCompare, ply) {
		this.game = game;
		this.tiles = tiles;
		this.mayCompare = mayCompare;
		this.title = `Twin: ${game.seats.map(({ name }) => name).join(' – ')}`;
		/** @type {State | null} */
		this.state = null;
		/** @type {Comparison | null} */
		this.comparison = null;
		this.closed = false;
		this.timeline = new Timeline(at => void this.show(at));
		this.timeline.extend(game.result ? game.ply - 1 : game.ply);
		this.where = h('span', { class: 'count' });
		this.run = button('Compare', () => void this.compare(), { class: 'primary' });
		this.alert = h('p', { class: 'alert', role: 'alert' });
		this.differences = h('div', { class: 'differences', role: 'status' });
		this.columns = COLUMNS.map(([kind, title]) => {
			const board = new Board(tiles.size, { label: `${title}: choice` });
			board.setStarts(starts);
			const values = h('dl', {});
			const best = h('div', {});
			const element = h(
				'section',
				{ class: 'twin-column', 'aria-label': title },
				h('h2', {}, title),
				board.element,
				values,
				best
			);
			return { kind, board, values, best, element };
		});
		const step = (/** @type {number} */ plies) => this.timeline.step(plies);
		this.element = h(
			'section',
			{ class: 'page' },
			h(
				'div',
				{ class: 'page-head' },
				h('h1', {}, this.title),
				this.where,
				button('Previous', () => step(-1)),
				button('Next', () => step(1)),
				this.run,
				h('a', { class: 'button', href: gamePath(game.id) }, 'Game')
			),
			this.alert,
			this.differences,
			h('div', { class: 'twins' }, ...this.columns.map(({ element }) => element))
		);
		this.leave = () => {
			this.closed = true;
			this.timeline.stop();
			this.cancel();
		};
		if (ply !== undefined && /^\d+$/.test(ply)) this.timeline.go(Number(ply));
		void this.show(this.timeline.ply);
	}

	/** Shows the position before a decision. @param {number} ply */
	async show(ply) {
		this.cancel();
		noteAddress(twinPath(this.game.id, ply));
		const path = `games/${encodeURIComponent(this.game.id)}?ply=${ply}`;
		const answer = await api.get(path).catch(() => null);
		if (!answer || this.closed || this.timeline.ply !== ply) return;
		this.state = answer.state;
		this.draw();
	}

	cancel() {
		const { comparison } = this;
		this.comparison = null;
		if (comparison && ['waiting', 'running'].includes(comparison.status)) {
			void api.remove(`comparisons/${comparison.id}`).catch(() => {});
		}
	}

	async compare() {
		const { ply } = this.timeline;
		this.cancel();
		setText(this.alert, '');
		try {
			/** @type {Comparison} */
			let news = await api.post('comparisons', { game: this.game.id, ply });
			this.comparison = news;
			this.draw();
			while (['waiting', 'running'].includes(news.status) && this.comparison?.id === news.id) {
				await new Promise(resolve => {
					setTimeout(resolve, POLL);
				});
				news = await api.get(`comparisons/${news.id}`);
			}
			if (this.closed || this.comparison?.id !== news.id) return;
			this.comparison = news;
			setText(this.alert, news.reason ?? '');
			this.draw();
		} catch (error) {
			this.comparison = null;
			setText(this.alert, error instanceof Error ? error.message : String(error));
			this.draw();
		}
	}

	draw() {
		const { comparison, game, state } = this;
		if (!state) return;
		setText(this.where, summary({ ...game, result: null }, state));
		const busy = comparison && ['waiting', 'running'].includes(comparison.status);
		this.run.disabled = !this.mayCompare || game.variant !== 'duo' || Boolean(busy);
		setText(this.run, busy ? 'Simulating …' : 'Compare');
		const move = game.moves[state.ply];
		for (const { kind, board, values, best, element } of this.columns) {
			const decision = kind === 'device' ? null : comparison?.[kind];
			const reply = kind === 'device' ? move?.code : decision?.reply;
			const placement = reply && reply !== '0000' ? this.tiles.read(reply) : null;
			const mark = String((state.to_move?.colour ?? 0) + 1);
			const cells = placement ? this.tiles.cells(placement) : [];
			const has = new Set(cells.map(cell => cell.join()));
			const placed = state.board.map((row, y) =>
				[...row].map((old, x) => (has.has(`${x},${y}`) ? mark : old)).join('')
			);
			board.draw(placed, cells);
			/** @type {[string, string][]} */
			const rows = [['choice', reply === '0000' ? 'pass' : (reply ?? '–')]];
			if (kind === 'device') {
				rows.push(['legal set', 'not on the line'], ['score', 'not on the line']);
				rows.push(['time', move ? duration(move.sim_us ?? move.us ?? 0) : '–']);
			} else {
				rows.push(['legal set', decision ? `${decision.legal} placements` : '–']);
				rows.push(['score', String(decision?.score ?? '–')]);
				rows.push(['cycles', decision ? decision.cycles.toLocaleString('en-GB') : '–']);
				if (decision && decision.only.length > 0) {
					const more = decision.only.length > 6 ? ' …' : '';
					rows.push(['only here', decision.only.slice(0, 6).join(' ') + more]);
				}
			}
			fill(
				values,
				rows.flatMap(([name, value]) => {
					const differs = this.#differs(kind, name);
					return h('div', { class: differs ? 'differs' : '' }, h('dt', {}, name), h('dd', {}, value));
				})
			);
			fill(best, decision ? this.#best(decision, kind) : null);
			const first = comparison?.differences[0];
			const broken = kind === 'hardware' && first?.ply === state.ply && !first.device;
			element.classList.toggle(
				'differs',
				broken || rows.some(([name]) => this.#differs(kind, name))
			);
		}
		this.#report();
	}

	/** True if a value of a column is not that of the others. @param {string} kind @param {string} name */
	#differs(kind, name) {
		const { comparison, game, state } = this;
		const { twin, hardware } = comparison ?? {};
		if (!twin || !hardware || !state) return false;
		if (name === 'choice') {
			const move = game.moves[state.ply]?.code;
			const all = [twin.reply, hardware.reply, ...(move ? [move] : [])];
			const own = kind === 'device' ? move : kind === 'twin' ? twin.reply : hardware.reply;
			return own !== undefined && all.filter(reply => reply === own).length <= all.length / 2;
		}
		if (name === 'only here') return true;
		if (kind !== 'hardware') return false;
		if (name === 'legal set') return twin.only.length + hardware.only.length > 0;
		if (name === 'score') return twin.score !== hardware.score;
		return name === 'cycles' && twin.cycles !== hardware.cycles;
	}

	/** @param {Decision} decision @param {string} kind */
	#best(decision, kind) {
		const other = this.comparison?.[kind === 'twin' ? 'hardware' : 'twin'];
		return h(
			'table',
			{},
			h('caption', {}, 'Best placements'),
			h(
				'tbody',
				{},
				decision.best.map(({ code, score }, i) => {
					const same = other?.best[i];
					const differs = !same || same.code !== code || same.score !== score;
					return h(
						'tr',
						{ class: differs ? 'differs' : '' },
						h('td', {}, h('code', {}, code)),
						h('td', { class: 'number' }, score),
						h('td', {}, code === decision.reply ? 'chosen' : differs ? 'differs' : '')
					);
				})
			)
		);
	}

	#report() {
		const { comparison } = this;
		if (!comparison || comparison.status !== 'done') {
			const how =
				'The pattern player replays the game in simulation up to this decision. ' +
				'A device cannot be set to a position: it must have chosen the same moves before.';
			fill(this.differences, h('p', {}, how));
			return;
		}
		const [first] = comparison.differences;
		const text = (/** @type {string} */ value) => h('code', {}, value);
		fill(
			this.differences,
			first
				? h(
						'p',
						{ class: 'alert' },
						`First difference at ply ${first.ply}: ${first.what}. `,
						'Twin ',
						text(first.twin),
						', Verilog ',
						text(first.hardware),
						first.device ? [', device ', text(first.device)] : ''
					)
				: h('p', { class: 'good' }, 'Device, twin and Verilog agree.'),
			h('p', {}, 'Waveform: ', text(comparison.command))
		);
	}

	/** @param {string[]} parts */
	move([name = '', ply]) {
		if (gameId(name) !== this.game.id) return false;
		this.timeline.go(ply === undefined ? this.timeline.last : Number(ply));
		return true;
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (event.key === 'v') {
			for (const { board } of this.columns) board.turnView();
			this.draw();
			return true;
		}
		return event.key !== ' ' && watchKey(this.timeline, event);
	}

	/** @type {() => void} */
	leave;
}
