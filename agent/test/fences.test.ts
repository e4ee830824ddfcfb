import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFences } from '../src/fences.ts';

let folder: string;
let file: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'agent-fences-'));
	file = join(folder, 'inner', 'state.json');
});

afterEach(() => rm(folder, { recursive: true }));

test('the highest fence of each board survives a restart', async () => {
	const fences = await openFences(file);
	expect(fences.of('a')).toBe(-1);
	await Promise.all([fences.raise('a', 4), fences.raise('b', 1), fences.raise('a', 7)]);
	await fences.raise('a', 5);
	const again = await openFences(file);
	expect([again.of('a'), again.of('b'), again.of('c')]).toEqual([7, 1, -1]);
});

test('a fence is stored when raise resolves, and no temporary file is left', async () => {
	const fences = await openFences(file);
	await fences.raise('a', 1);
	expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ fences: [['a', 1]] });
	expect(await readdir(join(folder, 'inner'))).toEqual(['state.json']);
});

test('a fence that cannot be stored is an error, and can be stored later', async () => {
	const fences = await openFences(file);
	await writeFile(join(folder, 'inner'), 'in the way');
	await expect(fences.raise('a', 1)).rejects.toThrow('EEXIST');
	await rm(join(folder, 'inner'));
	await fences.raise('a', 1);
	expect((await openFences(file)).of('a')).toBe(1);
	await fences.raise('a', 2);
	expect((await openFences(file)).of('a')).toBe(2);
});

test('a damaged file is rejected with advice', async () => {
	const damaged = join(folder, 'damaged.json');
	await writeFile(damaged, '{"fences": {"a":');
	await expect(openFences(damaged)).rejects.toThrow(/cannot be read. Repair it, or remove it/);
});

test('a board may have the name of a property of Object.prototype', async () => {
	const fences = await openFences(file);
	expect(fences.of('__proto__')).toBe(-1);
	expect(fences.of('constructor')).toBe(-1);
	await fences.raise('__proto__', 3);
	expect((await openFences(file)).of('__proto__')).toBe(3);
});

test('without a file, fences are kept in memory', async () => {
	const fences = await openFences(undefined);
	await fences.raise('a', 3);
	expect(fences.of('a')).toBe(3);
});
