/** Requests to the service. */

import { Tiles } from './tiles.js';

/** @import { State } from './types.js' */

const BASE = '/api/v1/';

/** Refusal of the service: an `application/problem+json`. */
export class Problem extends Error {
	/** @param {Record<string, any>} problem */
	constructor(problem) {
		super(problem.detail ?? problem.title ?? 'the request failed');
		this.status = Number(problem.status ?? 0);
		this.code = String(problem.code ?? '');
		this.help = String(problem.help ?? '');
		this.reason = String(problem.reason ?? '');
		/** @type {import('./types.js').Cell | null} */
		this.cell = problem.cell ?? null;
	}
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function request(method, path, body) {
	const json = 'application/json';
	const headers = { accept: json, ...(body !== undefined && { 'content-type': json }) };
	const init = { method, headers, body: JSON.stringify(body) };
	let response;
	let answer;
	try {
		response = await fetch(BASE + path, init);
		answer = await response.json();
	} catch {
		// The refusal of a proxy may have no JSON; another answer without it was cut off.
		if (response?.ok !== false)
			throw new Problem({
				title: 'the service does not answer',
				help: 'is duoforge serve running?',
			});
	}
	if (!response.ok)
		throw new Problem({ title: response.statusText, ...answer, status: response.status });
	return answer;
}

/** @param {string} path @returns {Promise<any>} */
export const get = path => request('GET', path);
/** @param {string} path @param {unknown} body @returns {Promise<any>} */
export const post = (path, body) => request('POST', path, body);
/** @param {string} path @returns {Promise<any>} */
export const remove = path => request('DELETE', path);

/** Waits. @param {number} ms */
export const pause = ms =>
	new Promise(resolve => {
		setTimeout(resolve, ms);
	});

/** True until a job of the service ends. @param {{status: string} | null | undefined} job */
export const isOpen = job => /^(waiting|running)$/.test(`${job?.status}`);

/** Path of a game. @param {string} id */
export const pathOf = id => `games/${encodeURIComponent(id)}`;

/** @type {Map<string, Promise<any>>} */
const kept = new Map();

/**
 * Gets a resource that never changes while the service runs, once.
 * @template T
 * @param {string} path
 * @param {(answer: any) => T} convert
 * @returns {Promise<T>}
 */
function once(path, convert) {
	let answer = kept.get(path);
	if (!answer) {
		answer = get(path).then(convert);
		answer.catch(() => kept.delete(path));
		kept.set(path, answer);
	}
	return answer;
}

/** Variants by name. @returns {Promise<Map<string, import('./types.js').Variant>>} */
export const variants = () =>
	once(
		'variants',
		({ variants: list }) =>
			new Map(list.map((/** @type {{name: string}} */ variant) => [variant.name, variant]))
	);

/** Table of tiles. @param {string} variant @returns {Promise<Tiles>} */
export const tiles = variant => once(`variants/${variant}/tiles`, table => new Tiles(table));

/**
 * Players that games can be created with. A restart of the service may change them.
 * @returns {Promise<import('./types.js').PlayerInfo[]>}
 */
export const players = () => get('players').then(answer => answer.players);

/** Role of this browser; that of a watcher while it is unknown. @returns {Promise<string>} */
export const role = () => once('session', answer => answer.role).catch(() => 'watch');

/**
 * State of the position after moves.
 * @param {string} variant
 * @param {string[]} codes
 * @returns {Promise<State>}
 */
export const position = (variant, codes) =>
	get(['positions', variant, codes.join(',')].filter(Boolean).join('/'));
