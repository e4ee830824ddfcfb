// Each scenario through each channel. `npm run parity` adds PostgreSQL and writes the page.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../../core/test/support/postgres.ts';
import { isMissing } from '../support/installed.ts';
import { channels, renderGrid, scenarioNames } from './grid.ts';
import { scenarios } from './scenarios.ts';
import { openWorld } from './world.ts';

const page = fileURLToPath(new URL('../../docs/parity.md', import.meta.url));
const complete = process.env.npm_lifecycle_event === 'parity';

const databases = {
	SQLite: async () => ({ addresses: [':memory:', ':memory:'], remove: async () => {} }),
	PostgreSQL: async () => {
		const { url, remove } = await startPostgres();
		// The two databases that every cluster has.
		return { addresses: [`${url}/postgres`, `${url}/template1`], remove };
	},
};
const kinds = complete ? (['SQLite', 'PostgreSQL'] as const) : (['SQLite'] as const);

const cases = scenarioNames.flatMap((scenario) =>
	Object.entries(channels).map(([name, channel]) => ({ scenario, name, cell: channel[scenario] })),
);

describe.each(kinds)('on %s', (kind) => {
	let database: Awaited<ReturnType<(typeof databases)[typeof kind]>>;
	let world: Awaited<ReturnType<typeof openWorld>>;
	beforeAll(async () => {
		database = await databases[kind]();
		world = await openWorld(database.addresses);
	}, 60_000);
	afterAll(async () => {
		await world?.close();
		await database?.remove();
	});

	for (const { scenario, name, cell } of cases) {
		if (typeof cell !== 'function') continue;
		const skip = name === 'curl' && isMissing('curl');
		it.skipIf(skip)(`${scenario}: ${name}`, { timeout: 60_000 }, async () => {
			expect(await cell(world)).toBe(scenarios[scenario]);
		});
	}
});

it('every other cell says why it is missing', () => {
	const silent = cases.filter(({ cell }) => {
		if (typeof cell === 'function') return false;
		return !/\w{3,}.*\.$/.test(cell?.missing ?? '');
	});
	expect(silent.map(({ scenario, name }) => `${scenario}: ${name}`)).toEqual([]);
});

it('the documentation has this table', async ({ task }) => {
	const passed = task.file.tasks.every(({ result }) => result?.state !== 'fail');
	if (complete && passed) await writeFile(page, renderGrid());
	expect(await readFile(page, 'utf8')).toBe(renderGrid());
});
