/** Playing by keys, mouse and touch: the tile in hand, its imprint, and hints. */

import { button, h, say, setText } from './dom.js';
import { COLOURS, cellName } from './geometry.js';
import { Hand } from './hand.js';
import { coverage, mayPass, placementsByTile, tilesReaching, verdict } from './legal.js';

/** @import { Cell, Placement, State } from './types.js' */
/** @import { Tiles } from './tiles.js' */
/** @import { Board } from './board.js' */
/** @import { Rack } from './rack.js' */

/** Controls of a person's turn. */
export class Play {
	/**
	 * @param {{tiles: Tiles, board: Board, rack: Rack, place: (code: string) => void}} parts
	 */
	constructor({ tiles, board, rack, place }) {
		this.tiles = tiles;
		this.board = board;
		this.rack = rack;
		this.send = place;
		this.hand = new Hand(tiles);
		/** State of the person's turn; null while no person is to move. @type {State | null} */
		this.state = null;
		this.hints = false;
		this.heat = false;
		/** Tile under the mouse in the rack. @type {string | null} */
		this.hovered = null;
		/** Cell under the mouse or the cursor. @type {Cell | null} */
		this.cell = null;
		/** @type {Map<string, Placement[]>} */
		this.places = new Map();
		this.next = 0;
		this.status = h('p', 'status');
		this.field = h('input', {
			id: 'code',
			maxlength: 5,
			size: 6,
			autocomplete: 'off',
			autocapitalize: 'none',
			spellcheck: 'false',
			placeholder: '53e0',
			'aria-describedby': 'code-help',
		});
		const tool = (
			/** @type {string} */ label,
			/** @type {string} */ key,
			/** @type {() => void} */ act
		) => button(label, act, { title: `${label} (key ${key})`, class: 'tool', 'data-key': key });
		this.placeButton = tool('Place', 'Enter', () => this.place());
		this.passButton = tool('Pass', '0', () => this.pass());
		this.tools = [
			tool('Rotate', '.', () => this.act(() => this.hand.rotate(1))),
			tool('Flip', '/', () => this.act(() => this.hand.flip())),
			tool('Next place', ']', () => this.nextPlace(1)),
			this.placeButton,
			this.passButton,
		];
		this.hintButton = tool('Hints', 'w', () => this.toggle('hints'));
		this.heatButton = tool('Heat map', 'y', () => this.toggle('heat'));
		const form = h(
			'form',
			{
				class: 'code-form',
				submit: (/** @type {Event} */ event) => {
					event.preventDefault();
					const code = this.field.value.trim().toLowerCase();
					if (code) this.send(code);
					this.field.value = '';
				},
			},
			h('label', { for: 'code' }, 'Move'),
			this.field,
			button('Enter', () => {}, { type: 'submit' }),
			h('small', { id: 'code-help' }, 'four letters: column, row, tile, rotation; or an action number')
		);
		this.element = h(
			'div',
			'play-tools',
			h('div', 'tools', this.tools),
			h('div', 'tools', this.hintButton, this.heatButton),
			form
		);
	}

	/** Takes the state of a turn, or null while no person is to move. @param {State | null} state */
	setState(state) {
		const before = this.state?.to_move?.colour;
		this.state = state;
		this.places = state ? placementsByTile(state, this.tiles) : new Map();
		const left = state?.to_move ? state.colours[state.to_move.colour].left : '';
		if (!left.includes(this.hand.letter) || before !== state?.to_move?.colour) this.hand.drop();
		for (const tool of this.tools) tool.disabled = !state;
		this.field.disabled = !state;
		if (this.passButton) this.passButton.disabled = !state || !mayPass(state);
		this.draw();
	}

	/** Number of the colour to move. */
	get colour() {
		return this.state?.to_move?.colour ?? 0;
	}

	/** Verdict on the tile in hand. */
	get verdict() {
		const placement = this.hand.placement();
		return this.state && placement ? verdict(this.state, this.tiles, placement) : null;
	}

