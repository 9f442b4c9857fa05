/** What every game shows around its board: replay controls, curve, summary, seats and moves. */

import { Curve } from './curve.js';
import { button, fill, h, icon, iconButton, setText } from './dom.js';
import { drawMoves, drawSeats, seatScores, summary } from './panels.js';
import { Timeline, watchKey } from './timeline.js';

/** @import { ReplayedGame, State } from './types.js' */

/** Replay controls of a game, and what they show. */
export class Stage {
	/** @param {(ply: number) => void} show called whenever the ply changes */
	constructor(show) {
		this.timeline = new Timeline(show);
		const { timeline } = this;
		const go = (/** @type {number} */ ply) => {
			timeline.stop();
			timeline.go(ply);
		};
		this.go = go;
		const toggle = () => {
			timeline.toggle();
			this.drawControls();
		};
		const faster = () => {
			timeline.faster(timeline.speed >= 16 ? 0 : 1);
			this.drawControls();
		};
		this.playButton = iconButton('play', 'play', toggle);
		this.speed = button('1×', faster, { title: 'speed', class: 'speed' });
		this.slider = h('input', {
			type: 'range',
			min: 0,
			max: 1,
			value: 0,
			'aria-label': 'ply',
			input: () => go(Number(this.slider.value)),
		});
		this.controls = h(
			'div',
			{ class: 'controls', role: 'group', 'aria-label': 'replay' },
			iconButton('first ply', 'first', () => timeline.step(-Infinity)),
			iconButton('previous ply', 'back', () => timeline.step(-1)),
			this.playButton,
			iconButton('next ply', 'forward', () => timeline.step(1)),
			iconButton('last ply', 'last', () => timeline.step(Infinity)),
			this.slider,
			this.speed
		);
		this.curve = new Curve('scores by ply', go);
		this.line = h('p', 'summary');
		this.seats = h('div', 'seats');
		this.moves = h('ol', { class: 'moves', 'aria-label': 'moves', tabindex: 0 });
	}

	/**
	 * Shows a state of a game.
	 * @param {ReplayedGame} game
	 * @param {State} state
	 * @param {Map<number, State>} states states that are known, by ply
	 */
	draw(game, state, states) {
		setText(this.line, summary(game, state));
		drawSeats(this.seats, game, state);
		drawMoves(this.moves, game, state.ply, this.go);
		this.drawControls();
		this.drawCurve(game, states);
	}

	drawControls() {
		const { timeline } = this;
		this.slider.max = String(timeline.last);
		this.slider.value = String(timeline.ply);
		setText(this.speed, `${timeline.speed}×`);
		const action = timeline.playing ? 'pause' : 'play';
		if (this.playButton.getAttribute('aria-label') === action) return;
		this.playButton.setAttribute('aria-label', action);
		fill(this.playButton, icon(action));
	}

	/**
	 * Draws the scores of the states that are known.
	 * @param {ReplayedGame} game
	 * @param {Map<number, State>} states
	 */
	drawCurve(game, states) {
		const lines = game.seats.map((seat, index) => ({
			colour: seat.colours[0] ?? index,
			values: Array.from({ length: game.ply + 1 }, (_, ply) => {
				const state = states.get(ply);
				return state && seatScores(state.colours, game.seats.length)[index];
			}),
		}));
		this.curve.draw(lines, game.ply, this.timeline.ply);
	}

	/** Handles a key of watching; returns true if it is one. @param {KeyboardEvent} event */
	key(event) {
		if (!watchKey(this.timeline, event)) return false;
		this.drawControls();
		return true;
	}
}
