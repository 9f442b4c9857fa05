/** The tree of moves next to the board, with its comments. */

import * as api from './api.js';
import { button, fill, h, reveal } from './dom.js';

/** @import { MoveTree } from './tree.js' */

export class Variations {
	/**
	 * @param {object} events
	 * @param {() => MoveTree} events.tree tree that is shown
	 * @param {(node: number) => void} events.go shows a node
	 * @param {() => void} events.changed notes a change of the tree
	 * @param {() => void} events.remove deletes the node that is shown
	 * @param {() => void} events.begin begins a new tree
	 * @param {(text: string) => void} events.open shows the text of a file
	 * @param {(error: unknown) => void} events.failed shows an error
	 */
	constructor({ tree, go, changed, remove, begin, open, failed }) {
		this.tree = tree;
		this.go = go;
		this.delete = remove;
		this.changed = changed;
		this.failed = failed;
		this.items = h('div', { class: 'tree', role: 'tree', 'aria-label': 'moves' });
		this.comment = h('textarea', {
			id: 'comment',
			rows: 2,
			maxlength: 8000,
			input: () => {
				const { data } = this.entry;
				data.comment = this.comment.value || undefined;
				this.changed();
				this.draw();
			},
		});
		const file = h('input', {
			type: 'file',
			accept: '.blksgf,.list,.txt',
			class: 'visually-hidden',
			change: () => {
				void file.files?.[0]?.text().then(open);
				file.value = '';
			},
		});
		this.promoted = button('Promote', () => this.promote(), { title: 'Shift and up' });
		this.deleted = button('Delete', () => this.remove(), { title: 'Delete' });
		this.element = h(
			'section',
			{ class: 'variations', 'aria-label': 'variations' },
			this.items,
			h('label', { for: 'comment' }, 'Comment'),
			this.comment,
			h(
				'div',
				'tools',
				this.promoted,
				this.deleted,
				button('New', begin),
				h('label', 'button file', 'Open a file', file),
				button('Save as blksgf', () => void this.save())
			)
		);
	}

	get entry() {
		const tree = this.tree();
		return tree.nodes[tree.current];
	}

	draw() {
		const tree = this.tree();
		const focused = this.items.contains(document.activeElement);
		/** @type {number[]} */
		const plies = [];
		fill(
			this.items,
			tree.shown().flatMap(({ node, level, begins, of, place }) => {
				const { parent, data } = tree.nodes[node];
				plies[node] = parent < 0 ? 0 : plies[parent] + (data.code ? 1 : 0);
				const now = node === tree.current;
				const item = h(
					'div',
					{
						role: 'treeitem',
						'aria-level': level,
						'aria-setsize': of,
						'aria-posinset': place,
						'aria-selected': String(now),
						tabindex: now ? 0 : -1,
						'data-node': node,
						click: () => this.go(node),
					},
					data.code ? h('span', 'number', plies[node]) : null,
					name(node, data.code),
					data.comment
						? h('span', 'remark', h('span', 'visually-hidden', 'comment'))
						: null
				);
				if (!begins) return [item];
				const begin = h('span', { class: 'break', role: 'none' });
				item.style.marginLeft = `${Math.min(level - 1, 6)}rem`;
				return [begin, item];
			})
		);
		const now = /** @type {HTMLElement} */ (this.items.querySelector('[aria-selected="true"]'));
		if (focused) now.focus({ preventScroll: true });
		reveal(this.items, now);
		const { comment = '' } = this.entry.data;
		if (this.comment.value !== comment) this.comment.value = comment;
		this.deleted.disabled = tree.current === 0;
	}

	/** Handles a key of the tree, which has the focus. @param {KeyboardEvent} event */
	key(event) {
		const tree = this.tree();
		const order = tree.shown().map(({ node }) => node);
		const at = order.indexOf(tree.aim);
		/** @type {Record<string, () => number | undefined>} */
		const keys = {
			ArrowDown: () => order[at + 1],
			ArrowUp: () => order[at - 1],
			ArrowRight: () => tree.stepped(1),
			ArrowLeft: () => tree.stepped(-1),
			Home: () => 0,
			End: () => order.at(-1),
		};
		if (event.shiftKey || !Object.hasOwn(keys, event.key)) return this.change(event);
		this.go(keys[event.key]() ?? tree.aim);
		return true;
	}

	/** Handles a key that changes the tree, or chooses a variation. @param {KeyboardEvent} event */
	change({ key, shiftKey }) {
		const tree = this.tree();
		if (key === 'Delete') this.remove();
		else if (key === 'ArrowUp' && shiftKey) this.promote();
		else if (key === 'ArrowUp') this.go(tree.beside(-1));
		else if (key === 'ArrowDown') this.go(tree.beside(1));
		else return false;
		return true;
	}

	promote() {
		if (!this.tree().promote()) return;
		this.changed();
		this.draw();
	}

	remove() {
		if (this.tree().current > 0) this.delete();
	}

	/** Saves the tree as a file, which the service writes. */
	async save() {
		try {
			const { blksgf } = await api.post('trees', { tree: this.tree().data().tree });
			const href = URL.createObjectURL(new Blob([blksgf], { type: 'application/x-blokus-sgf' }));
			h('a', { href, download: 'analysis.blksgf' }).click();
			setTimeout(() => URL.revokeObjectURL(href), 1000);
		} catch (error) {
			this.failed(error);
		}
	}
}

/** @param {number} node @param {string | undefined} code */
function name(node, code) {
	if (node === 0) return 'Start';
	if (!code) return 'remark';
	return h('code', {}, code === '0000' ? 'pass' : code);
}
