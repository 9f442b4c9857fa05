/** Elements, and the live region that speaks to screen readers. */

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Record<string, unknown> | string} Attributes attributes, or the classes alone */
/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function assign(element, attributes) {
	const entries = typeof attributes === 'string' ? { class: attributes } : attributes;
	for (const [name, value] of Object.entries(entries)) {
		if (value === undefined || value === null || value === false) continue;
		if (typeof value === 'function') {
			element.addEventListener(name, /** @type {EventListener} */ (value));
		} else element.setAttribute(name, value === true ? '' : String(value));
	}
}

/**
 * Creates an HTML element. A function among the attributes listens to the event of that name.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	assign(element, attributes);
	put(element, ...children);
	return element;
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, attributes = {}, ...children) {
	const element = document.createElementNS(SVG, tag);
	assign(element, attributes);
	put(element, ...children);
	return element;
}

/**
 * Appends children; strings and numbers become text.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
function put(element, ...children) {
	for (const child of children.flat()) {
		if (child === null || child === undefined || child === false) continue;
		element.append(child instanceof Node ? child : String(child));
	}
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
	element.replaceChildren();
	put(element, ...children);
}

/**
 * Creates a table in a region that scrolls.
 * @param {string} name name of the region
 * @param {(string | Node)[]} heads titles of the columns; an empty one has an empty cell
 * @param {Child[] | HTMLTableSectionElement} rows rows, or the body of the table
 * @param {Attributes} [attributes] attributes of the table
 * @param {Child} [caption]
 */
export const table = (name, heads, rows, attributes, caption) =>
	h(
		'div',
		{ class: 'scroll', tabindex: 0, role: 'region', 'aria-label': name },
		h(
			'table',
			attributes,
			caption && h('caption', {}, caption),
			h(
				'thead',
				{},
				h(
					'tr',
					{},
					heads.map((head, i) => {
						if (typeof head !== 'string') return head;
						// Numbers stand below the end of their title.
						const below =
							rows instanceof Node ? null : /** @type {Element} */ (rows[0])?.children[i];
						const number = below?.className === 'number' && 'number';
						return head ? h('th', { scope: 'col', class: number }, head) : h('td');
					})
				)
			),
			rows instanceof Node ? rows : h('tbody', {}, rows)
		)
	);

/** Cells with numbers. @param {Child[]} values */
export const numbers = values => values.map(value => h('td', 'number', value));

/** Line of a page for a fault, which is read out when it is set. */
export const warning = () => h('p', { class: 'alert', role: 'alert' });

/**
 * Creates the head of a page.
 * @param {Child | Child[]} title
 * @param {...(Child | Child[])} rest
 */
export const heading = (title, ...rest) => h('div', 'page-head', h('h1', {}, title), ...rest);

/** Link that looks like a button. @param {string} href @param {string} label */
export const link = (href, label) => h('a', { class: 'button', href }, label);

/** Message of an error. @param {unknown} error */
export const message = error => (error instanceof Error ? error.message : String(error));

/**
 * Creates a button.
 * @param {string} label
 * @param {(event: Event) => void} click
 * @param {Record<string, unknown>} [attributes]
 */
export const button = (label, click, attributes = {}) =>
	h('button', { type: 'button', click, ...attributes }, label);

/** Shapes of the icons on a grid of 16 units. @type {Record<string, string>} */
const ICONS = {
	first: 'M3 3h2v10H3zM13 3v10L6 8z',
	back: 'M11 3v10L4 8z',
	play: 'M5 3v10l7-5z',
	pause: 'M4 3h3v10H4zM9 3h3v10H9z',
	forward: 'M3 3v10l6-5zM10 3h2.5v10H10z',
	last: 'M11 3h2v10h-2zM3 3v10l7-5z',
};

/** Creates the picture of an icon. @param {string} name */
export const icon = name =>
	s(
		'svg',
		{ viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': true },
		s('path', { d: ICONS[name] })
	);

/**
 * Creates a button with an icon.
 * @param {string} label
 * @param {string} name
 * @param {(event: Event) => void} click
 */
export const iconButton = (label, name, click) =>
	h('button', { type: 'button', 'aria-label': label, title: label, click }, icon(name));

/**
 * Sets the text of an element if it differs.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
	if (element.textContent !== text) element.textContent = text;
}

/**
 * Marks an element as the current one, or removes the mark.
 * @param {Element} element
 * @param {string | false} kind
 */
export function setCurrent(element, kind) {
	if (kind) element.setAttribute('aria-current', kind);
	else element.removeAttribute('aria-current');
}

/**
 * Scrolls a list, and nothing else, if an item is outside of what the list shows.
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 */
export function reveal(list, item) {
	const { clientHeight, scrollTop } = list;
	const top = item.offsetTop - list.offsetTop;
	if (top < scrollTop || top + item.offsetHeight > scrollTop + clientHeight)
		list.scrollTop = top - clientHeight / 2;
}

/** Speaks a text through the page's live region. @param {string} text */
export function say(text) {
	const region = document.getElementById('live');
	if (region) region.textContent = text;
}
