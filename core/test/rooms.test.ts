// The rooms of the core depend one way: none imports a later one, types included.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const rooms = [
	'database',
	'limits',
	'activity',
	'operations',
	'accounts',
	'credits',
	'base-images',
	'keys',
	'boards',
	'agents',
	'leases',
	'members',
	'link',
];

const sources = fileURLToPath(new URL('../src/', import.meta.url));

function roomOf(path: string) {
	const [room = '', ...rest] = relative(sources, path).split(sep);
	return rest.length > 0 ? room : undefined;
}

/** The imports of a later room, and of one that is not in the list. */
function wrongImports(path: string, text: string) {
	const room = roomOf(path);
	if (room === undefined) return [];
	return [...text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)].flatMap((found) => {
		const imported = roomOf(join(dirname(path), found[1] ?? found[2] ?? ''));
		if (imported === undefined || imported === room) return [];
		const isEarlier = rooms.slice(0, rooms.indexOf(room)).includes(imported);
		return isEarlier ? [] : [`${relative(sources, path)} imports ${imported}`];
	});
}

test('no room imports a later one', () => {
	const files = globSync('**/*.ts', { cwd: sources }).map((file) => join(sources, file));
	expect(new Set(files.flatMap((file) => roomOf(file) ?? []))).toEqual(new Set(rooms));
	expect(files.flatMap((file) => wrongImports(file, readFileSync(file, 'utf8')))).toEqual([]);
});

test('an import of a later room is found, if only a type is imported', () => {
	const file = join(sources, 'boards/any.ts');
	const later = [
		"import type { LeaseInput } from '../leases/queue/create.ts';",
		"import('../link/work.ts')",
	];
	for (const text of later) expect(wrongImports(file, text)).toHaveLength(1);
	expect(wrongImports(file, "import { timeIn } from '../database/clock.ts';")).toEqual([]);
});
