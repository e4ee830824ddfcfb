// How the boards were used, hour by hour: sums of the leases that have ended, and what the others add to them.
import { type RawBuilder, sql } from 'kysely';
import { clockOf } from '../database/clock.ts';
import { lockingFree } from '../database/locks.ts';
import { secondsOf } from '../database/postgres.ts';
import type { Db, Schema } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';

export type Use = Schema['hourly_use'];

const hourSeconds = 3600;

/** A lease waited for less than this many seconds. */
export const waitBounds = [
	1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 3600, 7200,
];

const batch = 500;

export function hourNow(db: Db) {
	return Math.floor(clockOf(db).now() / 1000 / hourSeconds);
}

/** Adds each lease that has ended to the sums, once, and counts the boards that can be used. */
export async function sumUse(db: Db) {
	while ((await inTransaction(db, sumBatch)) === batch);
	await countBoards(db);
}

async function sumBatch(db: Db) {
	const taken = await db
		.selectFrom('leases')
		.select('id')
		.where(unsummed)
		.where('ended_at', 'is not', null)
		.limit(batch)
		// Other replicas take others.
		.$call(lockingFree(db, 'leases'))
		.execute();
	if (taken.length === 0) return 0;
	const ids = taken.map(({ id }) => id);
	await db.updateTable('leases').set({ summed: 1 }).where('id', 'in', ids).execute();
	const sums = await useOf(db, sql<boolean>`id in (${sql.join(ids)})`);
	await db
		.insertInto('hourly_use')
		.values(sums)
		.onConflict((conflict) =>
			conflict.columns(['hour', 'measure']).doUpdateSet(({ eb }) => ({
				value: eb('hourly_use.value', '+', eb.ref('excluded.value')),
			})),
		)
		.execute();
	return taken.length;
}

/** As a literal, so that the index of these leases is used. */
const unsummed = sql<boolean>`summed = 0`;

/** What leases that are not in the sums add to them until now: those that run, wait, or have just ended. */
export function unsummedUse(db: Db) {
	return useOf(db, unsummed);
}

async function useOf(db: Db, among: RawBuilder<boolean>): Promise<Use[]> {
	const sums = new Map<string, Use>();
	const add = (hour: number, measure: Use['measure'], value: number) => {
		if (value === 0) return;
		const sum = sums.get(`${hour} ${measure}`) ?? { hour, measure, value: 0 };
		sums.set(`${hour} ${measure}`, { hour, measure, value: sum.value + value });
	};
	for (const group of await groupLeases(db, among)) {
		const { created, granted, ended, leases, wait } = group;
		add(created, 'leases', leases);
		add(created, 'key_leases', group.keys);
		add(created, 'unserved', group.unserved);
		if (granted === null || wait === null) continue;
		add(created, `wait_${wait < 0 ? 'more' : wait}`, leases);
		for (let hour = granted; hour <= ended; hour += 1) {
			const before = hour === granted ? group.before : 0;
			const after = hour === ended ? leases * hourSeconds - group.until : 0;
			add(hour, 'busy_seconds', leases * hourSeconds - before - after);
		}
	}
	// In one order for all replicas, so that none waits for another that waits for it.
	return [...sums.values()].sort(
		(one, other) => one.hour - other.hour || (one.measure < other.measure ? -1 : 1),
	);
}

interface LeaseGroup {
	/** The hours, since 1970. */
	created: number;
	granted: number | null;
	ended: number;
	/** The bound of their waits, -1 if they waited longer, or null if they have no board. */
	wait: number | null;
	leases: number;
	keys: number;
	unserved: number;
	/** The seconds from the beginning of the hour until they were granted, and until they ended, of all together. */
	before: number;
	until: number;
}

/** Leases of the same hours and wait together: the database adds up far faster than it returns rows. */
async function groupLeases(db: Db, among: RawBuilder<boolean>) {
	const now = Math.floor(clockOf(db).now() / 1000);
	const at = (column: string) => secondsOf(db, column);
	const bounds = waitBounds.map(
		(bound) => sql`when granted - created < ${sql.lit(bound)} then ${sql.lit(bound)}`,
	);
	const { rows } = await sql<LeaseGroup>`
		with times as (
			select ${at('created_at')} as created, ${at('granted_at')} as granted,
				coalesce(${at('ended_at')}, cast(${now} as bigint)) as ended,
				case when api_key_id is null then 0 else 1 end as keys,
				case end_reason when 'no_board' then 1 else 0 end as unserved
			from leases where ${among}
		)
		select created / 3600 as created, granted / 3600 as granted, ended / 3600 as ended,
			case when granted is null then null ${sql.join(bounds, sql` `)} else -1 end as wait,
			count(*) as leases, cast(sum(keys) as bigint) as keys, cast(sum(unserved) as bigint) as unserved,
			cast(sum(granted % 3600) as bigint) as before, cast(sum(ended % 3600) as bigint) as until
		from times group by 1, 2, 3, 4`.execute(db);
	return rows;
}

/** The most boards at once in an hour that could be used, as often as that is looked at. */
async function countBoards(db: Db) {
	const { boards } = await db
		.selectFrom('boards')
		.select(({ fn }) => fn.countAll<number>().as('boards'))
		.where('status', 'in', ['available', 'in_use'])
		.executeTakeFirstOrThrow();
	await db
		.insertInto('hourly_use')
		.values({ hour: hourNow(db), measure: 'boards', value: boards })
		.onConflict((conflict) =>
			conflict
				.columns(['hour', 'measure'])
				.doUpdateSet(({ ref }) => ({ value: ref('excluded.value') }))
				.where(({ eb, ref }) => eb('hourly_use.value', '<', ref('excluded.value'))),
		)
		.execute();
}
