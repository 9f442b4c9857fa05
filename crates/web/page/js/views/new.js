/** Play: sets up a game between persons and programs. */

import * as api from '../api.js';
import { button, fill, h, message, setText, warning } from '../dom.js';
import { swatch } from '../panels.js';
import { gamePath, navigate } from '../route.js';

/** @import { PlayerInfo, Variant } from '../types.js' */

/** Names of the built-in variants for persons. @type {Record<string, string>} */
export const TITLES = {
	duo: 'Duo, 14 × 14, two seats',
	'duo-corner': 'Duo from the corners, two seats',
	classic: 'Classic, 20 × 20, four seats',
	'classic-free': 'Classic, any free corner, four seats',
	'classic-2': 'Classic, two seats with two colours each',
	'classic-3': 'Classic, three seats and a shared colour',
};

/** Kinds of players, and what their group is called. @type {[string[], string][]} */
const GROUPS = [
	[['software', 'profile'], 'Programs'],
	[['device'], 'Devices'],
];

export async function open() {
	const [variants, players] = await Promise.all([api.variants(), api.players()]);
	return new NewGame(variants, players);
}

class NewGame {
	/** @param {Map<string, Variant>} variants @param {PlayerInfo[]} players */
	constructor(variants, players) {
		this.title = 'Play';
		this.variants = variants;
		this.players = players;
		this.variant = h(
			'select',
			{ id: 'variant', change: () => this.#seats() },
			[...variants.keys()].map(name => h('option', { value: name }, TITLES[name] ?? name))
		);
		this.scoring = h(
			'select',
			{ id: 'scoring' },
			h('option', { value: '' }, 'of the variant'),
			['basic', 'advanced', 'alternative', 'cells'].map(name => h('option', { value: name }, name))
		);
		this.list = h('div', 'seat-rows');
		this.alert = warning();
		this.submit = button('Begin', () => {}, { type: 'submit', class: 'primary' });
		this.element = h(
			'section',
			'page narrow',
			h('h1', {}, 'Play a game'),
			h(
				'form',
				{
					class: 'setup',
					submit: (/** @type {Event} */ event) => {
						event.preventDefault();
						void this.begin();
					},
				},
				h('div', 'row', h('label', { for: 'variant' }, 'Variant'), this.variant),
				h('div', 'row', h('label', { for: 'scoring' }, 'Scoring'), this.scoring),
				this.list,
				this.alert,
				h('div', 'row', this.submit)
			)
		);
		/** @type {{who: HTMLSelectElement, level: HTMLSelectElement, name: HTMLInputElement}[]} */
		this.rows = [];
		this.#seats();
	}

	#seats() {
		const variant = this.variants.get(this.variant.value);
		if (!variant) return;
		const able = this.players.filter(({ variants }) => variants.includes(variant.name));
		const before = this.rows;
		this.rows = [];
		fill(
			this.list,
			Array.from({ length: variant.seats }, (_, seat) => {
				const old = before[seat];
				const colours = variant.colours.flatMap((colour, i) => (colour.seat === seat ? [i] : []));
				const who = h(
					'select',
					{ id: `seat-${seat}`, change: () => this.#levels(seat) },
					h('option', { value: '' }, 'Person'),
					GROUPS.map(([kinds, title]) => {
						const group = able.filter(({ kind }) => kinds.includes(kind));
						const entries = group.map(({ name, label }) => h('option', { value: name }, label));
						return group.length > 0 && h('optgroup', { label: title }, entries);
					})
				);
				const level = h('select', { 'aria-label': `level of seat ${seat + 1}` });
				const name = h('input', {
					value: old?.name.value ?? (seat === 0 ? 'You' : `Person ${seat + 1}`),
					maxlength: 40,
					'aria-label': `name of seat ${seat + 1}`,
				});
				const usual = (seat > 0 && able[0]?.name) || '';
				who.value = old?.who.value ?? usual;
				if (who.selectedIndex < 0) who.value = usual;
				this.rows.push({ who, level, name });
				return h(
					'div',
					'row',
					h('label', { for: `seat-${seat}` }, colours.map(swatch), ` Seat ${seat + 1}`),
					who,
					level,
					name
				);
			})
		);
		this.rows.forEach(({ who, level }, seat) => {
			this.#levels(seat);
			const old = before[seat];
			if (old?.who.value === who.value) level.value = old.level.value;
		});
	}

	/** @param {number} seat */
	#levels(seat) {
		const { who, level, name } = this.rows[seat];
		const player = this.players.find(candidate => candidate.name === who.value);
		const levels = player?.levels ?? 0;
		level.hidden = levels === 0;
		name.hidden = Boolean(player);
		fill(
			level,
			Array.from({ length: levels }, (_, i) =>
				h('option', { value: i + 1, selected: i + 1 === Math.min(3, levels) }, `level ${i + 1}`)
			)
		);
	}

	async begin() {
		const seats = this.rows.map(({ who, level, name }) => {
			if (!who.value) return { kind: 'person', name: name.value.trim() || undefined };
			return {
				kind: 'player',
				player: who.value,
				level: level.hidden ? undefined : Number(level.value),
			};
		});
		const body = {
			variant: this.variant.value,
			seats,
			scoring: this.scoring.value || undefined,
		};
		this.submit.disabled = true;
		try {
			const game = await api.post('games', body);
			// What a rematch needs: the answer does not name the players' levels.
			sessionStorage.setItem(`seats-${game.id}`, JSON.stringify(body));
			navigate(gamePath(game.id));
		} catch (error) {
			setText(this.alert, message(error));
		}
		this.submit.disabled = false;
	}
}