	/** Changes the hand, then shows and speaks the result. @param {() => void} change */
	act(change) {
		if (!this.state) return;
		change();
		this.draw();
		const { letter, x, y } = this.hand;
		const found = this.verdict;
		if (letter && found) say(`tile ${letter} at ${cellName([x, y])}: ${found.text}`);
	}

	/** @param {string} letter */
	take(letter) {
		if (!this.state) return;
		if (!this.state.colours[this.colour].left.includes(letter)) {
			this.#tell(`tile ${letter} has been placed before`);
			return;
		}
		this.next = 0;
		this.act(() => {
			this.hand.take(letter);
			if (this.cell) this.hand.moveTo(this.cell);
		});
	}

	drop() {
		this.act(() => this.hand.drop());
		say('tile dropped');
	}

	/** Places the tile in hand, if that is legal. */
	place() {
		const found = this.verdict;
		if (!found) this.#tell('take a tile first: press its letter, or click it');
		else if (found.legal) {
			this.hand.drop();
			this.send(found.code);
		} else this.#tell(found.text);
	}

	pass() {
		if (this.state && mayPass(this.state)) this.send('0000');
		else if (this.state) this.#tell('a pass is not legal now');
	}

	/** Lays the tile in hand over its next legal placement. @param {number} step */
	nextPlace(step) {
		if (!this.state) return;
		if (!this.hand.letter) {
			const able = [...this.places.keys()].sort().join('');
			this.hand.next(able, step);
		}
		const list = this.places.get(this.hand.letter) ?? [];
		if (list.length === 0) {
			this.#tell(this.hand.letter ? `tile ${this.hand.letter} fits nowhere` : 'no tile fits');
			return;
		}
		const now = this.hand.placement();
		const at = list.findIndex(({ o, x, y }) => o === now?.o && x === now.x && y === now.y);
		this.next = at >= 0 ? at + step : 0;
		this.act(() => this.hand.lay(list[(this.next + list.length) % list.length]));
	}

	/** @param {'hints' | 'heat'} what */
	toggle(what) {
		this[what] = !this[what];
		if (what === 'hints' && this.hints) this.heat = false;
		if (what === 'heat' && this.heat) this.hints = false;
		this.draw();
		say(`${what === 'heat' ? 'heat map' : 'hints'} ${this[what] ? 'on' : 'off'}`);
	}

	/** Handles a key of playing; returns true if it is one. @param {KeyboardEvent} event */
	key(event) {
		const { key } = event;
		if (key === 'w' || key === 'y') {
			this.toggle(key === 'w' ? 'hints' : 'heat');
			return true;
		}
		if (!this.state) return false;
		if (key.length === 1 && key >= 'a' && key <= 'u') {
			this.take(key);
			return true;
		}
		const { left } = this.state.colours[this.colour];
		const step = (/** @type {number} */ dx, /** @type {number} */ dy) => {
			const [x, y] = this.board.direction(dx, dy);
			this.act(() => this.hand.move(x, y));
		};
		/** @type {Record<string, () => void>} */
		const always = {
			'+': () => this.act(() => this.hand.next(left, 1)),
			'-': () => this.act(() => this.hand.next(left, -1)),
			']': () => this.nextPlace(1),
			'[': () => this.nextPlace(-1),
			0: () => this.pass(),
		};
		/** @type {Record<string, () => void>} */
		const held = {
			' ': () => this.act(() => this.hand.turn(event.shiftKey ? -1 : 1)),
			',': () => this.act(() => this.hand.rotate(-1)),
			'.': () => this.act(() => this.hand.rotate(1)),
			'/': () => this.act(() => this.hand.flip()),
			ArrowLeft: () => step(-1, 0),
			ArrowRight: () => step(1, 0),
			ArrowUp: () => step(0, -1),
			ArrowDown: () => step(0, 1),
			Enter: () => this.place(),
			Escape: () => this.drop(),
		};
		const keys = this.hand.letter ? { ...always, ...held } : always;
		if (!Object.hasOwn(keys, key)) return false;
		keys[key]();
		return true;
	}

