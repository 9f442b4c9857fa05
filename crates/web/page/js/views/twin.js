/** Twin: one decision of a game, by the device, its twin, and the emitted Verilog in simulation. */

import * as api from '../api.js';
import { Board } from '../board.js';
import { button, fill, h, heading, link, message, numbers, setText, warning } from '../dom.js';
import { duration, summary } from '../panels.js';
import { gameId, gamePath, twinPath } from '../route.js';
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

/**
 * @param {string[]} parts name of the game, and the number of moves before the decision
 * @param {(path: string) => void} note
 */
export async function open([name = '', ply], note) {
	/** @type {Game} */
	const game = await api.get(api.pathOf(gameId(name)));
	const [tiles, variants, role] = await Promise.all([
		api.tiles(game.variant),
		api.variants(),
		api.role(),
	]);
	const starts = variants.get(game.variant)?.colours ?? [];
	return new TwinView(game, tiles, starts, role !== 'watch', ply, note);
}

/** Values of a placement that are compared. */
const VALUES = /** @type {const} */ (['code', 'score', 'visits', 'proven']);

class TwinView {
	/**
	 * @param {Game} game
	 * @param {Tiles} tiles
	 * @param {import('../types.js').Variant['colours']} starts
	 * @param {boolean} mayCompare
	 * @param {string | undefined} ply
	 * @param {(path: string) => void} note notes the address of what is shown
	 */
	constructor(game, tiles, starts, mayCompare, ply, note) {
		this.note = note;
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
		this.timeline.extend(game.state.over ? game.ply - 1 : game.ply);
		this.where = h('span', 'count');
		this.player = h('input', { placeholder: 'that of the seat' });
		this.simulations = h('input', { type: 'number', min: 10, max: 2e4, placeholder: 300 });
		this.run = button('Compare', () => void this.compare(), { class: 'primary' });
		this.alert = warning();
		this.differences = h('div', { class: 'differences', role: 'status' });
		this.columns = COLUMNS.map(([kind, title]) => {
			const board = new Board(tiles.size, { label: `${title}: choice` });
			board.setStarts(starts);
			const values = h('dl');
			const best = h('div');
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
		this.element = h(
			'section',
			'page',
			heading(
				this.title,
				this.where,
				button('Previous', () => this.timeline.step(-1)),
				button('Next', () => this.timeline.step(1)),
				link(gamePath(game.id), 'Game')
			),
			h(
				'div',
				'page-head',
				h('label', {}, 'Player ', this.player),
				h('label', {}, 'Simulations ', this.simulations),
				this.run
			),
			this.alert,
			this.differences,
			h('div', 'twins', ...this.columns.map(({ element }) => element))
		);
		this.leave = () => {
			this.closed = true;
			this.timeline.stop();
			this.cancel();
		};
		this.timeline.find(ply);
		void this.show(this.timeline.ply);
	}

	/** Shows the position before a decision. @param {number} ply */
	async show(ply) {
		this.cancel();
		this.note(twinPath(this.game.id, ply));
		const path = `${api.pathOf(this.game.id)}?ply=${ply}`;
		const answer = await api.get(path).catch(() => null);
		if (!answer || this.closed || this.timeline.ply !== ply) return;
		this.state = answer.state;
		this.draw();
	}

	cancel() {
		const { comparison } = this;
		this.comparison = null;
		if (comparison && api.isOpen(comparison)) {
			void api.remove(`comparisons/${comparison.id}`).catch(() => {});
		}
	}

	/** Compares the decision, or cancels the comparison. */
	async compare() {
		const { ply } = this.timeline;
		const open = api.isOpen(this.comparison);
		this.cancel();
		setText(this.alert, '');
		this.draw();
		if (open) return;
		try {
			/** @type {Comparison} */
			let news = await api.post('comparisons', {
				game: this.game.id,
				ply,
				player: this.player.value.trim() || undefined,
				simulations: Number(this.simulations.value) || undefined,
			});
			this.comparison = news;
			this.draw();
			while (api.isOpen(news) && this.comparison?.id === news.id) {
				await api.pause(POLL);
				news = await api.get(`comparisons/${news.id}`);
			}
			if (this.closed || this.comparison?.id !== news.id) return;
			this.comparison = news;
			setText(this.alert, news.reason ?? '');
			this.draw();
		} catch (error) {
			this.comparison = null;
			setText(this.alert, message(error));
			this.draw();
		}
	}

	draw() {
		const { comparison, game, state } = this;
		if (!state) return;
		setText(this.where, summary({ ...game, result: null }, state));
		this.run.disabled = !this.mayCompare || game.variant !== 'duo';
		setText(this.run, api.isOpen(comparison) ? 'Cancel' : 'Compare');
		const move = game.moves[state.ply];
		for (const { kind, board, values, best, element } of this.columns) {
			const decision = kind === 'device' ? null : comparison?.[kind];
			const reply = kind === 'device' ? move?.code : decision?.reply;
			const mark = String((state.to_move?.colour ?? 0) + 1);
			const cells = this.tiles.named(reply);
			const has = new Set(cells.map(cell => cell.join()));
			const placed = state.board.map((row, y) =>
				[...row].map((old, x) => (has.has(`${x},${y}`) ? mark : old)).join('')
			);
			board.draw(placed, cells);
			/** @type {[string, string][]} */
			const rows = [['choice', reply === '0000' ? 'pass' : (reply ?? '–')]];
			if (kind === 'device') {
				for (const name of ['legal set', 'score']) rows.push([name, 'not on the line']);
				rows.push(['time', move ? duration(move.sim_us ?? move.us ?? 0) : '–']);
			} else {
				rows.push(['legal set', decision ? `${decision.legal} placements` : '–']);
				rows.push(['score', (decision?.score ?? '–') + (decision?.proven ? ', proven' : '')]);
				rows.push(['cycles', decision?.cycles?.toLocaleString('en-GB') ?? '–']);
				if (decision?.simulations) rows.push(['simulations', String(decision.simulations)]);
				if (decision && decision.only.length > 0) {
					const more = decision.only.length > 6 ? ' …' : '';
					rows.push(['only here', decision.only.slice(0, 6).join(' ') + more]);
				}
			}
			fill(
				values,
				rows.map(([name, value]) => {
					const differs = this.#differs(kind, name);
					return h('div', differs ? 'differs' : '', h('dt', {}, name), h('dd', {}, value));
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
		const { twin, hardware, differences = [] } = this.comparison ?? {};
		if (!twin || !hardware) return false;
		if (name === 'only here') return true;
		if (kind === 'device') return name === 'choice' && differences.some(({ device }) => device);
		if (kind !== 'hardware') return false;
		if (name === 'legal set') return twin.only.length + hardware.only.length > 0;
		const key = /** @type {'reply' | 'cycles'} */ (name === 'choice' ? 'reply' : name);
		return twin[key] !== null && twin[key] !== hardware[key];
	}

	/** @param {Decision} decision @param {string} kind */
	#best(decision, kind) {
		const other = this.comparison?.[kind === 'twin' ? 'hardware' : 'twin'];
		return h(
			'table',
			{},
			h(
				'caption',
				{},
				'Best placements',
				decision.simulations !== null && ': visits, value, prior'
			),
			h(
				'tbody',
				{},
				decision.best.map((child, i) => {
					const { code, score, visits, prior } = child;
					const same = other?.best[i];
					const differs = VALUES.some(key => same?.[key] !== child[key]);
					const values = visits === undefined ? [score] : [visits, score, prior ?? '–'];
					return h(
						'tr',
						differs ? 'differs' : '',
						h('td', {}, h('code', {}, code)),
						numbers(values),
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
				api.isOpen(comparison)
					? 'Simulating …'
					: 'The pattern player replays the game, and must have chosen its moves. A search starts ' +
						'from the position: 300 simulations take seconds, the 100,000 of a board minutes.';
			fill(this.differences, h('p', {}, how));
			return;
		}
		const [first] = comparison.differences;
		const { device, hardware, player, simulations } = comparison;
		const part =
			!first && device && device.reply !== hardware?.reply && 'The device is not compared. ';
		const text = (/** @type {string} */ value) => h('code', {}, value);
		fill(
			this.differences,
			first
				? h(
						'p',
						'alert',
						`First difference at ply ${first.ply}: ${first.what}. `,
						'Twin ',
						text(first.twin),
						', Verilog ',
						text(first.hardware),
						first.device ? [', device ', text(first.device)] : ''
					)
				: h('p', 'good', `${device && !part ? 'Device, t' : 'T'}win and Verilog agree.`),
			simulations && h('p', {}, part, text(player), `, ${simulations} simulations`),
			h('p', {}, 'Waveform: ', text(comparison.command))
		);
	}

	/** @param {string[]} parts */
	move([name = '', ply]) {
		if (gameId(name) !== this.game.id) return false;
		this.timeline.find(ply);
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
