// The wall clock may be set at any time: the service's time follows it slowly, on every replica alike.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClock } from '../../src/database/clock.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';

const hour = 3_600_000;
const began = Date.parse('2026-11-27T12:00:00Z');

let database: Database;
/** What the wall clock shows. */
let wall: number;

beforeEach(async () => {
	vi.useFakeTimers({ toFake: ['Date', 'performance'], now: began });
	database = await openDatabase(':memory:');
	await migrate(database.query);
	wall = began;
});

afterEach(async () => {
	vi.useRealTimers();
	await database.close();
});

/** A replica, with a monotonic clock that can stand still. */
function replica() {
	let suspended = 0;
	const own = createClock({ db: database.query, readWall: async () => wall });
	const at = async <T>(work: () => T | Promise<T>) => {
		const now = vi.spyOn(performance, 'now');
		const real = now.getMockImplementation();
		const shown = performance.now() - suspended;
		now.mockImplementation(() => shown);
		try {
			return await work();
		} finally {
			if (real) now.mockImplementation(real);
			else now.mockRestore();
		}
	};
	return {
		synchronize: () => at(() => own.synchronize()),
		now: () => at(() => own.now()),
		suspend: (milliseconds: number) => {
			suspended += milliseconds;
		},
	};
}

type Replica = ReturnType<typeof replica>;

async function pass(milliseconds: number, replicas: Replica[], every = 1_000) {
	let steps = 0;
	for (let passed = 0; passed < milliseconds; passed += every) {
		vi.advanceTimersByTime(every);
		wall += every;
		for (const each of replicas) if ((await each.synchronize()) !== 0) steps += 1;
	}
	return steps;
}

/** Keeps the service's time from following the wall clock at once. */
async function leaseBoard() {
	await database.query
		.insertInto('leases')
		.values({
			id: 'lse_1',
			account_id: 'acc_1',
			board_type: 'uno',
			status: 'active',
			minutes: 10,
			credits_per_minute: 1,
			most_credits_per_minute: 1,
			held_credits: 10,
			created_at: '',
			queued_until: '',
			requires_agent: 0,
		})
		.execute();
}

describe('the time of replicas', () => {
	test.each([hour, 180_000, -hour])(
		'follows a clock that was set by %i ms slowly',
		async (step) => {
			await leaseBoard();
			const replicas = [replica(), replica()];
			await pass(20_000, replicas);
			wall += step;
			expect(await pass(hour, replicas, 60_000)).toBe(1);
			const real = began + 20_000 + hour;
			for (const each of replicas) {
				const followed = Math.abs((await each.now()) - real);
				expect(followed).toBeGreaterThan(hour / 2_100);
				expect(followed).toBeLessThanOrEqual(hour / 2_000);
			}
		},
	);

	test('is that of the others for a replica that starts after the clock was set', async () => {
		await leaseBoard();
		const [first, second] = [replica(), replica()];
		await pass(5_000, [first]);
		wall += hour;
		await first.synchronize();
		await second.synchronize();
		const apart = Math.abs((await first.now()) - (await second.now()));
		expect(apart).toBeLessThan(250);
		expect(await pass(5_000, [second, first])).toBe(0);
		expect(Math.abs((await second.now()) - began - 10_000)).toBeLessThan(250);
	});

	test('is that of the others for a replica that was suspended', async () => {
		await leaseBoard();
		const [first, second] = [replica(), replica()];
		await pass(5_000, [first, second]);
		second.suspend(33_000);
		const steps = await pass(33_000, [first]);
		expect(steps + (await pass(1_000, [first, second]))).toBe(0);
		expect(Math.abs((await second.now()) - (began + 39_000))).toBeLessThan(500);
	});

	test('follows at once only where no other replica runs', async () => {
		const replicas = [replica(), replica()];
		await pass(20_000, replicas);
		wall += hour;
		await pass(20_000, replicas);
		for (const each of replicas) expect((await each.now()) - began).toBeLessThan(hour);
		const [first] = replicas;
		if (!first) throw new Error('There are two replicas');
		await pass(20_000, [first]);
		expect(Math.abs((await first.now()) - wall)).toBeLessThan(250);
	});
});

describe('the time of the only process', () => {
	test('follows a clock that was set forward once no lease is live, and never goes back', async () => {
		await leaseBoard();
		const clock = createClock({ db: database.query });
		await clock.synchronize();
		vi.setSystemTime(began + hour);
		expect(await clock.synchronize()).toBe(hour);
		expect(clock.now()).toBeLessThan(began + 1_000);
		await database.query.updateTable('leases').set({ status: 'ended' }).execute();
		expect(await clock.synchronize()).toBe(0);
		expect(clock.now()).toBe(began + hour);
		vi.setSystemTime(began);
		expect(await clock.synchronize()).toBe(-hour);
		expect(clock.now()).toBe(began + hour);
	});

	test('continues after a restart, whatever the clock shows then', async () => {
		await leaseBoard();
		const start = async () => {
			const clock = createClock({ db: database.query });
			await clock.synchronize();
			vi.advanceTimersByTime(1_000);
			await clock.synchronize();
			return clock.now();
		};
		// What was stored last may be up to a minute old.
		const stored = began;
		await start();
		// A machine without a battery starts in 1970, until it has asked others.
		vi.setSystemTime(0);
		expect(Math.abs((await start()) - (stored + 1_000))).toBeLessThan(10);
		// The time in which it did not run has passed for leases, too.
		vi.setSystemTime(Date.now() + 60_000);
		expect(Math.abs((await start()) - (stored + 62_000))).toBeLessThan(10);
	});

	test('is stored once a minute', async () => {
		const clock = createClock({ db: database.query });
		const stored = new Set<number>();
		for (let second = 0; second < 300; second++) {
			await clock.synchronize();
			const row = await database.query
				.selectFrom('service_time')
				.select('time')
				.executeTakeFirstOrThrow();
			stored.add(row.time);
			vi.advanceTimersByTime(1_000);
		}
		expect(stored.size).toBe(5);
	});
});
