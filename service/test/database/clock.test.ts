// The service's time decides about leases, and only in a service that was not paused.
import { Writable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClock } from '../../../core/src/database/clock.ts';
import { deleteExpired } from '../../../core/src/housekeeping.ts';
import { issueKey } from '../../../core/src/keys/store.ts';
import { keepLeases } from '../../../core/src/leases/scheduler.ts';
import { addAgent, unoBoards } from '../../../core/test/support/boards.ts';
import { databaseKinds, readyDatabase } from '../../../core/test/support/databases.ts';
import { passSeconds, setWallClock } from '../../../core/test/support/time.ts';
import { type Lab, openLab } from '../support/leasing.ts';

let lab: Lab;
afterEach(async () => {
	vi.useRealTimers();
	await lab?.close();
});

describe.each(databaseKinds)('a service that was paused, on %s', (kind) => {
	test('ends no lease before agents and users could speak to it', async () => {
		const database = await readyDatabase(kind);
		let time = Date.now();
		const pass = (milliseconds: number) => {
			passSeconds(milliseconds / 1000);
			time += milliseconds;
		};
		const clock = createClock({ db: database.query, readWall: async () => time });
		lab = await openLab(kind, {
			given: { ...database, clock },
			ownClock: true,
			boards: unoBoards(3),
		});
		const agent = await addAgent(lab.query, ['brd_uno_1']);
		const user = await lab.account();
		const run = async (seconds: number, { heard = false } = {}) => {
			for (let passed = 0; passed < seconds; passed += 4) {
				pass(4_000);
				await clock.synchronize();
				if (heard) await agent.contact();
				await keepLeases(lab.services);
			}
		};
		const lease = async (board_id: string, minutes: number) =>
			(await user.lease({ board_id, minutes })).body.id;
		await run(60, { heard: true });
		const driven = await lease('brd_uno_1', 10);
		const renewed = await lease('brd_uno_2', 1);
		const forgotten = await lease('brd_uno_3', 1);
		pass(70_000);
		await clock.synchronize();
		await keepLeases(lab.services);
		const statuses = async () => {
			const leases = [driven, renewed, forgotten].map((id) => user.read(id));
			return (await Promise.all(leases)).map((one) => one.end_reason ?? one.status);
		};
		expect(await statuses()).toEqual(['active', 'active', 'active']);
		expect((await user.renew(renewed, 5)).status).toBe(200);
		// They had their time, and said nothing.
		await run(36);
		expect(await statuses()).toEqual(['agent_lost', 'active', 'expired']);
		expect((await user.renew(forgotten, 5)).body.error.code).toBe('lease_ended');
	});
});

describe('a replica whose clock is wrong', () => {
	async function openWrong(minutes: number, log?: Writable) {
		lab = await openLab('PostgreSQL', {
			ownClock: true,
			boards: unoBoards(1, { credits_per_minute: 1 }),
			...(log && { log }),
		});
		Object.assign(lab.services.database.clock, { awakeFor: () => 1e9 });
		await addAgent(lab.query, ['brd_uno_1']);
		const user = await lab.account({ credits: 100 });
		const { body: lease } = await user.lease({ board_type: 'uno', minutes: 1 });
		setWallClock(minutes);
		return { user, lease };
	}

	test('does not end leases if it is ahead, and is not ready', async () => {
		let logged = '';
		const log = new Writable({
			write(chunk, _encoding, done) {
				logged += chunk;
				done();
			},
		});
		const { user, lease } = await openWrong(2, log);
		await keepLeases(lab.services);
		const found = await user.read(lease.id);
		expect(found.status).toBe('active');
		expect(found.expires_in_ms).toBeGreaterThan(30_000);
		const response = await lab.app.fetch(new Request('http://localhost/readyz'), {});
		expect(response.status).toBe(503);
		const message =
			/The clock of this replica is 1\d\d\.\d s ahead of the database's and the service's\./;
		expect((await response.json()).error.message).toMatch(message);
		await vi.waitFor(() => expect(logged).toMatch(message), { timeout: 15_000 });
	});

	test('does not delete what is kept for a day if it is a day ahead', async () => {
		const { user, lease } = await openWrong(0);
		const create = () => user.lease({ board_type: 'uno' }, { 'idempotency-key': 'nightly' });
		await user.release(lease.id);
		const chunk = { lease_id: lease.id, direction: 'output', offset: 0, stored_at: 0 } as const;
		await lab.query
			.insertInto('console_chunks')
			.values({ ...chunk, data: Buffer.from('abc') })
			.execute();
		expect((await create()).status).toBe(201);
		setWallClock(2 * 24 * 60);
		await deleteExpired(lab.services.database.patient, lab.services.settings);
		expect((await create()).headers.get('idempotent-replayed')).toBe('true');
		expect(await lab.query.selectFrom('console_chunks').select('offset').execute()).toHaveLength(1);
	});

	test('that is ahead accepts a key that has not expired', async () => {
		const { user } = await openWrong(0);
		const expiresAt = new Date(Date.now() + 60 * 60_000).toISOString();
		const { key } = await issueKey(lab.query, { accountId: user.id, expiresAt });
		setWallClock(120);
		expect((await lab.requests(key).send('GET', '/boards')).status).toBe(200);
	});

	test('lets leases end in time if it is behind, and books what they cost', async () => {
		const { user, lease } = await openWrong(-2);
		expect((await user.read(lease.id)).expires_in_ms).toBeLessThanOrEqual(60_000);
		expect((await user.release(lease.id)).body.credits).toBe(1);
	});
});
