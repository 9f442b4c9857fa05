/** Candidates of an analysis: table, progress and heat maps. */

import { button, fill, h, numbers } from './dom.js';
import { key } from './geometry.js';
import { signed } from './panels.js';

/** @import { Analysis, Candidate } from './types.js' */
/** @import { Tiles } from './tiles.js' */

/**
 * One line on the progress of an analysis.
 * @param {Analysis} analysis
 */
export function progress({ status, queue, simulations, time_ms: time, margin, solved }) {
	if (status === 'waiting') return `waiting: ${queue} before it`;
	const parts = [
		`${simulations.toLocaleString('en-GB')} simulations in ${(time / 1000).toFixed(1)} s`,
	];
	if (margin !== null) parts.push(`margin ${signed(Number(margin.toFixed(1)))}`);
	if (solved) parts.push(`solved: ${solved.code} ${signed(solved.margin)}`);
	return parts.join(', ');
}

/**
 * Greatest prior or value of the candidates at each cell, as a share from 0 to 1.
 * @param {Tiles} tiles
 * @param {Candidate[]} candidates
 * @param {string} map
 * @returns {Map<number, number>}
 */
export function shares(tiles, candidates, map) {
	/** @type {Map<number, number>} */
	const cells = new Map();
	for (const candidate of candidates) {
		const placement = tiles.placement(candidate.action);
		const worth = map === 'prior' ? candidate.prior : candidate.value;
		for (const [x, y] of placement ? tiles.cells(placement) : []) {
			cells.set(key(x, y), Math.max(cells.get(key(x, y)) ?? 0, worth));
		}
	}
	const low = map === 'prior' ? 0 : Math.min(...cells.values());
	const high = Math.max(...cells.values());
	const share = (/** @type {number} */ worth) => (high > low ? (worth - low) / (high - low) : 1);
	return new Map([...cells].map(([cell, worth]) => [cell, share(worth)]));
}

/**
 * Draws the table of candidates, if it differs from what is shown: the focus stays in it.
 * @param {HTMLElement} element
 * @param {Candidate[]} candidates
 * @param {{play: (code: string) => void, preview: (candidate: Candidate) => void,
 *   end: () => void}} events
 */
export function drawCandidates(element, candidates, { play, preview, end }) {
	const drawn = JSON.stringify(candidates.map(({ code, visits }) => [code, visits]));
	if (element.dataset.drawn === drawn && element.firstChild) return;
	element.dataset.drawn = drawn;
	const percent = (/** @type {number} */ share) => (100 * share).toFixed(1);
	const row = (/** @type {Candidate} */ candidate) => {
		const { code, visits, prior, value, margin } = candidate;
		const name = code === '0000' ? 'pass' : code;
		const focus = () => preview(candidate);
		const link = button(name, () => play(code), { class: 'link', focus });
		const texts = [
			visits.toLocaleString('en-GB'),
			percent(prior),
			percent(value),
			margin === null ? '–' : signed(Number(margin.toFixed(1))),
		];
		return h(
			'tr',
			{ pointerenter: focus, pointerleave: end },
			h('th', { scope: 'row' }, link),
			numbers(texts)
		);
	};
	const heads = ['Move', 'Visits', 'Prior %', 'Value %', 'Margin'];
	const head = heads.map(name => h('th', { scope: 'col' }, name));
	fill(
		element,
		h('table', {}, h('thead', {}, h('tr', {}, head)), h('tbody', {}, candidates.map(row)))
	);
}

/** Candidates that are numbered on the board. */
const SHOWN = 5;

/**
 * Marks of the best candidates on the board.
 * @param {Tiles} tiles
 * @param {Candidate[]} candidates
 * @param {number} colour
 */
export function numbered(tiles, candidates, colour) {
	const most = Math.max(1, ...candidates.map(({ visits }) => visits));
	return candidates.slice(0, SHOWN).flatMap(({ action, visits }, i) => {
		const placement = tiles.placement(action);
		if (!placement) return [];
		return [{ cells: tiles.cells(placement), label: String(i + 1), colour, weight: visits / most }];
	});
}

/**
 * Marks of the moves that a candidate leads to.
 * @param {Tiles} tiles
 * @param {string[]} moves
 * @param {number} first colour of the first move
 * @param {number} colours number of colours
 */
export const previewed = (tiles, moves, first, colours) =>
	moves.slice(0, 6).flatMap((code, i) => {
		const placement = tiles.read(code);
		if (!placement) return [];
		const colour = (first + i) % colours;
		return [{ cells: tiles.cells(placement), label: String(i + 1), colour, weight: 1 - i / 8 }];
	});
