// A migration that has landed never changes: databases that have it would never get the change.
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';

const folder = new URL('../../src/database/migrations/', import.meta.url);
const read = (name: string) => readFile(new URL(name, folder), 'utf8');
const digests: Record<string, string> = JSON.parse(await read('digests.json'));
const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();

test.each(Object.entries(digests))('%s is as it landed', async (name, landed) => {
	const text = (await read(name)).replaceAll('\r\n', '\n');
	const advice = `${name} has landed: undo the change, and add a migration with the next number`;
	expect(hash('sha256', text), advice).toBe(landed);
});

test('each migration is listed in digests.json, with its sha256sum', () => {
	expect(Object.keys(digests)).toEqual(files);
});

test('all migrations run, in the order of their numbers', async () => {
	const { query, close } = await openDatabase(':memory:');
	expect((await migrate(query)).map((name) => `${name}.ts`)).toEqual(files);
	expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
	await close();
});