	/** @param {Cell} cell */
	hover(cell) {
		this.cell = cell;
		if (this.state && this.hand.letter) {
			this.hand.moveTo(cell);
			this.draw();
		} else if (this.hints) this.draw();
	}

	/** @param {Cell} cell */
	click(cell) {
		if (!this.state) return;
		this.cell = cell;
		if (!this.hand.letter) {
			this.#reach(cell);
			return;
		}
		this.hand.moveTo(cell);
		this.draw();
		this.place();
	}

	/**
	 * A first tap lays the tile down, a second one on it places it.
	 * @param {Cell} cell
	 * @param {string} kind
	 */
	touch(cell, kind) {
		if (!this.state) return;
		if (!this.hand.letter) {
			if (kind === 'tap') this.#reach(cell);
			return;
		}
		const placement = this.hand.placement();
		const near =
			placement &&
			this.laid &&
			this.tiles.cells(placement).some(([x, y]) => Math.hypot(x - cell[0], y - cell[1]) < 1.1);
		if (kind === 'tap' && near) {
			this.laid = false;
			this.place();
			return;
		}
		this.laid = true;
		this.act(() => this.hand.moveTo(cell));
	}

	/** Names the tiles that reach a cell. @param {Cell} cell */
	#reach(cell) {
		if (!this.state) return;
		const reach = tilesReaching(this.state, this.tiles, cell);
		this.reach = reach;
		const letters = [...reach.keys()].sort().join(' ');
		this.#tell(
			`${cellName(cell)}: ${letters ? `tiles ${letters} reach it` : 'no tile reaches it'}`
		);
		this.#rack(reach);
	}

	/** Speaks and shows a text. @param {string} text */
	#tell(text) {
		setText(this.status, text);
		this.status.className = 'status told';
		say(text);
	}

	/** @param {Map<string, number> | null} reach */
	#rack(reach) {
		if (!this.state) return;
		const counts = new Map([...this.places].map(([letter, list]) => [letter, list.length]));
		const { left } = this.state.colours[this.colour];
		this.rack.draw(this.colour, left, { held: this.hand.letter, reach, active: true, counts });
	}

	/** Shows the hand, its verdict, hints and heat. */
	draw() {
		const { state, board, hand, tiles } = this;
		this.hintButton?.setAttribute('aria-pressed', String(this.hints));
		this.heatButton?.setAttribute('aria-pressed', String(this.heat));
		board.element.classList.toggle('holding', Boolean(hand.letter));
		const placement = hand.placement();
		const found = this.verdict;
		if (this.placeButton) this.placeButton.disabled = !found?.legal;
		board.setImprint(
			state && placement && found
				? {
						cells: tiles.cells(placement),
						colour: this.colour,
						legal: found.legal,
						fault: found.cell,
					}
				: null
		);
		const hinted = this.hovered ?? hand.letter;
		let shown = /** @type {Placement[]} */ ([]);
		if (this.heat) shown = [...this.places.values()].flat();
		else if (this.hints && hinted) shown = this.places.get(hinted) ?? [];
		const counts = coverage(tiles, shown);
		const most = Math.max(1, ...counts.values());
		board.setHeat(new Map([...counts].map(([cell, count]) => [cell, count / most])));
		const points = this.hints && state ? state.colours[this.colour].corner_points : [];
		board.setMarks(state ? [{ cells: points, kind: 'corner', colour: this.colour }] : []);
		if (!state) {
			setText(this.status, '');
			return;
		}
		this.#rack(
			this.hints && this.cell && !hand.letter ? tilesReaching(state, tiles, this.cell) : null
		);
		this.status.className = `status ${found ? (found.legal ? 'good' : 'bad') : ''}`;
		const able = this.places.size;
		setText(
			this.status,
			found
				? `${found.code}: ${found.text}`
				: `${COLOURS[this.colour]} to move: ${state.legal.count} placements of ${able} tiles`
		);
	}
}
