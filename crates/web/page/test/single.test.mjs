import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { MODULES, STYLES, assemble, join } from '../js/single.js';

/** @param {string} path */
const read = path => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const script = join(MODULES.map(name => read(`js/${name}.js`)));

test('the joined modules are one script: each name is declared once, and none is missing', () => {
	assert.doesNotThrow(() => new Script(`(() => { ${script} })`));
	assert.doesNotMatch(script, /^(import|export) /m);
	const seen = new Set();
	for (const name of MODULES) {
		for (const [, needed] of read(`js/${name}.js`).matchAll(
			/^import [^;]* from '\.\/(\w+)\.js';/gm
		)) {
			assert.ok(seen.has(needed), `${name} needs ${needed} before it`);
		}
		seen.add(name);
	}
});

test('no text of a game ends the script', () => {
	const styles = STYLES.map(name => read(`css/${name}.css`)).join('\n');
	const data = { name: '</script><script>alert(1)</script><!--SCRIPT-->' };
	const text = assemble(read('replay.html'), { styles, script, data });
	assert.equal(text.match(/<script/g)?.length, 2);
	const inlined = /id="data">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
	assert.deepEqual(JSON.parse(inlined), data);
});

test('the files that the page names exist', () => {
	for (const [, path] of read('index.html').matchAll(/(?:href|src)="(\/[^"]*\.\w+)"/g)) {
		assert.ok(read(path.slice(1)).length > 0, path);
	}
});
