// Counts of requests, in memory. On PostgreSQL the replicas share them: each adds its counts to the
// database four times a second, so that a request does not wait for a write. The first request of a
// window does wait, and learns what the other replicas have counted by then.
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { timeIn } from '../../database/clock.ts';
import type { Database } from '../../database/database.ts';
import { onPostgres } from '../../database/postgres.ts';
import type { Db } from '../../database/schema.ts';
import { ApiError } from '../../errors.ts';

const addUpEvery = 250;
/** How long most limits count. */
const windowSeconds = 60;

interface Count {
	key: string;
	seconds: number;
	/** What this replica has counted in this window. */
	own: number;
	/** How much of it is in the database. */
	written: number;
	/** The counts of the other replicas, as of the last write. */
	others: number;
	/** When the window ends; 0 until the database has said so. */
	until: number;
}

interface CountOptions {
	seconds?: number;
	/** Asks the database each time, for what must not be guessed a few times more on each replica. */
	exact?: boolean;
}

/** Returns what creates counters. Without a pool there is one process, and nothing to share. */
export function createCounts({ pool, clock }: Partial<Pick<Database, 'pool' | 'clock'>> = {}) {
	const counts = new Map<string, Count>();
	const waiting = new Set<Count>();
	let scheduled = false;
	let running: Promise<unknown> = Promise.resolve();
	let next: Promise<void> | undefined;

	const now = () => clock?.now() ?? Date.now();
	const isCurrent = (count: Count) => counts.get(count.key) === count;
	const isOver = ({ until }: Count) => until !== 0 && until <= now();

	/** Adds up what waits in one statement, once the statement before has ended. */
	const addUp = () => {
		next ??= running.then(async () => {
			next = undefined;
			const batch = [...waiting].filter(isCurrent);
			waiting.clear();
			if (!pool || batch.length === 0) return;
			await write(pool, batch).catch((error) => {
				for (const count of batch) {
					// A window that the database does not know begins again.
					if (count.until === 0) counts.delete(count.key);
					else waiting.add(count);
				}
				throw error;
			});
		});
		running = next.catch(schedule);
		return next;
	};

	const write = async (pool: Pool, batch: Count[]) => {
		// One order for all replicas, so that two statements cannot wait for each other.
		batch.sort((a, b) => (a.key < b.key ? -1 : 1));
		const added = batch.map(({ own, written }) => own - written);
		const time = Math.round(now());
		const { rows } = await pool.query<{ key: string; points: number; expire: number }>(addPoints, [
			batch.map(({ key }) => key),
			added,
			batch.map(({ seconds }) => time + seconds * 1000),
			time,
		]);
		const found = new Map(rows.map((row) => [row.key, row]));
		for (const [index, count] of batch.entries()) {
			const { points, expire } = found.get(count.key) ?? { points: count.own, expire: count.until };
			// The database has begun another window: the next request begins one here.
			if (count.until !== 0 && count.until !== expire && isCurrent(count)) counts.delete(count.key);
			count.written += added[index] ?? 0;
			count.others = points - count.written;
			count.until = expire;
		}
	};

	const schedule = () => {
		if (scheduled) return;
		scheduled = true;
		setTimeout(addUpSoon, pool ? addUpEvery : windowSeconds * 1000).unref();
	};

	const addUpSoon = () => {
		scheduled = false;
		for (const count of counts.values()) if (isOver(count)) counts.delete(count.key);
		addUp().catch(() => {}); // the requests report a database that is away
	};

	const live = (key: string) => {
		const count = counts.get(key);
		return count && !isOver(count) ? count : undefined;
	};

	const begin = (key: string, seconds: number) => {
		const until = pool ? 0 : now() + seconds * 1000;
		const count = { key, seconds, own: 0, written: 0, others: 0, until };
		counts.set(key, count);
		return count;
	};

	return (prefix: string, points: number, options: CountOptions = {}) => {
		const { seconds = windowSeconds, exact = false } = options;
		const add = (name: string, points: number) => {
			const key = `${prefix}:${name}`;
			const count = live(key) ?? begin(key, seconds);
			count.own += points;
			waiting.add(count);
			schedule();
			return count;
		};
		const rejectOver = ({ own, others, until }: Count) => {
			if (until === 0 || others + own < points) return;
			const wait = Math.max(1, Math.ceil((until - now()) / 1000));
			throw tooMany({ prefix, points, seconds }, wait);
		};
		return {
			/** Counts one, or rejects it if the limit is reached. */
			async count(name: string) {
				const before = live(`${prefix}:${name}`);
				// Over the limit nothing is counted, and nothing written.
				if (before) rejectOver(before);
				const count = add(name, 1);
				const own = count.own - 1;
				if (!pool || (count.until !== 0 && !exact)) return;
				await addUp();
				// The write before has failed, and its windows begin again.
				if (count.until === 0) throw new ApiError('unavailable', 'The request was not counted.');
				rejectOver({ ...count, own });
			},
			/** Counts more or less in the current window, whatever the limit. */
			add(name: string, points: number) {
				if (points < 0 && !live(`${prefix}:${name}`)) return;
				add(name, points);
				// The other replicas learn of it at once.
				if (pool) addUp().catch(() => {});
			},
			/** Throws if the limit is reached. */
			check(name: string) {
				const count = live(`${prefix}:${name}`);
				if (count) rejectOver(count);
			},
		};
	};
}

const addPoints = `insert into rate_limits (key, points, expire)
	select * from unnest($1::text[], $2::integer[], $3::bigint[])
	on conflict (key) do update set
		points = excluded.points + case when rate_limits.expire <= $4 then 0 else rate_limits.points end,
		expire = case when rate_limits.expire <= $4 then excluded.expire else rate_limits.expire end
	returning key, points, expire`;

/** Deletes the windows that are over. */
export async function deleteOldCounts(db: Db) {
	const time = Date.parse(timeIn(db));
	if (onPostgres(db)) await sql`delete from rate_limits where expire < ${time}`.execute(db);
}

interface Limit {
	prefix: string;
	points: number;
	seconds: number;
}

/** The error for a caller who has used up a limit, with the seconds to wait. */
export function tooMany({ prefix, points, seconds: window }: Limit, seconds: number) {
	return new ApiError('rate_limited', `Too many requests; try again in ${seconds} s.`, {
		headers: {
			'retry-after': String(seconds),
			'ratelimit-policy': `"${prefix}";q=${points};w=${window}`,
			ratelimit: `"${prefix}";r=0;t=${seconds}`,
		},
	});
}
