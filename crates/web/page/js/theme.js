/** Light and dark: the system's choice until the person makes one. */

const KEY = 'duoforge-theme';

/** @returns {'light' | 'dark'} */
function system() {
	return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/**
 * Reads or stores the choice of the person. A file or a frame may have no storage.
 * @param {string} [choice]
 */
function chosen(choice) {
	try {
		if (choice) localStorage.setItem(KEY, choice);
		return localStorage.getItem(KEY);
	} catch {
		return choice ?? null;
	}
}

/** Applies the theme, and listens to its button. */
export function startTheme() {
	const button = document.getElementById('theme');
	const root = document.documentElement;
	let choice = chosen();
	const apply = () => {
		const theme = choice ?? system();
		root.dataset.theme = theme;
		button?.setAttribute('aria-label', theme === 'dark' ? 'light theme' : 'dark theme');
	};
	button?.addEventListener('click', () => {
		choice = chosen(root.dataset.theme === 'dark' ? 'light' : 'dark');
		apply();
	});
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
	apply();
}
