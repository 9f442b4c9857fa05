/** Board: a picture of a position, and for boards that are played on a grid of named cells. */

import { fill, h, s } from './dom.js';
import { CELL, COLOURS, cellName, key, lineName, newCells, outline, tilesOn } from './geometry.js';
import { tilePicture } from './picture.js';

/** @import { Cell } from './types.js' */

/**
 * @typedef {object} Imprint
 * @property {Cell[]} cells
 * @property {number} colour
 * @property {boolean} legal
 * @property {Cell | null} fault cell at fault
 *
 * @typedef {object} BoardEvents
 * @property {(cell: Cell) => void} [hover] the mouse is over a cell
 * @property {(cell: Cell) => void} [click] a cell was clicked
 * @property {(cell: Cell, kind: 'drag' | 'tap') => void} [touch] a finger moves, or has tapped
 * @property {(step: number) => void} [wheel]
 * @property {() => void} [double]
 * @property {() => void} [leave]
 */

/** Board component. */
export class Board {
	/**
	 * @param {number} size columns
	 * @param {{label: string, play?: boolean, coordinates?: boolean, events?: BoardEvents}} options
	 */
	constructor(size, { label, play = false, coordinates = true, events = {} }) {
		this.size = size;
		this.play = play;
		this.coordinates = coordinates;
		this.events = events;
		/** Quarter turns of the view to the right. */
		this.turned = 0;
		/** @type {string[]} */
		this.rows = [];
		/** @type {Cell} */
		this.cursor = [size >> 1, size >> 1];
		this.layers = Object.fromEntries(
			['base', 'heat', 'tiles', 'marks', 'imprint'].map(name => [name, s('g', name)])
		);
		const margin = coordinates ? (size > 14 ? 20 : 16) : 3;
		const side = size * CELL + margin + 3;
		this.svg = s(
			'svg',
			{
				viewBox: `${-margin} ${-margin} ${side} ${side}`,
				...(play ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }),
			},
			...Object.values(this.layers)
		);
		this.element = h('div', 'board', this.svg);
		if (play) {
			this.grid = h('div', { class: 'cells', role: 'grid', 'aria-label': label });
			const share = (/** @type {number} */ units) => `${(100 * units) / side}%`;
			for (const [name, value] of /** @type {[string, number][]} */ ([
				['left', margin],
				['top', margin],
				['width', size * CELL],
				['height', size * CELL],
			]))
				this.grid.style.setProperty(name, share(value));
			this.grid.style.setProperty('--size', String(size));
			this.#cells();
			this.#listen();
			this.element.append(this.grid);
		}
		this.#base([]);
	}

	/** Cell of the view for a cell of the board. @param {Cell} cell */
	toView(cell) {
		return this.#turn(cell, this.turned, this.size - 1);
	}

	/** Cell of the board for a cell of the view. @param {Cell} cell */
	toBoard(cell) {
		return this.#turn(cell, 4 - this.turned, this.size - 1);
	}

	/** Step on the board for a step in the view. @param {number} dx @param {number} dy */
	direction(dx, dy) {
		return this.#turn([dx, dy], 4 - this.turned, 0);
	}

	/**
	 * Turns by quarters to the right.
	 * @param {Cell} cell
	 * @param {number} quarters
	 * @param {number} last
	 */
	#turn(cell, quarters, last) {
		let [x, y] = cell;
		for (let i = 0; i < quarters % 4; i += 1) [x, y] = [last - y, x];
		return /** @type {Cell} */ ([x, y]);
	}

	/** Turns the view by a quarter. */
	turnView() {
		this.turned = (this.turned + 1) % 4;
		this.#base(this.starts);
		const rows = this.rows;
		this.rows = [];
		this.draw(rows);
		this.#names();
	}

	/**
	 * Shows the start cells of the colours that are empty.
	 * @param {{starts: Cell[]}[]} colours
	 */
	setStarts(colours) {
		this.#base(colours);
	}

	/**
	 * Shows a position. The tile that is new on it is drawn as the last one.
	 * @param {string[]} rows
	 * @param {Cell[]} [last] cells of the last move; by default those that are new
	 */
	draw(rows, last) {
		const known = this.rows.length > 0;
		const fresh = known ? newCells(this.rows, rows) : [];
		const added = new Set((last ?? fresh).map(([x, y]) => key(x, y)));
		const moving = known && fresh.length > 0 && fresh.length <= 5;
		this.rows = rows;
		fill(
			this.layers.tiles,
			tilesOn(rows).map(({ colour, cells }) => {
				const isLast = added.size <= 5 && cells.some(([x, y]) => added.has(key(x, y)));
				const extra = isLast ? (moving ? 'last fresh' : 'last') : '';
				return tilePicture(this.#views(cells), colour, extra);
			})
		);
		if (this.play) this.#names();
	}

	/** Shows the tile in hand, or none. @param {Imprint | null} imprint */
	setImprint(imprint) {
		if (!imprint) {
			fill(this.layers.imprint);
			return;
		}
		const { cells, colour, legal, fault } = imprint;
		const children = [tilePicture(this.#views(cells), colour, legal ? 'legal' : 'illegal')];
		if (fault) {
			const [x, y] = this.toView(fault).map(n => n * CELL);
			children.push(
				s(
					'g',
					'fault',
					s('rect', { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 3 }),
					s('path', { d: `M${x + 5} ${y + 5}l10 10m0-10l-10 10` })
				)
			);
		}
		fill(this.layers.imprint, children);
	}

	/** Shows shares from 0 to 1 by key of cell. @param {Map<number, number>} shares */
	setHeat(shares) {
		fill(
			this.layers.heat,
			[...shares].map(([cell, share]) => {
				const [x, y] = this.toView([cell % 32, cell >> 5]);
				return s('rect', {
					class: 'warm',
					x: x * CELL,
					y: y * CELL,
					width: CELL,
					height: CELL,
					'fill-opacity': (0.12 + 0.78 * share).toFixed(3),
				});
			})
		);
	}

	/**
	 * Marks cells: `corner` with a dot, `void` with a cross.
	 * @param {{cells: Cell[], kind: string, colour: number}[]} marks
	 */
	setMarks(marks) {
		fill(
			this.layers.marks,
			marks.flatMap(({ cells, kind, colour }) =>
				cells.map(cell => {
					const [x, y] = this.toView(cell).map(n => n * CELL);
					return kind === 'void'
						? s('path', { class: `void c${colour}`, d: `M${x + 7} ${y + 7}l6 6m0-6l-6 6` })
						: s('circle', { class: `${kind} c${colour}`, cx: x + 10, cy: y + 10, r: 3.2 });
				})
			)
		);
	}

	/**
	 * Outlines placements with a label each, the first one most clearly.
	 * @param {{cells: Cell[], label: string, colour: number, weight: number}[]} candidates
	 */
	setCandidates(candidates) {
		const taken = new Set();
		const drawn = candidates.map(({ cells, label, colour, weight }) => {
			const views = this.#views(cells);
			const [x, y] = views.find(view => !taken.has(key(...view))) ?? views[0];
			taken.add(key(x, y));
			return [
				s('path', {
					class: `candidate c${colour}`,
					d: outline(views, 1.6, 3),
					opacity: (0.3 + 0.7 * weight).toFixed(2),
				}),
				s(
					'g',
					`candidate c${colour}`,
					s('circle', { cx: x * CELL + 10, cy: y * CELL + 10, r: 7 }),
					s('text', { x: x * CELL + 10, y: y * CELL + 13.2 }, label)
				),
			];
		});
		fill(
			this.layers.marks,
			drawn.map(([path]) => path).reverse(),
			drawn.map(([, label]) => label)
		);
	}

	/** Moves the cursor of the grid. @param {Cell} cell @param {boolean} [focus] */
	setCursor([x, y], focus = false) {
		const last = this.size - 1;
		this.cursor = [Math.max(0, Math.min(last, x)), Math.max(0, Math.min(last, y))];
		const [vx, vy] = this.toView(this.cursor);
		this.grid?.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
		const cell = /** @type {HTMLElement | undefined} */ (this.grid?.children[vy]?.children[vx]);
		cell?.setAttribute('tabindex', '0');
		if (focus) cell?.focus({ preventScroll: true });
	}

	/**
	 * Moves the cursor by an arrow key while the grid has the focus; returns true if it did.
	 * @param {KeyboardEvent} event
	 */
	cursorKey(event) {
		if (!(/** @type {Element} */ (event.target).closest?.('[role="grid"]'))) return false;
		const dx = Number(event.key === 'ArrowRight') - Number(event.key === 'ArrowLeft');
		const dy = Number(event.key === 'ArrowDown') - Number(event.key === 'ArrowUp');
		if (dx === 0 && dy === 0) return false;
		const [x, y] = this.direction(dx, dy);
		this.setCursor([this.cursor[0] + x, this.cursor[1] + y], true);
		return true;
	}

	/** @param {Cell[]} cells @returns {Cell[]} */
	#views(cells) {
		return this.turned === 0 ? cells : cells.map(cell => this.toView(cell));
	}

	/** @type {{starts: Cell[]}[]} */
	starts = [];

	/** @param {{starts: Cell[]}[]} colours */
	#base(colours) {
		this.starts = colours;
		const side = this.size * CELL;
		let lines = '';
		for (let i = 1; i < this.size; i += 1) lines += `M${i * CELL} 0v${side}M0 ${i * CELL}h${side}`;
		/** @type {SVGElement[]} */
		const parts = [
			s('rect', { class: 'ground', x: -1.5, y: -1.5, width: side + 3, height: side + 3, rx: 5 }),
			s('path', { class: 'lines', d: lines }),
		];
		colours.forEach(({ starts }, colour) => {
			for (const cell of starts) {
				const [x, y] = this.toView(cell);
				parts.push(
					s('circle', { class: `start c${colour}`, cx: x * CELL + 10, cy: y * CELL + 10, r: 4 })
				);
			}
		});
		if (this.coordinates) {
			for (let i = 0; i < this.size; i += 1) {
				const odd = this.turned % 2;
				const names = [this.toBoard([i, 0])[odd], this.toBoard([0, i])[1 - odd]];
				const at = i * CELL + 10;
				parts.push(
					s('text', { class: 'name', x: at, y: -5 }, lineName(names[0])),
					s('text', { class: 'name', x: this.size > 14 ? -10 : -8, y: at + 4 }, lineName(names[1]))
				);
			}
		}
		if (this.size > 14) this.svg.classList.add('wide');
		fill(this.layers.base, parts);
	}

	#cells() {
		const rows = [];
		for (let y = 0; y < this.size; y += 1) {
			const cells = [];
			for (let x = 0; x < this.size; x += 1)
				cells.push(h('div', { role: 'gridcell', tabindex: -1 }));
			rows.push(h('div', { role: 'row' }, cells));
		}
		if (this.grid) fill(this.grid, rows);
		this.setCursor(this.cursor);
	}

	/** Names the cells of the grid. */
	#names() {
		if (!this.grid || this.rows.length === 0) return;
		for (let y = 0; y < this.size; y += 1) {
			for (let x = 0; x < this.size; x += 1) {
				const [bx, by] = this.toBoard([x, y]);
				const mark = this.rows[by][bx];
				const content = mark === '.' ? 'empty' : COLOURS[Number(mark) - 1];
				const label = `${cellName([bx, by])}, ${content}`;
				const cell = this.grid.children[y].children[x];
				if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
			}
		}
	}

	/** Cell under a pointer, `above` cells higher. @param {MouseEvent} event @param {number} above */
	#under(event, above = 0) {
		const box = /** @type {HTMLElement} */ (this.grid).getBoundingClientRect();
		const last = this.size - 1;
		const at = (/** @type {number} */ share) =>
			Math.max(0, Math.min(last, Math.floor(share * this.size)));
		const y = (event.clientY - box.top) / box.height - above / this.size;
		return this.toBoard([at((event.clientX - box.left) / box.width), at(y)]);
	}

	#listen() {
		const grid = /** @type {HTMLElement} */ (this.grid);
		const { events } = this;
		const on = /** @type {typeof grid.addEventListener} */ (grid.addEventListener.bind(grid));
		/** @type {{x: number, y: number, dragged: boolean} | null} */
		let finger = null;
		on('pointerdown', event => {
			if (event.pointerType === 'mouse') return;
			finger = { x: event.clientX, y: event.clientY, dragged: false };
			grid.setPointerCapture?.(event.pointerId);
		});
		on('pointermove', event => {
			if (event.pointerType === 'mouse') {
				events.hover?.(this.#under(event));
			} else if (finger) {
				const far = Math.hypot(event.clientX - finger.x, event.clientY - finger.y) > 8;
				finger.dragged ||= far;
				// A dragged tile floats above the finger.
				if (finger.dragged) events.touch?.(this.#under(event, 2.5), 'drag');
			}
		});
		on('pointerup', event => {
			if (event.pointerType === 'mouse') return;
			if (finger && !finger.dragged) events.touch?.(this.#under(event), 'tap');
			finger = null;
		});
		on('pointercancel', () => {
			finger = null;
		});
		on('click', event => {
			const kind = /** @type {PointerEvent} */ (event).pointerType;
			// Assistive technology clicks without a pointer: the cell is then the target of the event.
			if (kind === 'mouse') events.click?.(this.#under(event));
			else if (!kind) events.click?.(this.cursor);
		});
		on('dblclick', event => {
			event.preventDefault();
			events.double?.();
		});
		on('wheel', event => {
			if (!this.element.classList.contains('holding')) return;
			event.preventDefault();
			events.wheel?.(Math.sign(event.deltaY));
		});
		on('focusin', event => {
			const cell = /** @type {HTMLElement} */ (event.target);
			const row = cell.parentElement;
			if (!row || cell.getAttribute('role') !== 'gridcell') return;
			const view = /** @type {Cell} */ ([
				[...row.children].indexOf(cell),
				[...grid.children].indexOf(row),
			]);
			this.cursor = this.toBoard(view);
		});
	}
}
