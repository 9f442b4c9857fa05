/** Light and dark: the system's choice until the person makes one. */

const KEY = 'duoforge-theme';

/** @returns {'light' | 'dark'} */
function system() {
	return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Applies the theme, and listens to its button. */
export function startTheme() {
	const button = document.getElementById('theme');
	const root = document.documentElement;
	const apply = () => {
		const theme = localStorage.getItem(KEY) ?? system();
		root.dataset.theme = theme;
		button?.setAttribute('aria-label', theme === 'dark' ? 'light theme' : 'dark theme');
	};
	button?.addEventListener('click', () => {
		localStorage.setItem(KEY, root.dataset.theme === 'dark' ? 'light' : 'dark');
		apply();
	});
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
	apply();
}
