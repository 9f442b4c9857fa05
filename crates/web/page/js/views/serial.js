/** Your board: plugs in a board on this computer, identifies and checks it, plays and monitors. */

import * as api from '../api.js';
import { bytesTable } from '../bytes.js';
import { button, fill, h, setText, table, warning } from '../dom.js';
import { gamePath, navigate } from '../route.js';
import { board, plugIn, serial } from '../serial.js';

/** @import { Check, PlayerInfo } from '../types.js' */

/** Time between drawings in milliseconds. */
const PERIOD = 250;

export const open = async () => new SerialView(await api.players());

class SerialView {
	/** @param {PlayerInfo[]} players */
	constructor(players) {
		this.title = 'Your board';
		this.alert = warning();
		this.status = h('p', { class: 'status', role: 'status' });
		this.plug = button('Plug in', () => void this.#plug(), { class: 'primary' });
		this.identify = button('Identify', () => board?.ask('identify'));
		this.conform = button('Conform', () => board?.ask(board.job ? 'cancel' : 'conform'));
		this.order = h(
			'select',
			{ id: 'order' },
			h('option', { value: 0 }, 'Board'),
			h('option', { value: 1 }, 'Opponent')
		);
		this.opponent = h(
			'select',
			{ id: 'opponent' },
			h('option', { value: '' }, 'You'),
			players
				.filter(({ variants }) => variants.includes('duo'))
				.map(({ name, label }) => h('option', { value: name }, label))
		);
		this.play = button('Play', () => void this.#play());
		this.checks = h('div');
		this.bytes = h('div');
		const able = Boolean(serial());
		const row = (
			/** @type {string} */ id,
			/** @type {string} */ label,
			/** @type {Node} */ input
		) => [h('label', { for: id }, label), input];
		this.element = h(
			'section',
			'page',
			h('h1', {}, 'Your board'),
			h(
				'p',
				{},
				'An FPGA board on this computer, at 115200 baud, 8N1. The page forwards its bytes to the ',
				'service. All times contain those of the browser: they are unofficial.'
			),
			able
				? null
				: h(
						'p',
						'setup alert',
						'This browser has no WebSerial. Open the page in Chromium, Chrome or Edge, at a ',
						'loopback address or over HTTPS. Without it, the operator of the service can name the ',
						'device in a profile.'
					),
			h('div', 'tools', this.plug, this.identify, this.conform),
			h(
				'div',
				'row',
				row('opponent', 'Opponent', this.opponent),
				row('order', 'First move', this.order),
				this.play
			),
			this.alert,
			this.status,
			this.checks,
			h('h2', {}, 'Monitor'),
			this.bytes
		);
		this.plug.disabled = !able;
		/** Next drawing. @type {ReturnType<typeof setTimeout> | undefined} */
		this.timer = undefined;
		this.draws = () => this.#soon();
		board?.addEventListener('change', this.draws);
		this.#draw();
		this.leave = () => {
			clearTimeout(this.timer);
			board?.removeEventListener('change', this.draws);
		};
	}

	/** Draws seldom, however many bytes come: what draws forwards no bytes. */
	#soon() {
		this.timer ??= setTimeout(() => {
			this.timer = undefined;
			this.#draw();
		}, PERIOD);
	}

	#draw() {
		const plugged = Boolean(board?.plugged);
		const busy = Boolean(board?.job);
		setText(this.plug, plugged ? 'Unplug' : 'Plug in');
		setText(this.conform, board?.job === 'conform' ? 'Cancel' : 'Conform');
		this.identify.disabled = !plugged || busy;
		this.conform.disabled = !plugged || board?.job === 'identify';
		this.play.disabled = !plugged || busy;
		setText(this.status, this.#state());
		const checks = board?.checks ?? [];
		if (this.checks.dataset.count !== String(checks.length)) {
			this.checks.dataset.count = String(checks.length);
			fill(this.checks, checks.length > 0 && checkTable(checks));
		}
		const entries = board?.entries ?? [];
		fill(this.bytes, entries.length > 0 ? bytesTable(entries, ['board']) : 'No bytes yet.');
		const list = this.bytes.firstElementChild;
		if (list) list.scrollTop = list.scrollHeight;
	}

	#state() {
		if (!board) return 'no board is plugged in';
		const { checks, job, reason, result, team, total } = board;
		const passed = checks.filter(({ verdict }) => verdict === 'passed').length;
		const bad = checks.filter(({ verdict }) => verdict === 'failed').length;
		return [
			board.plugged ? 'plugged in' : `unplugged${reason ? `: ${reason}` : ''}`,
			team && `team ${team}`,
			job === 'conform' && `check ${checks.length + 1} of ${total}`,
			job === 'identify' && 'asking for the team code',
			checks.length > 0 && `${passed} passed, ${bad} failed`,
			result,
		]
			.filter(Boolean)
			.join('; ');
	}

	async #plug() {
		setText(this.alert, '');
		try {
			if (board?.plugged) await board.close();
			else {
				board?.removeEventListener('change', this.draws);
				await plugIn();
				board?.addEventListener('change', this.draws);
			}
		} catch (error) {
			// The visitor may close the list of ports without a choice.
			const { name, message } = /** @type {Error} */ (error);
			if (name !== 'NotFoundError') setText(this.alert, message);
		}
		this.#draw();
	}

	async #play() {
		setText(this.alert, '');
		const other = this.opponent.value
			? { kind: 'player', player: this.opponent.value }
			: { kind: 'person', name: 'You' };
		const seats = [{ kind: 'player', player: board?.player }, other];
		if (this.order.value === '1') seats.reverse();
		try {
			const game = await api.post('games', { variant: 'duo', seats });
			navigate(gamePath(game.id));
		} catch (error) {
			setText(this.alert, /** @type {Error} */ (error).message);
		}
	}
}

/** @param {Check[]} checks */
const checkTable = checks =>
	table(
		'checks',
		['Check', 'Verdict', 'Observation'],
		checks.map(({ number, name, about, verdict, text, bytes }) =>
			h(
				'tr',
				verdict,
				h('th', { scope: 'row', title: about }, `${number} ${name}`),
				h('td', {}, verdict),
				h('td', 'meaning', text, bytes.length > 0 && h('pre', {}, bytes.join('\n')))
			)
		),
		{ class: 'checks' }
	);
