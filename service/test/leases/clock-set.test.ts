// @module-tag long
// A clock that is set while boards are used: leases last and cost what really passed.
import { Writable } from 'node:stream';
import postgres from 'pg';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { keepLeases } from '../../../core/src/leases/scheduler.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import {
	type DatabaseKind,
	databaseKinds,
	emptyDatabase,
} from '../../../core/test/support/databases.ts';
import { passSeconds } from '../../../core/test/support/time.ts';
import { type Lab, openLab } from '../support/leasing.ts';

let lab: Lab;
afterEach(() => lab.close());

/** Sets the clock of the process, which is that of SQLite. */
function ownWallClock() {
	let ahead = 0;
	const now = Date.now.bind(Date);
	const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
	onTestFinished(() => spy.mockRestore());
	return async (seconds: number, then = () => {}) => {
		ahead += seconds * 1000;
		then();
	};
}

/** Sets the clock of a PostgreSQL database. */
async function postgresWallClock(location: string) {
	const client = new postgres.Client({ connectionString: location });
	await client.connect();
	onTestFinished(() => client.end());
	await client.query(`
		create table clock_of_test (ahead interval not null);
		insert into clock_of_test values ('0 seconds');
		create function clock_timestamp() returns timestamptz language sql volatile
			as 'select pg_catalog.clock_timestamp() + ahead from public.clock_of_test'`);
	const { rows } = await client.query('select current_database() as name');
	await client.query(`alter database ${rows[0].name} set search_path = public, pg_catalog`);
	return async (seconds: number, then = () => {}) => {
		await client.query('begin; lock table clock_of_test');
		await client.query('update clock_of_test set ahead = ahead + make_interval(secs => $1)', [
			seconds,
		]);
		// Whoever reads the clock meanwhile waits for the commit.
		then();
		await client.query('commit');
	};
}

async function openWorld(kind: DatabaseKind) {
	const database = await emptyDatabase(kind);
	const setOwn = ownWallClock();
	const set = kind === 'SQLite' ? setOwn : await postgresWallClock(database);
	let logged = '';
	const log = new Writable({
		write(chunk, _encoding, done) {
			logged += chunk;
			done();
		},
	});
	const boards = unoBoards(2, { credits_per_minute: 1 });
	lab = await openLab(kind, { database, ownClock: true, log, boards });
	const agent = await addAgent(lab.query, ['brd_uno_1', 'brd_uno_2']);
	const user = await lab.account({ credits: 1_000 });
	return {
		user,
		set,
		steps: () => logged.match(/The clock was set (forward|back) by \d+\.\d s/g) ?? [],
		/** Passes real time, in which the agent is heard and the service does what it does each second. */
		async pass(seconds: number) {
			for (let passed = 0; passed < seconds; passed += 4) {
				await set(4, () => {
					passSeconds(4);
					if (kind === 'PostgreSQL') void setOwn(4);
				});
				await lab.services.database.clock.synchronize();
				await agent.contact();
				await keepLeases(lab.services);
			}
		},
	};
}

describe.each(databaseKinds)('a clock that is set, on %s', (kind) => {
	test('ends no lease, and credits are those of real minutes', { timeout: 120_000 }, async () => {
		const { user, set, steps, pass } = await openWorld(kind);
		await pass(60);
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 10 });
		const changes = [3_600, 180, -3_600];
		for (const [index, change] of changes.entries()) {
			await set(change);
			await expect.poll(steps, { timeout: 30_000 }).toHaveLength(index + 1);
			await pass(44);
		}
		const found = await user.read(lease.id);
		expect(found.status).toBe('active');
		const used = 600_000 - found.expires_in_ms;
		expect(used).toBeGreaterThan(130_000);
		expect(used).toBeLessThan(179_000);
		expect((await lab.app.fetch(new Request('http://localhost/readyz'), {})).status).toBe(200);
		expect((await user.release(lease.id)).body).toMatchObject({ credits: 3 });
		const said = [
			/forward by 3[56]\d\d\.\d s/,
			/forward by 1[78]\d\.\d s/,
			/back by 3[56]\d\d\.\d s/,
		];
		expect(steps()).toEqual(said.map((step) => expect.stringMatching(step)));
	});

	test('leases that expire last their minutes, by a clock that was set back', async () => {
		const { user, set, pass } = await openWorld(kind);
		await pass(60);
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 1 });
		await set(-3_600);
		await pass(40);
		expect((await user.read(lease.id)).status).toBe('active');
		await pass(36);
		expect(await user.read(lease.id)).toMatchObject({ end_reason: 'expired', credits: 1 });
	});
});
