import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** @param {string} path */
const read = path => readFileSync(new URL(`../../../page/${path}`, import.meta.url), 'utf8');

test('the files that the page names exist', () => {
	for (const [, path] of read('index.html').matchAll(/(?:href|src)="(\/[^"]*\.\w+)"/g)) {
		assert.ok(read(path.slice(1)).length > 0, path);
	}
});
