/** Addresses of the views. */

/** Segment of a path; a malformed one stays undecoded. @param {string} text */
function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/**
 * Reads a path.
 * @param {string} path
 * @returns {{view: string, parts: string[]}}
 */
export function readPath(path) {
	const [view = '', ...parts] = path.split('/').filter(Boolean).map(decoded);
	return { view: view || 'wall', parts };
}

/**
 * Address of a game, at a ply or at its end. A full stop in an address would name a file.
 * @param {string} id
 * @param {number} [ply]
 */
export function gamePath(id, ply) {
	const name = encodeURIComponent(id).replaceAll('.', '~');
	return `/game/${name}${ply === undefined ? '' : `/${ply}`}`;
}

/**
 * Address of the bytes of a game.
 * @param {string} id
 * @param {number} [ply]
 */
export const linePath = (id, ply) => gamePath(id, ply).replace('/game', '/line');

/**
 * Address of the comparison of a decision.
 * @param {string} id
 * @param {number} ply number of moves before the decision
 */
export const twinPath = (id, ply) => gamePath(id, ply).replace('/game', '/twin');

/**
 * Id of the game in an address.
 * @param {string} name
 */
export const gameId = name => name.replaceAll('~', '.');

/**
 * Address of a position to analyse.
 * @param {string} variant
 * @param {string[]} codes
 */
export const positionPath = (variant, codes) =>
	`/analyse/${variant}${codes.length > 0 ? `/${codes.join(',')}` : ''}`;

/** @param {string} text */
const segment = text => encodeURIComponent(text).replaceAll('.', '%2E');

/** Address of a ladder. @param {string} variant @param {string} unit */
export const ladderPath = (variant, unit) => `/ladder/${segment(variant)}/${unit}`;

/**
 * Address of the games of an event, or of two players.
 * @param {...string} names id of the event; or names of both players, and the variant
 */
export const gamesPath = (...names) => `/games/${names.map(segment).join('/')}`;

/** Shows another view. @param {string} path */
export function navigate(path) {
	history.pushState(null, '', path);
	dispatchEvent(new PopStateEvent('popstate'));
}
