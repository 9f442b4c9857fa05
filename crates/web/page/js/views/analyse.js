/** Analyse: any position, its candidates, and heat maps. */

import * as api from '../api.js';
import { drawCandidates, progress, shares } from '../candidates.js';
import { button, fill, h, iconButton, say, setText } from '../dom.js';
import { readMoves } from '../files.js';
import { COLOURS } from '../geometry.js';
import { signed, swatch } from '../panels.js';
import { navigate, noteAddress, positionPath } from '../route.js';
import { connection, listen } from '../stream.js';
import { cursorKey, playTable } from '../table.js';

/** @import { Analysis, Candidate, State } from '../types.js' */
/** @import { Tiles } from '../tiles.js' */

/** Candidates that are numbered on the board. */
const SHOWN = 5;

/** @param {string[]} parts variant, and codes with commas */
export async function open([name = 'duo', text = '']) {
	const [tiles, variants, role] = await Promise.all([
		api.tiles(name),
		api.variants(),
		api.role().catch(() => 'watch'),
	]);
	const codes = text.split(',').filter(Boolean);
	const state = await api.position(name, codes);
	return new AnalyseView(tiles, variants, role !== 'watch', codes, state);
}

class AnalyseView {
	/**
	 * @param {Tiles} tiles
	 * @param {Map<string, import('../types.js').Variant>} variants
	 * @param {boolean} mayAnalyse
	 * @param {string[]} codes
	 * @param {State} state
	 */
	constructor(tiles, variants, mayAnalyse, codes, state) {
		this.title = 'Analyse';
		this.tiles = tiles;
		this.variants = variants;
		this.mayAnalyse = mayAnalyse;
		this.variant = state.variant;
		this.codes = codes;
		this.at = codes.length;
		this.state = state;
		/** @type {Analysis | null} */
		this.analysis = null;
		/** Map on the board: `none`, `prior` or `value`. */
		this.map = 'none';
		const { board, rack, play } = playTable({
			tiles,
			variant: variants.get(this.variant),
			label: 'position',
			place: code => void this.add(code),
		});
		this.board = board;
		this.rack = rack;
		this.play = play;
		this.alert = h('p', { class: 'alert', role: 'alert' });
		const chosen = h(
			'select',
			{ id: 'analyse-variant', change: () => navigate(positionPath(chosen.value, [])) },
			[...this.variants.keys()].map(name => h('option', { selected: name === this.variant }, name))
		);
		this.moves = h('input', {
			id: 'codes',
			autocomplete: 'off',
			autocapitalize: 'none',
			spellcheck: 'false',
			placeholder: '53e0 a8e0 …',
		});
		this.file = h('input', {
			type: 'file',
			accept: '.blksgf,.list,.txt',
			class: 'visually-hidden',
			change: () => void this.open(),
		});
		const form = h(
			'form',
			{
				class: 'code-form',
				submit: (/** @type {Event} */ event) => {
					event.preventDefault();
					void this.go(this.moves.value.split(/[\s,]+/).filter(Boolean));
				},
			},
			h('label', { for: 'codes' }, 'Position'),
			this.moves,
			button('Set', () => {}, { type: 'submit' }),
			h('label', { class: 'button file' }, 'Open a file', this.file)
		);
		this.limit = h(
			'select',
			{ id: 'limit', 'aria-label': 'simulations' },
			[1000, 10_000, 100_000].map(n =>
				h(
					'option',
					{ value: n, selected: n === 10_000 },
					`${n.toLocaleString('en-GB')} simulations`
				)
			)
		);
		this.run = button('Analyse', () => void this.analyse(), { class: 'primary' });
		this.maps = ['none', 'prior', 'value'].map(map =>
			button(
				map === 'none' ? 'No map' : `${map[0].toUpperCase()}${map.slice(1)} map`,
				() => {
					this.map = map;
					this.draw();
				},
				{ 'data-map': map }
			)
		);
		this.progress = h('p', { class: 'summary' });
		this.table = h('div', {
			class: 'scroll',
			tabindex: 0,
			role: 'region',
			'aria-label': 'candidates',
		});
		this.seats = h('div', { class: 'colour-rows' });
		this.element = h(
			'div',
			{ class: 'game' },
			h('h1', { class: 'visually-hidden' }, 'Analyse a position'),
			h(
				'div',
				{ class: 'stage' },
				this.board.element,
				h(
					'div',
					{ class: 'under' },
					this.play.status,
					this.alert,
					h(
						'div',
						{ class: 'controls', role: 'group', 'aria-label': 'moves' },
						iconButton('first ply', 'first', () => void this.step(-Infinity)),
						iconButton('previous ply', 'back', () => void this.step(-1)),
						iconButton('next ply', 'forward', () => void this.step(1)),
						iconButton('last ply', 'last', () => void this.step(Infinity))
					),
					form
				)
			),
			h(
				'div',
				{ class: 'side' },
				h('div', { class: 'row' }, h('label', { for: 'analyse-variant' }, 'Variant'), chosen),
				this.seats,
				h('div', { class: 'tools' }, this.limit, this.run),
				h('div', { class: 'tools' }, this.maps),
				this.progress,
				this.table,
				this.rack.element,
				this.play.element
			)
		);
		this.ends = listen(({ event, data }) => {
			if (event === 'analysis' && data.id === this.analysis?.id) this.#took(data);
		});
		this.leave = () => {
			this.ends();
			this.cancel();
		};
		this.#show();
	}

