/** Keys of the page, and the dialog that lists them. */

import { button, h } from './dom.js';

/** @type {[string, [string, string][]][]} */
const KEYS = [
	[
		'Play',
		[
			['a – u', 'take the tile of that letter'],
			['+  −', 'next and previous tile'],
			['space', 'next orientation; with shift the previous one'],
			[',  .', 'rotate left, rotate right'],
			['/', 'flip'],
			['arrows', 'move the imprint'],
			[']  [', 'next and previous legal place of the tile'],
			['Enter', 'place the tile'],
			['Escape', 'drop the tile'],
			['0', 'pass'],
			['z', 'undo'],
			['w', 'hints: corner points, places of a tile, tiles that reach a cell'],
			['y', 'heat map of all legal placements'],
		],
	],
	[
		'Watch and replay',
		[
			['space', 'play and pause'],
			['← →', 'previous and next ply; with shift ten plies'],
			['Home  End', 'first and last ply'],
			['+  −  =', 'faster, slower, normal speed'],
			['v', 'turn the board'],
			['x', 'diagnostics: void cells and corner points'],
		],
	],
	[
		'Analyse',
		[
			['↑ ↓', 'previous and next variation of the move, without a tile in hand'],
			['shift ↑', 'promote the variation'],
			['Delete', 'delete the move and what follows it'],
		],
	],
	[
		'Mouse and touch',
		[
			['click', 'place the imprint; without a tile, name the tiles that reach the cell'],
			['wheel', 'next orientation'],
			['right click', 'rotate'],
			['double click', 'flip, where the imprint is illegal'],
			['tap', 'lay the tile down; a second tap on it places it'],
			['drag', 'the tile floats above the finger'],
		],
	],
	[
		'Everywhere',
		[
			['?', 'this list'],
			['p', 'projector mode, on the wall'],
		],
	],
];

/** @type {HTMLDialogElement | null} */
let dialog = null;

/** Shows the keys. @param {string[]} [titles] lists that apply; by default all */
export function showKeys(titles) {
	if (!dialog) {
		const close = button('Close', () => dialog?.close());
		dialog = h(
			'dialog',
			{ class: 'keys', 'aria-labelledby': 'keys-title' },
			h('h2', { id: 'keys-title' }, 'Keys'),
			h(
				'div',
				'key-lists',
				KEYS.filter(([title]) => titles?.includes(title) ?? true).map(([title, rows]) =>
					h(
						'section',
						{},
						h('h3', {}, title),
						h(
							'dl',
							{},
							rows.map(([key, text]) =>
								h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, text))
							)
						)
					)
				)
			),
			close
		);
		document.body.append(dialog);
	}
	dialog.showModal();
	dialog.scrollTop = 0;
}

/**
 * True if a key belongs to the element that has the focus: a field, or a button that is pressed.
 * @param {KeyboardEvent} event
 */
export function belongsToFocus(event) {
	if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
	const target = /** @type {HTMLElement} */ (event.target);
	if (target.closest('dialog, input, select, textarea')) return true;
	const presses = event.key === 'Enter' || event.key === ' ';
	return presses && Boolean(target.closest('button, a, summary'));
}
