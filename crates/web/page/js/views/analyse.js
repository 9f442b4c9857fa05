/** Analyse: any position with its variations, its candidates, and heat maps. */

import * as api from '../api.js';
import { drawCandidates, numbered, previewed, progress, shares } from '../candidates.js';
import { button, fill, h, iconButton, say, setText, warning } from '../dom.js';
import { readGame } from '../files.js';
import { COLOURS } from '../geometry.js';
import { signed, swatch } from '../panels.js';
import { navigate, positionPath } from '../route.js';
import { connection, listen } from '../stream.js';
import { cursorKey, playTable } from '../table.js';
import { MoveTree } from '../tree.js';
import { Variations } from '../variations.js';

/** @import { Analysis, State } from '../types.js' */
/** @import { Tiles } from '../tiles.js' */

/**
 * @param {string[]} parts variant, and codes with commas
 * @param {(path: string) => void} note
 */
export async function open([name = 'duo', text = ''], note) {
	const [tiles, variants, role] = await Promise.all([api.tiles(name), api.variants(), api.role()]);
	const codes = text.split(',').filter(Boolean);
	const state = await api.position(name, codes);
	const canonical = codes.map(code => tiles.canonical(code));
	const tree = MoveTree.kept(sessionStorage, name, canonical) ?? MoveTree.of(name, canonical);
	return new AnalyseView(tiles, variants, role !== 'watch', tree, state, note);
}

class AnalyseView {
	/**
	 * @param {Tiles} tiles
	 * @param {Map<string, import('../types.js').Variant>} variants
	 * @param {boolean} mayAnalyse
	 * @param {MoveTree} tree
	 * @param {State} state
	 * @param {(path: string) => void} note notes the address of what is shown
	 */
	constructor(tiles, variants, mayAnalyse, tree, state, note) {
		this.note = note;
		this.title = 'Analyse';
		this.tiles = tiles;
		this.variants = variants;
		this.mayAnalyse = mayAnalyse;
		this.variant = state.variant;
		this.tree = tree;
		this.state = state;
		/** Number of the positions that were requested. */
		this.asked = 0;
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
		this.alert = warning();
		const chosen = h(
			'select',
			{ id: 'analyse-variant', change: () => navigate(positionPath(chosen.value, [])) },
			[...this.variants.keys()].map(name => h('option', { selected: name === this.variant }, name))
		);
		this.variations = new Variations({
			tree: () => this.tree,
			go: node => void this.go(node),
			changed: () => this.tree.keep(sessionStorage),
			remove: () => {
				const { tree } = this;
				void this.#ask(tree.codes(tree.nodes[tree.current].parent), () => tree.remove());
			},
			begin: () => void this.#ask([], () => {}, MoveTree.of(this.variant, [])),
			open: text => void this.open(text),
			failed: error => this.#failed(error),
		});
		this.moves = h('input', {
			id: 'codes',
			autocomplete: 'off',
			autocapitalize: 'none',
			spellcheck: 'false',
			placeholder: '53e0 a8e0 …',
		});
		const form = h(
			'form',
			{
				class: 'code-form',
				submit: (/** @type {Event} */ event) => {
					event.preventDefault();
					void this.set(this.moves.value.split(/[\s,]+/).filter(Boolean));
				},
			},
			h('label', { for: 'codes' }, 'Position'),
			this.moves,
			button('Set', () => {}, { type: 'submit' })
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
		this.progress = h('p', 'summary');
		this.table = h('div', {
			class: 'scroll',
			tabindex: 0,
			role: 'region',
			'aria-label': 'candidates',
		});
		this.seats = h('div', 'colour-rows');
		this.element = h(
			'div',
			'game',
			h('h1', 'visually-hidden', 'Analyse a position'),
			h(
				'div',
				'stage',
				this.board.element,
				h(
					'div',
					'under',
					this.play.status,
					this.alert,
					h(
						'div',
						{ class: 'controls', role: 'group', 'aria-label': 'moves' },
						iconButton('first ply', 'first', () => this.step(-Infinity)),
						iconButton('previous ply', 'back', () => this.step(-1)),
						iconButton('next ply', 'forward', () => this.step(1)),
						iconButton('last ply', 'last', () => this.step(Infinity))
					),
					form
				)
			),
			h(
				'div',
				'side',
				h('div', 'row', h('label', { for: 'analyse-variant' }, 'Variant'), chosen),
				this.seats,
				this.variations.element,
				h('div', 'tools', this.limit, this.run),
				h('div', 'tools', this.maps),
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
			this.asked += 1;
			this.ends();
			this.cancel();
		};
		this.#show();
	}

	/**
	 * Requests a position. The tree changes only when the answer arrives, since the comment belongs to
	 * the node that is shown. An answer that a later request has overtaken is dropped.
	 * @param {string[]} codes
	 * @param {() => void} change selects the node of the position in the tree
	 * @param {MoveTree} [tree] tree that is shown afterwards
	 */
	async #ask(codes, change, tree = this.tree) {
		const mine = ++this.asked;
		try {
			const state = await api.position(this.variant, codes);
			if (mine !== this.asked) return;
			this.cancel();
			this.tree = tree;
			change();
			this.state = state;
			setText(this.alert, '');
			tree.keep(sessionStorage);
			this.#show();
		} catch (error) {
			if (mine !== this.asked) return;
			this.tree.aim = this.tree.current;
			this.#failed(error);
		}
	}

	/** Shows the position of a node. @param {number} node */
	go(node) {
		const { tree } = this;
		tree.aim = node;
		return this.#ask(tree.codes(node), () => tree.go(node));
	}

	/** Shows the position after moves, which join the tree. @param {string[]} codes */
	set(codes) {
		const canonical = codes.map(code => this.tiles.canonical(code));
		return this.#ask(codes, () => this.tree.graft(canonical));
	}

	/** @param {unknown} error */
	#failed(error) {
		if (!(error instanceof api.Problem)) throw error;
		setText(this.alert, error.message);
	}