	/** Shows the position after `codes`. @param {string[]} codes @param {number} [at] */
	async go(codes, at = codes.length) {
		try {
			const state = await api.position(this.variant, codes.slice(0, at));
			this.cancel();
			this.codes = codes;
			this.at = at;
			this.state = state;
			setText(this.alert, '');
			this.#show();
		} catch (error) {
			if (!(error instanceof api.Problem)) throw error;
			setText(this.alert, error.message);
		}
	}

	/** Shows the position at the end of the file that was chosen. */
	async open() {
		const file = this.file.files?.[0];
		this.file.value = '';
		if (!file) return;
		try {
			const { variant, codes } = await readMoves(await file.text(), api.tiles);
			if (variant && variant !== this.variant) navigate(positionPath(variant, codes));
			else await this.go(codes);
		} catch (error) {
			setText(this.alert, error instanceof Error ? error.message : String(error));
		}
	}

	/** @param {string} code */
	add(code) {
		say(`${COLOURS[this.state.to_move?.colour ?? 0]}: ${code}`);
		const kept =
			this.codes[this.at] === code ? this.codes : [...this.codes.slice(0, this.at), code];
		return this.go(kept, this.at + 1);
	}

	/** @param {number} plies */
	step(plies) {
		const at = Math.max(0, Math.min(this.codes.length, this.at + plies));
		return at === this.at ? Promise.resolve() : this.go(this.codes, at);
	}

