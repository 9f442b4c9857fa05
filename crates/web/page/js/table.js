/** A table to play at: board, rack and controls, joined. */

import { Board } from './board.js';
import { Play } from './play.js';
import { Rack } from './rack.js';

/** @import { Variant } from './types.js' */
/** @import { Tiles } from './tiles.js' */

/**
 * Creates a board with its rack and its controls.
 * @param {object} parts
 * @param {Tiles} parts.tiles
 * @param {Variant | undefined} parts.variant
 * @param {string} parts.label
 * @param {(code: string) => void} parts.place
 */
export function playTable({ tiles, variant, label, place }) {
	const flip = () => {
		if (!play.verdict?.legal) play.act(() => play.hand.flip());
	};
	const board = new Board(tiles.size, {
		label,
		play: true,
		events: {
			hover: cell => play.hover(cell),
			click: cell => play.click(cell),
			touch: (cell, kind) => play.touch(cell, kind),
			wheel: step => play.act(() => play.hand.turn(step)),
			double: flip,
		},
	});
	board.setStarts(variant?.colours ?? []);
	const rack = new Rack(tiles, {
		take: letter => play.take(letter),
		hover: letter => {
			play.hovered = letter;
			if (play.hints) play.draw();
		},
	});
	const play = new Play({ tiles, board, rack, place });
	board.grid?.addEventListener('contextmenu', event => {
		event.preventDefault();
		play.act(() => play.hand.rotate(1));
	});
	return { board, rack, play };
}

/**
 * Moves the cursor of the grid while the board has the focus and no tile is in hand; returns true
 * if it handled the key.
 * @param {Board} board
 * @param {Play} play
 * @param {KeyboardEvent} event
 */
export function cursorKey(board, play, event) {
	const inGrid = /** @type {Element} */ (event.target).closest?.('[role="grid"]');
	if (!inGrid || play.hand.letter) return false;
	if (event.key === 'Enter') {
		play.click(board.cursor);
		return true;
	}
	if (!board.cursorKey(event)) return false;
	play.cell = board.cursor;
	if (play.hints) play.draw();
	return true;
}
