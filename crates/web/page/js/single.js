/**
 * A game as one HTML file: replay.html with styles, scripts and the game in it. The scripts are
 * the modules of the page, joined: imports go, and `export` goes.
 */

/** @import { Game, State, TileTable } from './types.js' */

/** Style sheets of the file. */
export const STYLES = ['base', 'board', 'views'];

/** Modules of the file: each uses only those before it. */
export const MODULES = [
	'dom',
	'geometry',
	'tiles',
	'picture',
	'board',
	'curve',
	'panels',
	'timeline',
	'stage',
	'replay',
];

/**
 * Joins modules to one script.
 * @param {string[]} texts
 */
export const join = texts =>
	texts
		.map(text => text.replaceAll(/^import [^;]*;\n/gm, '').replaceAll(/^export /gm, ''))
		.join('\n');

/**
 * Puts styles, script and game into the template.
 * @param {string} template
 * @param {{styles: string, script: string, data: unknown}} parts
 */
export function assemble(template, { styles, script, data }) {
	/** @type {Record<string, string>} */
	const parts = {
		STYLES: `<style>\n${styles}</style>`,
		DATA: JSON.stringify(data).replaceAll('<', '\\u003c'),
		SCRIPT: `<script type="module">\n${script}</script>`,
	};
	return template.replaceAll(
		/<!--(STYLES|SCRIPT)-->|\{"DATA":0\}/g,
		(_, name) => parts[name ?? 'DATA']
	);
}

/**
 * Returns a game as one HTML file.
 * @param {{game: Game, states: State[], table: TileTable, starts: unknown}} parts
 */
export async function singleFile({ game, states, table, starts }) {
	const read = async (/** @type {string} */ path) => (await fetch(path)).text();
	const [template, styles, texts] = await Promise.all([
		read('/replay.html'),
		Promise.all(STYLES.map(name => read(`/css/${name}.css`))),
		Promise.all(MODULES.map(name => read(`/js/${name}.js`))),
	]);
	// A replay shows no legal moves: their lists are most of a state.
	const nothing = { count: 0, actions: [], codes: [] };
	const colours = (/** @type {State} */ state) =>
		state.colours.map(colour => ({ ...colour, corner_points: [], forbidden: [] }));
	const slim = (/** @type {State} */ state) => ({
		...state,
		legal: nothing,
		colours: colours(state),
	});
	const data = {
		game: { ...game, state: slim(game.state) },
		states: states.map(slim),
		table,
		starts,
	};
	return assemble(template, { styles: styles.join('\n'), script: join(texts), data });
}