	async analyse() {
		if (this.analysis && ['running', 'waiting'].includes(this.analysis.status)) {
			this.cancel();
			return;
		}
		try {
			this.#took(
				await api.post('analyses', {
					variant: this.variant,
					codes: this.codes.slice(0, this.at),
					simulations: Number(this.limit.value),
				})
			);
			void this.#poll();
		} catch (error) {
			if (!(error instanceof api.Problem)) throw error;
			setText(this.alert, error.message);
		}
	}

	/** Asks for progress while the stream is not open. */
	async #poll() {
		const { analysis } = this;
		while (
			analysis &&
			this.analysis?.id === analysis.id &&
			['running', 'waiting'].includes(this.analysis.status)
		) {
			await new Promise(resolve => {
				setTimeout(resolve, connection === 'open' ? 2000 : 400);
			});
			const news = await api.get(`analyses/${analysis.id}`).catch(() => null);
			if (news && this.analysis?.id === analysis.id) this.#took(news);
			if (!news) return;
		}
	}

	cancel() {
		const { analysis } = this;
		this.analysis = null;
		if (analysis && ['running', 'waiting'].includes(analysis.status)) {
			void api.remove(`analyses/${analysis.id}`).catch(() => {});
		}
		this.draw();
	}

	/** @param {Analysis} analysis */
	#took(analysis) {
		this.analysis = analysis;
		this.draw();
	}

	#show() {
		const { state } = this;
		const code = this.codes[this.at - 1];
		const placement = code ? this.tiles.read(code) : null;
		this.board.draw(state.board, placement ? this.tiles.cells(placement) : []);
		this.play.setState(state.over ? null : state);
		if (state.over) this.rack.draw(0, state.colours[0].left, { active: false });
		this.moves.value = this.codes.slice(0, this.at).join(' ');
		fill(
			this.seats,
			state.colours.map((colour, index) =>
				h(
					'div',
					{ class: `colour-row${state.to_move?.colour === index ? ' turn' : ''}` },
					swatch(index),
					h('span', { class: 'seat-name' }, COLOURS[index]),
					h('span', {}, `${colour.left.length} tiles`),
					h('span', {}, `${colour.void} void`),
					h('strong', { class: 'score' }, signed(colour.score))
				)
			)
		);
		noteAddress(positionPath(this.variant, this.codes.slice(0, this.at)));
		this.draw();
	}

	/** Shows candidates and maps. */
	draw() {
		const { analysis } = this;
		const busy = analysis && ['running', 'waiting'].includes(analysis.status);
		setText(this.run, busy ? 'Stop' : 'Analyse');
		this.run.disabled = !this.mayAnalyse || this.state.over || this.variant !== 'duo';
		for (const choice of this.maps) {
			choice.disabled = !analysis;
			choice.setAttribute('aria-pressed', String(choice.dataset.map === this.map));
		}
		this.play.draw();
		if (this.state.over) setText(this.play.status, 'the game is over');
		if (!analysis) {
			setText(this.progress, this.variant === 'duo' ? '' : 'programs analyse the variant duo only');
			fill(this.table);
			return;
		}
		const { candidates } = analysis;
		setText(this.progress, progress(analysis));
		drawCandidates(this.table, candidates, {
			play: code => void this.add(code),
			preview: candidate => this.#preview(candidate),
			end: () => this.draw(),
		});
		if (this.map !== 'none') this.board.setHeat(shares(this.tiles, candidates, this.map));
		if (!this.play.hand.letter && this.map === 'none') this.#number(candidates);
	}

	/** @param {Candidate[]} candidates */
	#number(candidates) {
		const most = Math.max(1, ...candidates.map(({ visits }) => visits));
		this.board.setCandidates(
			candidates.slice(0, SHOWN).flatMap((candidate, i) => {
				const placement = this.tiles.placement(candidate.action);
				return placement
					? [
							{
								cells: this.tiles.cells(placement),
								label: String(i + 1),
								colour: this.play.colour,
								weight: candidate.visits / most,
							},
						]
					: [];
			})
		);
	}

	/** Shows the moves that a candidate leads to. @param {Candidate} candidate */
	#preview(candidate) {
		const first = this.play.colour;
		const colours = this.state.colours.length;
		this.board.setCandidates(
			candidate.moves.slice(0, 6).flatMap((code, i) => {
				const placement = this.tiles.read(code);
				return placement
					? [
							{
								cells: this.tiles.cells(placement),
								label: String(i + 1),
								colour: (first + i) % colours,
								weight: 1 - i / 8,
							},
						]
					: [];
			})
		);
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (event.key === 'v') {
			this.board.turnView();
			this.draw();
			return true;
		}
		if (cursorKey(this.board, this.play, event)) return true;
		if (this.play.key(event)) {
			// Hints share the board with the candidates.
			if (this.analysis && !this.play.hand.letter) this.draw();
			return true;
		}
		/** @type {Record<string, number>} */
		const steps = {
			ArrowLeft: event.shiftKey ? -10 : -1,
			ArrowRight: event.shiftKey ? 10 : 1,
			Home: -Infinity,
			End: Infinity,
			z: -1,
		};
		if (!Object.hasOwn(steps, event.key)) return false;
		void this.step(steps[event.key]);
		return true;
	}

	/** @type {() => void} */
	leave;
}
