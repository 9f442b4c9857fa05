/** Scripts and styles as served mean what their sources mean, although they are minified. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { Harness } from '../harness.mjs';

const PAGE = fileURLToPath(new URL('../../../page/', import.meta.url));

/** @type {Harness} */
let harness;
before(async () => {
	harness = await Harness.start();
});
after(() => harness?.close());

/** Paths of the page's files with an extension. @param {string} directory @param {string} extension */
const files = (directory, extension) =>
	readdirSync(PAGE + directory, { recursive: true, encoding: 'utf8' })
		.filter(name => name.endsWith(extension))
		.map(name => `${directory}/${name}`);

/** @param {string} path */
const source = path => readFileSync(PAGE + path, 'utf8');

/** @param {string} path */
async function served(path) {
	const response = await fetch(`${harness.address}/${path}`);
	assert.equal(response.status, 200, path);
	return response.text();
}

/** Syntax tree of a script: one line for each node, with names, literals and operators. @param {string} text */
function tree(text) {
	const file = ts.createSourceFile('a.js', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
	/** @type {string[]} */
	const lines = [];
	const add = (/** @type {ts.Node} */ node, /** @type {number} */ depth) => {
		const { text, operator } = /** @type {{text?: string, operator?: number}} */ (
			/** @type {unknown} */ (node)
		);
		const word = node === file ? '' : (text ?? operator ?? '');
		const declares = ts.isVariableDeclarationList(node) ? node.flags & ts.NodeFlags.BlockScoped : '';
		lines.push([depth, ts.SyntaxKind[node.kind], word, declares].join(' '));
	};
	const visit = (/** @type {ts.Node} */ node, /** @type {number} */ depth) => {
		if (ts.isVariableStatement(node) && !node.modifiers) {
			// Declarations that follow each other are joined as served: each is a statement here.
			for (const declaration of node.declarationList.declarations) {
				add(node, depth);
				add(node.declarationList, depth + 1);
				visit(declaration, depth + 2);
			}
			return;
		}
		add(node, depth);
		node.forEachChild(child => visit(child, depth + 1));
	};
	visit(file, 0);
	return lines;
}

test('every script has the syntax tree of its source', async () => {
	const paths = files('js', '.js');
	assert.ok(paths.length > 30);
	for (const path of paths) {
		const [wanted, found] = [tree(source(path)), tree(await served(path))];
		// The first difference says more than two long lists.
		const at = wanted.findIndex((line, i) => line !== found[i]);
		assert.deepEqual([at, found[at], found.length], [-1, undefined, wanted.length], path);
	}
});

test('every style has the rules of its source', async () => {
	const page = await harness.page();
	await page.goto('/events');
	const paths = files('css', '.css');
	assert.ok(paths.length >= 3);
	for (const path of paths) {
		const [wanted, found] = await page.evaluate(
			texts =>
				texts.map(text => {
					const sheet = new CSSStyleSheet();
					sheet.replaceSync(text);
					// Variables keep the blanks of their text.
					return [...sheet.cssRules].map(rule => rule.cssText.replaceAll(/ *([,/]) */g, '$1'));
				}),
			[source(path), await served(path)]
		);
		assert.ok(wanted.length > 10, path);
		assert.deepEqual(found, wanted, path);
	}
	harness.check();
});
