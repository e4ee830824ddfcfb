// The sums of each hour are those of its leases, however often, late and by how many replicas they are made.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timestamp } from '../../src/database/clock.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { sumUse, type Use, unsummedUse, waitBounds } from '../../src/operations/hourly-use.ts';
import { databaseKinds, readyDatabase } from '../support/databases.ts';

interface Lease {
	created: number;
	granted: number | null;
	ended: number | null;
	ci: boolean;
	reason: 'released' | 'no_board';
}

const now = Date.parse('2026-11-25T14:30:20.250Z');
const milliseconds = fc.integer({ min: 0, max: 5 * 3_600_000 });

/** Leases of the last hours, of which some wait, some run and some have ended. */
const lease: fc.Arbitrary<Lease> = fc
	.record({
		age: milliseconds,
		wait: fc.option(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90_000 }), milliseconds)),
		use: fc.option(milliseconds, { freq: 4 }),
		ci: fc.boolean(),
		reason: fc.constantFrom('released' as const, 'no_board' as const),
	})
	.map(({ age, wait, use, ...rest }) => {
		const created = now - age;
		const granted = wait === null ? null : Math.min(created + wait, now);
		const ended = use === null ? null : Math.min((granted ?? created) + use, now);
		return { created, granted, ended, ...rest };
	});

/** The same sums, second by second and lease by lease. */
function recompute(leases: readonly Lease[], clock = now) {
	const sums: Record<string, number> = {};
	const add = (hour: number, measure: Use['measure'], value: number) => {
		if (value > 0) sums[`${hour} ${measure}`] = (sums[`${hour} ${measure}`] ?? 0) + value;
	};
	for (const { created, granted, ended, ci, reason } of leases) {
		const [from, hour] = [seconds(created), hourOf(seconds(created))];
		add(hour, 'leases', 1);
		add(hour, 'key_leases', ci ? 1 : 0);
		add(hour, 'unserved', ended !== null && reason === 'no_board' ? 1 : 0);
		if (granted === null) continue;
		const wait = seconds(granted) - from;
		add(hour, `wait_${waitBounds.find((bound) => wait < bound) ?? 'more'}`, 1);
		for (let second = seconds(granted); second < seconds(ended ?? clock); second += 1) {
			add(hourOf(second), 'busy_seconds', 1);
		}
	}
	return sums;
}

const seconds = (time: number) => Math.floor(time / 1000);
const hourOf = (second: number) => Math.floor(second / 3600);

function add(...lists: (readonly Use[])[]) {
	const sums: Record<string, number> = {};
	for (const { hour, measure, value } of lists.flat()) {
		const key = `${hour} ${measure}`;
		if (measure !== 'boards') sums[key] = (sums[key] ?? 0) + value;
	}
	return sums;
}

describe.each(databaseKinds)('on %s', (kind) => {
	let database: Database;
	let made = 0;
	beforeAll(async () => {
		database = await readyDatabase(kind);
		Object.assign(database.clock, { now: () => now });
	});
	afterAll(() => database.close());

	const insert = async (leases: readonly Lease[]) => {
		const rows = leases.map(({ created, granted, ended, ci, reason }) => ({
			id: `lse_${made++}`,
			account_id: 'acc_1',
			api_key_id: ci ? 'key_1' : null,
			board_type: 'uno',
			board_id: granted === null ? null : `brd_${made}`,
			status: ended === null ? ('queued' as const) : ('ended' as const),
			minutes: 1,
			credits_per_minute: 0,
			most_credits_per_minute: 0,
			held_credits: 0,
			created_at: timestamp(created),
			queued_until: timestamp(created),
			granted_at: granted === null ? null : timestamp(granted),
			ended_at: ended === null ? null : timestamp(ended),
			end_reason: ended === null ? null : reason,
		}));
		if (rows.length > 0) await database.query.insertInto('leases').values(rows).execute();
		return rows.map(({ id }) => id);
	};
	const stored = () => database.query.selectFrom('hourly_use').selectAll().execute();
	const clear = async () => {
		await database.query.deleteFrom('hourly_use').execute();
		await database.query.deleteFrom('leases').execute();
	};

	test('sums equal a recomputation from the leases', async () => {
		const leases = fc.array(lease, { maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(leases, leases, async (earlier, later) => {
				await clear();
				await insert(earlier);
				await sumUse(database.query);
				expect(add(await stored(), await unsummedUse(database.query))).toEqual(recompute(earlier));
				await insert(later);
				await Promise.all([sumUse(database.query), sumUse(database.query)]);
				const all = [...earlier, ...later];
				expect(add(await stored())).toEqual(recompute(all.filter(({ ended }) => ended !== null)));
				expect(add(await stored(), await unsummedUse(database.query))).toEqual(recompute(all));
			}),
			{ numRuns: 40 },
		);
	});

	test('a lease that ends later is in the sums of the hours in which it ran', async () => {
		await clear();
		const running: Lease = {
			created: now - 7_200_000,
			granted: now - 7_100_000,
			ended: null,
			ci: true,
			reason: 'released',
		};
		const [id = ''] = await insert([running]);
		await sumUse(database.query);
		expect(add(await stored())).toEqual({});
		const change = { status: 'ended' as const, ended_at: timestamp(now - 60_000) };
		await database.query.updateTable('leases').set(change).where('id', '=', id).execute();
		await sumUse(database.query);
		expect(add(await stored())).toEqual(recompute([{ ...running, ended: now - 60_000 }]));
	});

	test('a thousand leases are summed once by replicas that start again in between', async () => {
		await clear();
		const leases = fc.sample(lease, { numRuns: 1100, seed: 7 });
		for (let from = 0; from < leases.length; from += 100) {
			await insert(leases.slice(from, from + 100));
		}
		const location = kind === 'SQLite' ? undefined : database.pool?.options.connectionString;
		const other = location ? await openDatabase(location) : database;
		Object.assign(other.clock, { now: () => now });
		await Promise.all([sumUse(database.query), sumUse(other.query), sumUse(other.query)]);
		if (other !== database) await other.close();
		expect(add(await stored())).toEqual(recompute(leases.filter(({ ended }) => ended !== null)));
	});
});