	/** Shows the position at the end of a file. @param {string} text */
	async open(text) {
		try {
			const { tree: data, codes, games } = await readGame(text);
			if (!data) {
				await this.set(codes ?? []);
				return;
			}
			const tree = new MoveTree(data);
			tree.go(tree.stepped(Infinity));
			tree.keep(sessionStorage);
			if (data.variant !== this.variant) {
				navigate(positionPath(data.variant, tree.codes()));
				return;
			}
			await this.#ask(tree.codes(), () => {}, tree);
			if (games > 1) setText(this.alert, `the file has ${games} games; this is the first`);
		} catch (error) {
			this.#failed(error);
		}
	}

	/** Plays a move, which joins the tree. @param {string} text code or action number */
	add(text) {
		const code = this.tiles.canonical(text);
		say(`${COLOURS[this.state.to_move?.colour ?? 0]}: ${code}`);
		const { tree } = this;
		return this.#ask([...tree.codes(), code], () => tree.add(code));
	}

	/** @param {number} plies */
	step(plies) {
		const node = this.tree.stepped(plies);
		if (node !== this.tree.aim) void this.go(node);
	}

	async analyse() {
		if (api.isOpen(this.analysis)) {
			this.cancel();
			return;
		}
		try {
			this.#took(
				await api.post('analyses', {
					variant: this.variant,
					codes: this.tree.codes(),
					simulations: Number(this.limit.value),
				})
			);
			void this.#poll();
		} catch (error) {
			this.#failed(error);
		}
	}

	/** Asks for progress while the stream is not open. */
	async #poll() {
		const { analysis } = this;
		while (analysis && this.analysis?.id === analysis.id && api.isOpen(this.analysis)) {
			await api.pause(connection === 'open' ? 2000 : 400);
			// After a restart, the service no longer knows the analysis.
			const news = await api
				.get(`analyses/${analysis.id}`)
				.catch(({ status }) => status && { ...this.analysis, status: 'cancelled' });
			if (news && this.analysis?.id === analysis.id) this.#took(news);
		}
	}

	cancel() {
		const { analysis } = this;
		this.analysis = null;
		if (api.isOpen(analysis)) void api.remove(`analyses/${analysis?.id}`).catch(() => {});
		this.draw();
	}

	/** @param {Analysis} analysis */
	#took(analysis) {
		this.analysis = analysis;
		this.draw();
	}

	#show() {
		const { state } = this;
		const codes = this.tree.codes();
		const code = codes.at(-1);
		this.board.draw(state.board, this.tiles.named(code));
		this.play.setState(state.over ? null : state);
		if (state.over) this.rack.draw(0, state.colours[0].left, { active: false });
		this.moves.value = codes.join(' ');
		this.variations.draw();
		fill(
			this.seats,
			state.colours.map((colour, index) =>
				h(
					'div',
					`seat-line${state.to_move?.colour === index ? ' turn' : ''}`,
					swatch(index),
					COLOURS[index],
					h('span', {}, `${colour.left.length} tiles, ${colour.void} void`),
					h('strong', 'score', signed(colour.score))
				)
			)
		);
		this.note(positionPath(this.variant, codes));
		this.draw();
	}

	/** Shows candidates and maps. */
	draw() {
		const { analysis } = this;
		setText(this.run, api.isOpen(analysis) ? 'Stop' : 'Analyse');
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
			preview: ({ moves }) => {
				const colours = this.state.colours.length;
				this.board.setCandidates(previewed(this.tiles, moves, this.play.colour, colours));
			},
			end: () => this.draw(),
		});
		if (this.map !== 'none') this.board.setHeat(shares(this.tiles, candidates, this.map));
		if (!this.play.hand.letter && this.map === 'none')
			this.board.setCandidates(numbered(this.tiles, candidates, this.play.colour));
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (event.key === 'v') {
			this.board.turnView();
			this.draw();
			return true;
		}
		const inTree = /** @type {Element} */ (event.target).closest?.('[role="tree"]');
		if (inTree && this.variations.key(event)) return true;
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
		if (!Object.hasOwn(steps, event.key)) return this.variations.change(event);
		this.step(steps[event.key]);
		return true;
	}
}
