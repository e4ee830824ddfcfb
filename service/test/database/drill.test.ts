// @module-tag long
// What the guide says about backups, updates and another database, with the commands of its blocks.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startAgent } from 'board-access-agent';
import { Migrator, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { issueAgent } from '../../../core/src/agents/store.ts';
import { importBoards } from '../../../core/src/boards/import.ts';
import { grantCredits } from '../../../core/src/credits/store.ts';
import { openDatabase } from '../../../core/src/database/database.ts';
import { migrate, migrations } from '../../../core/src/database/migrations.ts';
import type { Db } from '../../../core/src/database/schema.ts';
import { checkSchema } from '../../../core/src/database/schema-check.ts';
import { issueKey } from '../../../core/src/keys/store.ts';
import { emptyDatabase, newAccount } from '../../../core/test/support/databases.ts';
import { readRows } from '../../../core/test/support/first-schema.ts';
import { freePort } from '../../../core/test/support/free-port.ts';
import { fillTables, tablesOf } from '../../../core/test/support/full-database.ts';
import { createPostgres } from '../../../core/test/support/postgres.ts';
import { guideBlocks } from '../../../test/support/guide.ts';
import { startServer } from '../../src/server.ts';
import { createUser } from '../support/bench.ts';
import { runHere } from '../support/command.ts';
import {
	hasPostgres,
	pathWithPostgres,
	startInstalledPostgres,
} from '../support/installed-postgres.ts';

const hasSqlite =
	process.env.REQUIRE_TOOLS !== undefined || spawnSync('sqlite3', ['--version']).status === 0;

let cluster: Awaited<ReturnType<typeof startInstalledPostgres>> | undefined;
beforeAll(async () => {
	if (hasPostgres) cluster = await startInstalledPostgres();
});
afterAll(() => cluster?.stop());

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Runs the only block of the guide that contains the text, in a folder, with these variables. */
async function runBlock(text: string, cwd: string, env: Record<string, string> = {}) {
	const blocks = await guideBlocks('sh', 'docs/guides/hosting.md');
	const found = blocks.filter((block) => block.includes(text));
	expect([text, found.length]).toEqual([text, 1]);
	await promisify(execFile)('sh', ['-ec', found.join('')], {
		cwd,
		env: { PATH: pathWithPostgres, ...env },
	});
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'drill-'));

const kinds = {
	SQLite: async () => {
		const folder = newFolder();
		const location = join(folder, 'board-access.db');
		return {
			location,
			backUp: () => runBlock('.backup', folder),
			/** Returns the location of the restored database. */
			async restore() {
				await runBlock('cp backup.db', folder);
				return location;
			},
		};
	},
	PostgreSQL: async () => {
		const folder = newFolder();
		const { url } = cluster ?? { url: '' };
		const location = await createPostgres(url);
		const restored = `${url}/restored`;
		return {
			location,
			backUp: () => runBlock('pg_dump', folder, { DATABASE_URL: location }),
			async restore() {
				await sql`drop database if exists restored`.execute((await opened(location)).query);
				const env = { DATABASE_URL: location, RESTORED_URL: restored };
				await runBlock('pg_restore', folder, env);
				return restored;
			},
		};
	},
};

async function opened(location: string) {
	const database = await openDatabase(location);
	cleanups.push(database.close);
	return database;
}

const boardIds = ['brd_kept', 'brd_released', 'brd_later'] as const;
const [kept, released, later] = boardIds;

/** A service at an address that stays, whatever its database is, with an agent that stays connected. */
async function openSite(location: string) {
	const port = await freePort();
	let service: Awaited<ReturnType<typeof startServer>> | undefined;
	const start = async (database: string) => {
		service = await startServer({ database, port, host: '127.0.0.1' });
		return service.services;
	};
	const stop = () => service?.stop();
	const core = await start(location);
	cleanups.push(stop);
	const { query } = core.database;
	const fields = { board_type: 'lab-uno', status: 'available', description: '', tags: {} } as const;
	const boards = boardIds.map((id) => ({ id, name: id, credits_per_minute: 1, ...fields }));
	await importBoards(query, boards);
	const { token } = await issueAgent(query, { name: 'lab', board_ids: [...boardIds] });
	const baseUrl = `http://127.0.0.1:${port}`;
	const emulated = { type: 'arduino-uno', driver: 'emulated' } as const;
	const agent = await startAgent({
		config: { service: baseUrl, token, boards: boardIds.map((id) => ({ id, ...emulated })) },
	});
	cleanups.push(() => agent.stop());
	await agent.whenConnected();
	const { id } = await newAccount(core.database);
	await grantCredits(core, { account_id: id, amount: 100 });
	const issueUser = async () => {
		const { key } = await issueKey(query, { accountId: id });
		return createUser({ send: (path, init) => fetch(baseUrl + path, init) }, key);
	};
	return { core, start, stop, issueUser, user: await issueUser() };
}

type User = ReturnType<typeof createUser>;

/** What the user has, except for when keys were used and how much is held. */
async function viewOf({ json }: User, { database: { query } }: { database: { query: Db } }) {
	const { body } = await json('/auth/keys');
	const ended = await json('/leases?status=ended');
	const ledger = await query.selectFrom('credit_entries').selectAll().orderBy('id').execute();
	return {
		keys: body.data.map(({ id }: { id: string }) => id),
		ledger: ledger.map((entry) => ({ ...entry })),
		ended: ended.body.data,
		boards: (await json('/boards')).body.data.map(({ id }: { id: string }) => id),
	};
}

