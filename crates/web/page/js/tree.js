/** Moves of a game with their variations, without rules: the service checks them. */

/** @import { TreeData, TreeNode } from './types.js' */

/**
 * @typedef {object} Entry
 * @property {number} parent -1 for the root
 * @property {TreeNode} data
 * @property {number[]} children the first one continues the line
 * @property {number} next child that was visited last, or -1
 */

/** Trees that a browser keeps. */
const KEPT = 8;
const KEY = 'trees';

export class MoveTree {
	/** @param {TreeData} data @param {number} [current] */
	constructor(data, current = 0) {
		const { nodes, ...head } = data;
		this.head = head;
		/** @type {Entry[]} */
		this.nodes = nodes.map(({ parent = -1, ...node }) => ({
			parent,
			data: node,
			children: [],
			next: -1,
		}));
		this.nodes.forEach(({ parent }, i) => this.nodes[parent]?.children.push(i));
		/** Node that is shown. */
		this.current = 0;
		/** Node that was requested last: steps begin there. */
		this.aim = 0;
		this.go(current);
		/** Name among the trees that the browser keeps. */
		this.id = `${Date.now()}-${Math.random()}`;
	}

	/** Tree with one line. @param {string} variant @param {string[]} codes */
	static of(variant, codes) {
		const tree = new MoveTree({ variant, nodes: [{}] });
		tree.graft(codes);
		return tree;
	}

	/** Selects a node, and the line to it. @param {number} node */
	go(node) {
		this.current = node;
		this.aim = node;
		for (let at = node; at > 0; at = this.nodes[at].parent)
			this.nodes[this.nodes[at].parent].next = at;
	}

	/** Node after a node on its line; -1 at the end. @param {number} node */
	after(node) {
		const { children, next } = this.nodes[node];
		return children.includes(next) ? next : (children[0] ?? -1);
	}

	/** Node `plies` nodes further on the line, or back. @param {number} plies */
	stepped(plies) {
		let node = this.aim;
		for (let i = 0; i < Math.abs(plies); i += 1) {
			const to = plies < 0 ? this.nodes[node].parent : this.after(node);
			if (to < 0) break;
			node = to;
		}
		return node;
	}

	/** Node `step` places further among the variations of the move. @param {number} step */
	beside(step) {
		const { parent } = this.nodes[this.aim];
		const among = this.nodes[parent]?.children ?? [];
		return among[among.indexOf(this.aim) + step] ?? this.aim;
	}

	/** Codes of the moves up to a node. @param {number} [node] @returns {string[]} */
	codes(node = this.current) {
		const codes = [];
		for (let at = node; at > 0; at = this.nodes[at].parent) {
			const { code } = this.nodes[at].data;
			if (code) codes.push(code);
		}
		return codes.reverse();
	}

	/** Selects the child with a move, which is added if there is none. @param {string} code */
	add(code) {
		const here = this.nodes[this.current];
		let node = here.children.find(child => this.nodes[child].data.code === code);
		if (node === undefined) {
			node = this.nodes.length;
			here.children.push(node);
			this.nodes.push({ parent: this.current, data: { code }, children: [], next: -1 });
		}
		this.go(node);
	}

	/** Selects the node that moves lead to; moves that the tree lacks are added. @param {string[]} codes */
	graft(codes) {
		const found = this.find(codes);
		if (found >= 0) {
			this.go(found);
			return;
		}
		this.go(0);
		for (const code of codes) this.add(code);
	}

	/** Node that moves lead to, or -1. @param {string[]} codes */
	find(codes) {
		const open = [[0, 0]];
		for (;;) {
			const entry = open.pop();
			if (!entry) return -1;
			const [node, played] = entry;
			if (played === codes.length) return node;
			for (const child of this.nodes[node].children.toReversed()) {
				const { code } = this.nodes[child].data;
				if (!code) open.push([child, played]);
				else if (code === codes[played]) open.push([child, played + 1]);
			}
		}
	}

	/** Moves the variation that is shown one place forward; false on the main line. */
	promote() {
		let node = this.current;
		// The nearest node on the line that is a variation.
		while (node > 0 && this.nodes[this.nodes[node].parent].children[0] === node)
			node = this.nodes[node].parent;
		if (node <= 0) return false;
		const among = this.nodes[this.nodes[node].parent].children;
		const i = among.indexOf(node);
		[among[i - 1], among[i]] = [among[i], among[i - 1]];
		return true;
	}

	/** Deletes the node that is shown with all that follows; its parent is selected. */
	remove() {
		const node = this.current;
		const { parent } = this.nodes[node];
		if (parent < 0) return;
		const among = this.nodes[parent].children;
		among.splice(among.indexOf(node), 1);
		this.go(parent);
	}

	/**
	 * Nodes in the order in which they are shown: after a move its variations, then what follows it.
	 * @returns {{node: number, level: number, begins: boolean, of: number, place: number}[]}
	 */
	shown() {
		const rows = [];
		/** @type {{node: number, level: number, begins: boolean}[]} */
		const open = [{ node: 0, level: 1, begins: false }];
		for (;;) {
			const row = open.pop();
			if (!row) return rows;
			const { parent, children } = this.nodes[row.node];
			const among = parent < 0 ? [0] : this.nodes[parent].children;
			rows.push({ ...row, of: among.length, place: among.indexOf(row.node) + 1 });
			const { level } = row;
			const others = among[0] === row.node ? among.slice(1) : [];
			if (children.length > 0) open.push({ node: children[0], level, begins: others.length > 0 });
			for (const node of others.toReversed()) open.push({ node, level: level + 1, begins: true });
		}
	}

	/** Nodes that remain, in the order of the lines, and the place of the one that is shown. */
	data() {
		/** @type {TreeNode[]} */
		const nodes = [];
		let current = 0;
		const open = [[0, -1]];
		for (;;) {
			const entry = open.pop();
			if (!entry) return { tree: /** @type {TreeData} */ ({ ...this.head, nodes }), current };
			const [node, parent] = entry;
			if (node === this.current) current = nodes.length;
			for (const child of this.nodes[node].children.toReversed()) open.push([child, nodes.length]);
			nodes.push(parent < 0 ? this.nodes[node].data : { parent, ...this.nodes[node].data });
		}
	}

	/** Keeps the tree while the browser's tab is open. @param {Storage} storage */
	keep(storage) {
		const others = keptTrees(storage).filter(({ id }) => id !== this.id);
		const entry = { id: this.id, ...this.data() };
		try {
			storage.setItem(KEY, JSON.stringify([entry, ...others].slice(0, KEPT)));
		} catch {
			// The storage is full or forbidden: the address still holds the moves.
		}
	}

	/**
	 * The tree that was kept last of those with these moves; null if there is none.
	 * @param {Storage} storage
	 * @param {string} variant
	 * @param {string[]} codes
	 */
	static kept(storage, variant, codes) {
		for (const { id, tree: data, current } of keptTrees(storage)) {
			if (data.variant !== variant) continue;
			const tree = new MoveTree(data, current);
			tree.id = id;
			const same = tree.codes().join() === codes.join();
			const found = same ? tree.current : tree.find(codes);
			if (found < 0) continue;
			tree.go(found);
			return tree;
		}
		return null;
	}
}

/** @param {Storage} storage @returns {{id: string, tree: TreeData, current: number}[]} */
function keptTrees(storage) {
	try {
		return JSON.parse(storage.getItem(KEY) ?? '[]');
	} catch {
		return [];
	}
}
