import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MoveTree } from '../../../page/js/tree.js';

/** Root, main line a b c, variation d e of b, variation f of d; a remark after c. */
const DATA = {
	variant: 'duo',
	facts: { DT: '2026' },
	nodes: [
		{ comment: 'game' },
		{ parent: 0, code: 'a' },
		{ parent: 1, code: 'b' },
		{ parent: 2, code: 'c', value: 0.5, properties: [{ name: 'XY', values: ['1'] }] },
		{ parent: 3, comment: 'remark' },
		{ parent: 1, code: 'd' },
		{ parent: 5, code: 'e' },
		{ parent: 1, code: 'f' },
	],
};

/** @param {MoveTree} tree */
const shown = tree =>
	tree
		.shown()
		.map(
			({ node, level, begins }) =>
				`${begins ? '| ' : ''}${level}${tree.nodes[node].data.code ?? '.'}`
		)
		.join(' ');

test('lines are shown with their variations after the move that they replace', () => {
	const tree = new MoveTree(DATA);
	assert.equal(shown(tree), '1. 1a 1b | 2d 2e | 2f | 1c 1.');
	assert.deepEqual(
		tree.shown().map(({ of, place }) => `${place}/${of}`),
		['1/1', '1/1', '1/3', '2/3', '1/1', '3/3', '1/1', '1/1']
	);
	assert.equal(shown(MoveTree.of('duo', [])), '1.');
});

test('what is posted is what was read', () => {
	assert.deepEqual(new MoveTree(DATA).data(), { tree: DATA, current: 0 });
	assert.deepEqual(new MoveTree(DATA, 6).data().current, 6);
});

test('steps return on the line that they came from', () => {
	const tree = new MoveTree(DATA);
	tree.go(tree.stepped(Infinity));
	assert.deepEqual([tree.current, tree.codes()], [4, ['a', 'b', 'c']]);
	tree.go(6);
	assert.deepEqual(tree.codes(), ['a', 'd', 'e']);
	tree.go(tree.stepped(-Infinity));
	assert.equal(tree.current, 0);
	assert.equal(tree.stepped(2), 5);
	tree.go(5);
	assert.deepEqual([tree.beside(-1), tree.beside(1), tree.beside(2)], [2, 7, 5]);
	tree.go(0);
	assert.equal(tree.beside(1), 0);
});

test('another move begins a variation, and the same move does not', () => {
	const tree = MoveTree.of('duo', ['a', 'b']);
	tree.go(1);
	tree.add('b');
	assert.equal(tree.nodes.length, 3);
	tree.go(1);
	tree.add('x');
	assert.equal(shown(tree), '1. 1a 1b | 2x');
	tree.graft(['a', 'b', 'c']);
	assert.equal(shown(tree), '1. 1a 1b | 2x | 1c');
	assert.deepEqual(tree.codes(), ['a', 'b', 'c']);
});

test('variations are promoted and deleted', () => {
	const tree = new MoveTree(DATA, 6);
	assert.ok(tree.promote());
	assert.equal(shown(tree), '1. 1a 1d | 2b 2c 2. | 2f | 1e');
	assert.equal(tree.promote(), false);
	tree.go(7);
	assert.ok(tree.promote() && tree.promote());
	assert.equal(shown(tree), '1. 1a 1f | 2d 2e | 2b 2c 2.');
	tree.go(5);
	tree.remove();
	assert.equal(tree.current, 1);
	assert.equal(shown(tree), '1. 1a 1f | 2b 2c 2.');
	assert.equal(tree.data().tree.nodes.length, 6);
	tree.go(0);
	tree.remove();
	assert.equal(tree.current, 0);
});

test('a browser keeps the last trees, and finds one by its moves', () => {
	/** @type {Record<string, string>} */
	const items = {};
	const storage = /** @type {Storage} */ (
		/** @type {unknown} */ ({
			getItem: (/** @type {string} */ key) => items[key] ?? null,
			setItem: (/** @type {string} */ key, /** @type {string} */ value) => {
				items[key] = value;
			},
		})
	);
	assert.equal(MoveTree.kept(storage, 'duo', []), null);
	const tree = new MoveTree(DATA, 4);
	tree.keep(storage);
	const again = MoveTree.kept(storage, 'duo', ['a', 'b', 'c']);
	assert.equal(again?.current, 4);
	assert.deepEqual(again?.data().tree, DATA);
	assert.equal(MoveTree.kept(storage, 'duo', ['a', 'd'])?.current, 5);
	assert.equal(MoveTree.kept(storage, 'duo', ['d']), null);
	assert.equal(MoveTree.kept(storage, 'classic', ['a']), null);
	again?.go(1);
	again?.keep(storage);
	assert.equal(JSON.parse(items.trees).length, 1);
	for (let i = 0; i < 9; i += 1) MoveTree.of('duo', [`x${i}`]).keep(storage);
	assert.equal(JSON.parse(items.trees).length, 8);
	assert.equal(MoveTree.kept(storage, 'duo', ['a']), null);
	items.trees = '{';
	assert.equal(MoveTree.kept(storage, 'duo', ['x8']), null);
});

test('steps begin at the node that was requested last', () => {
	const tree = new MoveTree(DATA, 3);
	tree.aim = tree.stepped(-1);
	assert.deepEqual([tree.aim, tree.stepped(-1), tree.beside(1)], [2, 1, 5]);
	// The node that is shown does not change.
	assert.deepEqual([tree.current, tree.codes()], [3, ['a', 'b', 'c']]);
	tree.go(6);
	assert.equal(tree.stepped(-1), 5);
});
