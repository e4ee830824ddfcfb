// How long a replica that no longer responds can hold up the others.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { isDatabaseAway } from '../../../core/src/database/database.ts';
import type { Schema } from '../../../core/src/database/schema.ts';
import { reportAction } from '../../../core/src/leases/actions/commands.ts';
import { unoBoards } from '../../../core/test/support/boards.ts';
import { emptyDatabase, readyDatabase } from '../../../core/test/support/databases.ts';
import { startRelay } from '../../../core/test/support/relay.ts';
import { openLab } from '../support/leasing.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const lockChild = fileURLToPath(
	new URL('../../../core/test/support/lock-child.ts', import.meta.url),
);

test('a replica that is frozen in a transaction holds up the users of another one until its limit', {
	tags: 'long',
}, async () => {
	const lab = await openLab('PostgreSQL', { boards: unoBoards(1) });
	cleanups.push(() => lab.close());
	const user = await lab.account();
	const child = fork(lockChild, [lab.location], { stdio: 'inherit' });
	cleanups.push(() => child.kill('SIGKILL'));
	expect(await once(child, 'message')).toContain('locked');
	child.kill('SIGSTOP');
	const created = await user.lease({ board_type: 'uno', minutes: 5 });
	expect([created.status, created.body.status]).toEqual([201, 'active']);
});

test.each([
	['a commit without a response', 'commit'],
	['a committed change whose result cannot be read', 'from leases as ahead'],
])('%s is not said to have changed nothing', { tags: 'long' }, async (_, request) => {
	const url = new URL(await emptyDatabase('PostgreSQL'));
	const relay = await startRelay({ host: url.hostname, port: Number(url.port) });
	cleanups.push(() => relay.close());
	url.host = `127.0.0.1:${relay.port}`;
	const boards = unoBoards(1, { status: 'maintenance' });
	const lab = await openLab('PostgreSQL', { boards, database: url.href });
	cleanups.push(() => lab.close());
	const user = await lab.account();
	relay.lose(request, Number.POSITIVE_INFINITY);
	const created = await user.lease({ board_type: 'uno', minutes: 5, wait_seconds: 60 });
	expect([created.status, created.body.error.code]).toEqual([500, 'internal']);
	expect(await lab.query.selectFrom('leases').select('status').execute()).toHaveLength(1);
});

/** A database whose messages are in another language, as with `lc_messages` of a server. */
async function openTranslated() {
	const url = new URL(await emptyDatabase('PostgreSQL'));
	const relay = await startRelay({ host: url.hostname, port: Number(url.port) });
	cleanups.push(() => relay.close());
	url.host = `127.0.0.1:${relay.port}`;
	relay.translate('SERROR\0', 'SCHYBA\0');
	relay.translate('cached plan must not change', 'zmenil se plan, jeho sloupe');
	relay.translate('"accounts"', "'accounts'");
	return url.href;
}

/** A database with its messages in English, and one with others. */
const inLanguages = test.each([
	['', () => emptyDatabase('PostgreSQL')],
	[' in another language', openTranslated],
] as const);

test('a read without a response is said to have changed nothing', async () => {
	const url = new URL(await emptyDatabase('PostgreSQL'));
	const relay = await startRelay({ host: url.hostname, port: Number(url.port) });
	cleanups.push(() => relay.close());
	url.host = `127.0.0.1:${relay.port}`;
	const lab = await openLab('PostgreSQL', { database: url.href });
	cleanups.push(() => lab.close());
	relay.lose('lease_actions"', 1);
	const report = {
		agentId: 'agt_1',
		actionId: 'act_1',
		fence: 1,
		status: 'done',
		message: '',
	} as const;
	const reading = reportAction(lab.services, report);
	expect(isDatabaseAway(await reading.catch((error) => error))).toBe(true);
});

inLanguages(
	'a replica that has kept plans goes on after a migration has added a column%s',
	{ tags: 'long' },
	async (_, open) => {
		const lab = await openLab('PostgreSQL', { boards: unoBoards(16), database: await open() });
		cleanups.push(() => lab.close());
		const user = await lab.account();
		const create = async () => (await user.lease({ board_type: 'uno', minutes: 5 })).status;
		// A statement has a name, and with it a plan, after five uses.
		for (let created = 0; created < 6; created += 1) expect(await create()).toBe(201);
		await sql`alter table boards add column later text`.execute(lab.query);
		const statuses = [await create(), await create()];
		expect(statuses).toContain(503);
		expect([await create(), await create()]).toEqual([201, 201]);
	},
);

inLanguages(
	'a request that waits too long for a lock is rejected with the time to retry, and succeeds later%s',
	{ tags: 'long' },
	async (_, open) => {
		const database = `${await open()}?lock_timeout=200`;
		const lab = await openLab('PostgreSQL', { boards: unoBoards(2), database });
		cleanups.push(() => lab.close());
		const user = await lab.account();
		const headers = { 'idempotency-key': 'once' };
		const send = (headers = {}) => user.lease({ board_type: 'uno', minutes: 5 }, headers);
		await lab.query.transaction().execute(async (db) => {
			await db.selectFrom('boards').select('id').forUpdate().execute();
			for (const response of [await send(headers), await send()]) {
				expect([response.status, response.body.error.code]).toEqual([503, 'unavailable']);
				expect(response.headers.get('retry-after')).toBe('2');
			}
		});
		const created = await send(headers);
		expect([created.status, created.headers.get('idempotent-replayed')]).toEqual([201, null]);
	},
);

inLanguages(
	'a request that waits too long while the first one with its key may still run is told so%s',
	{ tags: 'long' },
	async (_, open) => {
		const database = `${await open()}?lock_timeout=200`;
		const lab = await openLab('PostgreSQL', { boards: unoBoards(2), database });
		cleanups.push(() => lab.close());
		const user = await lab.account();
		const headers = { 'idempotency-key': 'once' };
		const create = (headers = {}) => user.lease({ board_type: 'uno', minutes: 5 }, headers);
		const { body: lease } = await create();
		const renew = (headers = {}) =>
			user.send('POST', `/leases/${lease.id}/renew`, { body: { minutes: 9 }, headers });
		await lab.query.transaction().execute(async (db) => {
			await db.selectFrom('accounts').select('id').forUpdate().execute();
			for (const send of [create, renew]) {
				expect((await send(headers)).body.error.code).toBe('idempotency_in_progress');
				expect((await send()).body.error.code).toBe('unavailable');
			}
		});
		expect((await create(headers)).status).toBe(201);
	},
);

test('every connection to PostgreSQL has limits, and longer ones for work that takes minutes', async () => {
	const database = await readyDatabase('PostgreSQL');
	cleanups.push(() => database.close());
	const limits = async (db: Kysely<Schema>) => {
		const names = ['idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout'];
		const shown = names.map((name) =>
			sql<Record<string, string>>`show ${sql.raw(name)}`.execute(db),
		);
		return (await Promise.all(shown)).map(({ rows: [row] }) => Object.values(row ?? {})[0]);
	};
	expect(await limits(database.query)).toEqual(['4s', '6s', '8s']);
	expect(await limits(database.reader)).toEqual(['4s', '6s', '5s']);
	expect(await limits(database.patient)).toEqual(['1min', '10min', '10min']);
});

test.each(['55P03', '40001', '40P01', '57014', '25P03', '57P05'])(
	'the error %s of PostgreSQL is temporary',
	(code) => {
		expect(isDatabaseAway(Object.assign(new Error('any'), { code }))).toBe(true);
		expect(isDatabaseAway(Object.assign(new Error('any'), { code: '23505' }))).toBe(false);
	},
);
