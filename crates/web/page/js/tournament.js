/** Tournaments that the service plays: the form that begins one, and its state with its controls. */

import { players, post, variants } from './api.js';
import { button, fill, h, message, setText, warning } from './dom.js';
import { navigate } from './route.js';
import { TITLES } from './views/new.js';

/** @import { EventView } from './event-types.js' */

/** Pairing systems. @type {[string, string][]} */
const FORMATS = [
	['round-robin', 'each against each'],
	['gauntlet', 'the first against all others'],
	['swiss', 'Swiss'],
	['knockout', 'knockout'],
];

/** @param {[string, string][]} entries values and texts @param {() => void} [change] */
const choice = (entries, change) =>
	h(
		'select',
		{ change },
		entries.map(([value, text]) => h('option', { value }, text))
	);

/** @param {number} value @param {number} min @param {number} max */
const number = (value, min, max) => h('input', { type: 'number', value, min, max, required: true });

/**
 * Shows or hides a row. The browser checks no field that is disabled.
 * @param {HTMLElement} line
 * @param {boolean} shown
 */
function showRow(line, shown) {
	line.hidden = !shown;
	/** @type {HTMLInputElement} */ (line.lastChild).disabled = !shown;
}

/** Row of a form. @param {string} title @param {HTMLElement} field */
function row(title, field) {
	field.id = title.replaceAll(' ', '-');
	return h('div', 'row', h('label', { for: field.id }, title), field);
}

/** Form that begins a tournament. */
export async function tournamentForm() {
	const [games, all] = await Promise.all([variants(), players()]);
	const draw = () => {
		const duo = variant.value === 'duo';
		for (const only of ofDuo) showRow(only, duo);
		showRow(rounds, !duo || format.value === 'swiss');
		const able = rows.filter(({ names }) => names.includes(variant.value));
		fill(
			list,
			h('legend', {}, 'Players'),
			able.map(({ line }) => line)
		);
	};
	// The rows remain when the list changes, with their checks and levels.
	const rows = all.map(({ name, label, levels, variants: names }) => {
		const check = h('input', { type: 'checkbox', value: name });
		/** @type {[string, string][]} */
		const entries = Array.from({ length: levels ?? 0 }, (_, i) => [`${i + 1}`, `level ${i + 1}`]);
		const level = choice(entries);
		level.setAttribute('aria-label', `level of ${label}`);
		level.hidden = !levels;
		const line = h('div', 'row', h('label', {}, check, label), level);
		return { check, level, line, names };
	});
	const name = h('input', { value: 'Tournament', maxlength: 80, required: true });
	const variant = choice(
		[...games.keys()].map(key => [key, TITLES[key] ?? key]),
		draw
	);
	const format = choice(FORMATS, draw);
	const [pairs, count, opening] = [number(1, 1, 1000), number(1, 1, 1000), number(0, 0, 12)];
	const ofDuo = [row('Format', format), row('Game pairs', pairs), row('Opening plies', opening)];
	const rounds = row('Rounds', count);
	const list = h('fieldset');
	const alert = warning();
	const begin = async () => {
		const chosen = rows.filter(({ check }) => check.checked && list.contains(check));
		try {
			const event = await post('events', {
				name: name.value,
				variant: variant.value,
				...(variant.value === 'duo' && {
					format: format.value,
					pairs: +pairs.value,
					opening: +opening.value,
				}),
				...(!rounds.hidden && { rounds: +count.value }),
				players: chosen.map(({ check, level }) => ({
					player: check.value,
					...(level.value && { level: +level.value }),
				})),
			});
			navigate(`/events/${event.id}`);
		} catch (error) {
			setText(alert, message(error));
		}
	};
	draw();
	const submit = (/** @type {Event} */ event) => {
		event.preventDefault();
		void begin();
	};
	return h(
		'details',
		'setup',
		h('summary', {}, 'New tournament'),
		h(
			'form',
			{ submit },
			row('Name', name),
			row('Variant', variant),
			ofDuo,
			rounds,
			list,
			alert,
			button('Begin', () => {}, { type: 'submit', class: 'primary' })
		)
	);
}

/**
 * State of a tournament of the service, with its controls for referees.
 * @param {boolean} allowed
 * @param {() => Promise<void>} changed
 */
export function runPanel(allowed, changed) {
	const state = h('span', { role: 'status' });
	const alert = warning();
	const notes = h('ul');
	let [path, status] = ['', ''];
	const action = (/** @type {string} */ title) =>
		button(title, async () => {
			setText(alert, '');
			await post(path + title.toLowerCase(), {}).catch(error => setText(alert, message(error)));
			await changed();
		});
	const [stop, resume] = [action('Stop'), action('Resume')];
	const element = h('div', 'run', h('div', 'tools', state, stop, resume), alert, notes);
	const show = (/** @type {EventView} */ { id, run }) => {
		element.hidden = !run;
		if (!run) return;
		path = `events/${id}/`;
		const { reason, messages } = run;
		status = run.status;
		setText(state, `${status} at this service${reason ? `: ${reason}` : ''}`);
		stop.hidden = !allowed || status !== 'running';
		resume.hidden = !allowed || !/stopped|failed/.test(status);
		fill(
			notes,
			messages.map(text => h('li', {}, text))
		);
	};
	return { element, show, isOpen: () => /ing$/.test(status) };
}
