/** Devices: the operator's profiles, their team codes and builds, and conformance checks. */

import * as api from '../api.js';
import { bytesTable } from '../bytes.js';
import { button, fill, h, message, say, setText, table } from '../dom.js';

/** @import { Conformance, Identification, PlayerInfo } from '../types.js' */

/** Polling interval of a run, in milliseconds. */
const POLL = 400;

/** Verdicts in words. @type {Record<string, string>} */
const WORDS = { passed: 'ok', 'not-reached': 'not reached', 'not-run': 'not run' };

/** @param {Conformance} run */
function outcome({ status, steps, reason, team }) {
	const count = (/** @type {string} */ word) => steps.filter(it => it.verdict === word).length;
	const parts = ['passed', 'failed', 'warned', 'not-reached', 'blocked', 'not-run']
		.filter(word => count(word) > 0)
		.map(word => `${count(word)} ${WORDS[word] ?? word}`);
	const head = team ? `${status}, team ${team}` : status;
	return [head, ...parts].join(', ') + (reason ? `: ${reason}` : '');
}

/** Rows of the checks. @param {Conformance} run */
const checks = run =>
	run.steps.map(step => {
		const word = step.verdict ?? (api.isOpen(run) ? 'waiting' : '');
		return h(
			'tr',
			{},
			h('th', { scope: 'row' }, `${step.number} ${step.name}`),
			h('td', {}, step.about, step.kind === 'advice' && h('small', {}, ' (advisory)')),
			h('td', word, WORDS[word] ?? word),
			h(
				'td',
				{},
				step.text,
				step.bytes.map(line => h('code', {}, line))
			),
			h('td', 'number', step.seconds === null ? '' : `${step.seconds.toFixed(1)} s`)
		);
	});

/** Profile of the operator. */
class Device {
	/** @param {PlayerInfo} player @param {boolean} allowed */
	constructor(player, allowed) {
		this.name = player.name;
		this.closed = false;
		const off = { disabled: !allowed };
		this.state = h('span', 'badge');
		this.line = h('p', { class: 'summary', role: 'status' });
		this.rows = h('tbody');
		const titles = ['Check', 'Requirement', 'Result', 'Explanation', 'Time'];
		this.table = table(`checks of ${this.name}`, titles, this.rows, { class: 'checks' });
		this.table.hidden = true;
		this.bytes = h('div');
		this.ask = button('Identify', () => void this.identify(), off);
		this.test = button('Conform', () => void this.conform(), off);
		this.stop = button('Cancel', () => void this.cancel(), { hidden: true });
		const single = player.single ? 'one game at a time' : 'any number of games at once';
		this.element = h(
			'section',
			{ class: 'setup', 'aria-label': player.name },
			h('h2', {}, player.name, ' ', this.state),
			player.kind === 'device'
				? [
						h('p', {}, `device, ${single}`),
						h('div', 'tools', this.ask, this.test, this.stop),
						this.line,
						this.table,
						this.bytes,
					]
				: h('p', {}, 'program, asked for moves directly')
		);
		/** @type {Conformance | null} */
		this.run = null;
		this.use(player);
	}

	/** Shows whether the device is in use. @param {PlayerInfo} player */
	use({ busy }) {
		setText(this.state, busy ? 'in use' : '');
		this.state.hidden = !busy;
	}

	/** @param {unknown} error */
	#refused(error) {
		setText(this.line, message(error));
	}

	/** @param {Identification['bytes']} bytes */
	#bytes(bytes) {
		fill(
			this.bytes,
			bytes.length > 0 ? [h('h3', {}, 'Last bytes'), bytesTable(bytes, [this.name])] : null
		);
	}

	async identify() {
		setText(this.line, 'waiting for the device');
		try {
			/** @type {Identification} */
			const it = await api.post(`players/${encodeURIComponent(this.name)}/identify`, {});
			const build = it.build ? `build ${it.build}` : 'no build id';
			setText(this.line, it.team ? `team ${it.team}, ${build}` : `no team code: ${it.fault}`);
			this.#bytes(it.bytes);
		} catch (error) {
			this.#refused(error);
		}
	}

	async cancel() {
		if (!this.run) return;
		try {
			this.draw(await api.remove(`conformances/${this.run.id}`));
		} catch (error) {
			this.#refused(error);
		}
	}

	conform() {
		return this.follow(api.post(`players/${encodeURIComponent(this.name)}/conform`, {}));
	}

	/** Shows a run until it ends, or the service refuses it. @param {Promise<Conformance>} asked */
	async follow(asked) {
		try {
			let run = await asked;
			this.draw(run);
			while (api.isOpen(run) && !this.closed) {
				await api.pause(POLL);
				run = await api.get(`conformances/${run.id}`).catch(error => {
					if (error.status) throw error;
					return run;
				});
				if (this.run?.id !== run.id) return;
				this.draw(run);
			}
		} catch (error) {
			this.#refused(error);
		}
	}

	/** @param {Conformance} run */
	draw(run) {
		for (const step of run.steps) {
			const before = this.run?.steps.find(({ number }) => number === step.number)?.verdict;
			if (this.run?.id === run.id && step.verdict === 'failed' && !before)
				say(`check ${step.name} failed: ${step.text}`);
		}
		const same = JSON.stringify(this.run) === JSON.stringify(run);
		this.run = run;
		this.stop.hidden = !api.isOpen(run);
		if (same) return;
		// A status region speaks each text: while checks run, it names the run alone.
		setText(this.line, api.isOpen(run) ? run.status : outcome(run));
		this.table.hidden = false;
		fill(this.rows, checks(run));
		this.#bytes(run.bytes);
	}
}

export async function open() {
	const [{ players }, { conformances }, role] = await Promise.all([
		api.get('players'),
		api.get('conformances'),
		api.role(),
	]);
	/** @type {PlayerInfo[]} */
	const profiles = players.filter((/** @type {PlayerInfo} */ { kind }) => kind !== 'software');
	const devices = profiles.map(player => new Device(player, role === 'referee'));
	for (const run of conformances) {
		const device = devices.find(({ name }) => name === run.player);
		void device?.follow(run);
	}
	const timer = setInterval(async () => {
		const answer = await api.get('players').catch(() => ({ players: [] }));
		for (const player of answer.players) devices.find(it => it.name === player.name)?.use(player);
	}, 2000);
	return {
		title: 'Devices',
		element: h(
			'section',
			'page',
			h('h1', {}, 'Devices'),
			role === 'referee' ? null : h('p', 'notice', 'Examinations need the role referee.'),
			devices.length > 0
				? devices.map(({ element }) => element)
				: h('p', 'notice', 'No profiles. duoforge serve --profiles FILE names them.')
		),
		leave: () => {
			clearInterval(timer);
			for (const device of devices) device.closed = true;
		},
	};
}