const leaseOf = (board_id: string) => ({ board_id, minutes: 10 });

/** Leases the board, uses it and releases it. */
async function useBoard(user: User, board: string) {
	const { id } = await user.activeLease(leaseOf(board));
	expect(await user.act(id, { action: 'reset' })).toMatchObject({ status: 'done' });
	await user.release(id);
	await user.waitFor(id, 'ended');
}

describe.each([
	['SQLite' as const, hasSqlite],
	['PostgreSQL' as const, hasPostgres],
])('on %s', (kind, isPossible) => {
	test.skipIf(!isPossible)('a backup of a service in use is restored', async () => {
		const { location, backUp, restore } = await kinds[kind]();
		const { core, start, stop, issueUser, user } = await openSite(location);
		await useBoard(user, kept);
		const keptLease = await user.activeLease(leaseOf(kept));
		const releasedLease = await user.activeLease(leaseOf(released));
		// A lease of which the agent has reported more than the backup has ends after the restore.
		const statusOf = async (id: string) => (await user.json(`/leases/${id}`)).body.console_status;
		await expect.poll(() => statusOf(keptLease.id)).toBe('connected');
		const before = await viewOf(user, core);
		await backUp();

		const lost = await user.activeLease(leaseOf(later));
		const lostUser = await issueUser();
		expect((await lostUser.json('/boards')).status).toBe(200);
		await user.release(releasedLease.id);
		await user.waitFor(releasedLease.id, 'ended');
		await stop();
		const restored = await start(await restore());

		const after = await viewOf(user, restored);
		const isOther = (row: object) => !JSON.stringify(row).includes(releasedLease.id);
		const others = { ended: after.ended.filter(isOther), ledger: after.ledger.filter(isOther) };
		expect({ ...after, ...others }).toEqual(before);
		expect((await lostUser.json('/boards')).status).toBe(401);
		expect((await user.json(`/leases/${lost.id}`)).status).toBe(404);
		await user.waitFor(keptLease.id, 'active');
		const reset = { action: 'reset' };
		expect(await user.act(keptLease.id, reset)).toMatchObject({ status: 'done' });
		const unknown = await user.waitFor(releasedLease.id, 'ended');
		expect(unknown.end_reason).toBe('agent_lost');
		// As far as the service had heard its agent before the backup.
		expect([0, 1]).toContain(unknown.credits);
		await user.release(keptLease.id);
		await user.waitFor(keptLease.id, 'ended');
		for (const board of boardIds) await useBoard(user, board);
	});

	test.skipIf(!isPossible)('an update is gone back on, by the backup from before it', async () => {
		const { location, backUp, restore } = await kinds[kind]();
		const names = Object.keys(migrations);
		const before = Object.fromEntries(names.slice(0, -1).map((name) => [name, migrations[name]]));
		const older = before as typeof migrations;
		const { query, close } = await openDatabase(location);
		const getMigrations = async () => ({ ...older });
		const { error } = await new Migrator({
			db: query,
			provider: { getMigrations },
		}).migrateToLatest();
		expect(error).toBeUndefined();
		await fillTables(query, 5);
		const rows = await rowsOf(query);
		expect(Object.keys(rows).filter((table) => rows[table]?.length === 0)).toEqual([]);
		await close();
		await backUp();

		const checked = await runHere(location, 'check', '--json');
		const steps = { check: 'schema', state: 'warning', message: `A start applies ${names.at(-1)}` };
		expect(JSON.parse(checked.stdout)).toContainEqual(expect.objectContaining(steps));
		const { query: newer, close: closeNewer } = await openDatabase(location);
		expect(await migrate(newer)).toEqual(names.slice(-1));
		expect(await rowsOf(newer)).toMatchObject(rows);
		await expect(checkSchema(newer, older)).rejects.toThrow(/A newer version .* restore a backup/);
		await closeNewer();

		const { query: restored, close: closeRestored } = await openDatabase(await restore());
		await checkSchema(restored, older);
		expect(await rowsOf(restored)).toEqual(rows);
		await closeRestored();
	});
});

/** All rows, in an order that does not depend on the database. */
async function rowsOf(query: Db) {
	const all: Record<string, object[]> = {};
	for (const { name } of await tablesOf(query)) all[name] = await readRows(query, name);
	return all;
}

test.each([
	['SQLite', 'PostgreSQL'],
	['PostgreSQL', 'SQLite'],
] as const)('a service that is copied from %s to %s continues there', async (one, other) => {
	const [from, to] = [await emptyDatabase(one), await emptyDatabase(other)];
	const { core, start, stop, user } = await openSite(from);
	await useBoard(user, released);
	const lease = await user.activeLease(leaseOf(kept));
	const before = await viewOf(user, core);
	await stop();
	const { stdout, stderr } = await runHere('', 'copy', '--from', from, '--to', to);
	expect(stdout).toMatch(/^leases +2 {2}[0-9a-f]{16}$/m);
	expect(stderr).toContain('Both databases have these rows');
	expect(await viewOf(user, await start(to))).toEqual(before);
	await user.waitFor(lease.id, 'active');
	expect(await user.act(lease.id, { action: 'reset' })).toMatchObject({ status: 'done' });
	await user.release(lease.id);
	for (const board of boardIds) await useBoard(user, board);
});
