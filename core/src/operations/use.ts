// How much the boards were used in a period, and how long leases waited: the sums of the hours, up to now.
import { sql } from 'kysely';
import { clockOf } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { hourNow, type Use, unsummedUse, waitBounds } from './hourly-use.ts';

/** Whole days, counted since 1970, in UTC. */
export interface Period {
	first: number;
	days: number;
}

export async function readUse(db: Db, { first, days }: Period) {
	const now = hourNow(db);
	const today = Math.floor(now / 24) * 24;
	const [from, until] = [first * 24, (first + days) * 24];
	const stored = db.selectFrom('hourly_use').select('measure');
	const inPeriod = stored.where('hour', '>=', from).where('hour', '<', until);
	const added = (await unsummedUse(db)).filter(({ hour }) => hour < until || hour >= today);
	const ofPeriod = added.filter(({ hour }) => hour >= from && hour < until);
	const busy = await inPeriod
		.select(['hour', 'value'])
		.where('measure', 'in', ['busy_seconds', 'boards'])
		.execute();
	const waits = await inPeriod
		.select([
			sql<number>`hour % 24`.as('hour'),
			sql<number>`cast(sum(value) as bigint)`.as('value'),
		])
		.where(sql<boolean>`measure like 'wait%'`)
		.groupBy([sql`hour % 24`, 'measure'])
		.execute();
	const recent = await stored
		.select(['hour', 'value'])
		.where('hour', '>', now - 48)
		.where('measure', '<>', 'busy_seconds')
		.execute();
	const all = [...recent, ...added];
	const ofToday = byMeasure(all.filter(({ hour }) => hour >= today));
	return {
		now,
		/** For how many seconds this hour has gone on. */
		elapsed: Math.max(1, Math.floor(clockOf(db).now() / 1000) % 3600),
		/** The seconds that boards were in use, and how many could be, by `hour measure`. */
		hours: addUp([...busy, ...ofPeriod], ({ hour, measure }) => `${hour} ${measure}`),
		/** By the hour of the day. */
		waits: new Map(
			[...Map.groupBy([...waits, ...ofPeriod], ({ hour }) => hour % 24)].map(
				([hour, uses]) => [hour, waitsOf(byMeasure(uses))] as const,
			),
		),
		today: ofToday,
		waitsToday: waitsOf(ofToday),
		lastDay: byMeasure(all.filter(({ hour }) => hour > now - 24)),
		dayBefore: byMeasure(all.filter(({ hour }) => hour > now - 48 && hour <= now - 24)),
	};
}

function byMeasure(uses: readonly Use[]) {
	return addUp(uses, ({ measure }) => measure);
}

function addUp(uses: readonly Use[], keyOf: (use: Use) => string) {
	const sums = new Map<string, number>();
	for (const use of uses) sums.set(keyOf(use), (sums.get(keyOf(use)) ?? 0) + use.value);
	return sums;
}

/** Under how many seconds half of the leases waited, and most: Infinity above the highest bound, undefined without any. */
function waitsOf(uses: ReadonlyMap<string, number>) {
	return { half: waitUnder(uses, 0.5), most: waitUnder(uses, 0.95) };
}

function waitUnder(uses: ReadonlyMap<string, number>, share: number) {
	const counts = [...waitBounds, 'more' as const].map((bound) => uses.get(`wait_${bound}`) ?? 0);
	const all = counts.reduce((sum, count) => sum + count, 0);
	if (all === 0) return undefined;
	let below = 0;
	const index = counts.findIndex((count) => {
		below += count;
		return below >= share * all;
	});
	return waitBounds[index] ?? Infinity;
}
