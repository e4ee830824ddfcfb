// Counts of requests, in memory. On PostgreSQL the replicas share them: each adds its counts to the
// database four times a second, so that a request does not wait for a write. The first request of a
// window does wait, and learns what the other replicas have counted by then.
import type { Pool } from 'pg';
import { tooMany } from './too-many.ts';

const addUpEvery = 250;

interface Count {
	/** Requests that this replica has let through in this window. */
	own: number;
	/** How many of these are in the database. */
	written: number;
	/** Those of the other replicas, as of the last write. */
	others: number;
	/** When the window ends; 0 until the database has said so. */
	until: number;
	/** Resolves once the database has said what the others have counted. */
	known: Promise<void>;
}

interface Row {
	key: string;
	points: number;
	expire: number;
}

/** Without a pool there is one process, and nothing to share. */
export function createSharedCounts(pool: Pool | undefined, windowSeconds: number) {
	const counts = new Map<string, Count>();
	let scheduled = false;

	/** Adds what is not written yet, in one statement, and learns the sums. */
	const write = async (pool: Pool, keys: string[]) => {
		const now = Date.now();
		const written = new Map<string, { count: Count; added: number }>();
		// One order for all replicas, so that two statements cannot wait for each other.
		for (const key of keys.sort()) {
			const count = counts.get(key);
			if (count) written.set(key, { count, added: count.own - count.written });
		}
		const { rows } = await pool.query<Row>(addUp, [
			[...written.keys()],
			[...written.values()].map(({ added }) => added),
			now + windowSeconds * 1000,
			now,
		]);
		for (const { key, points, expire } of rows) {
			const { count, added } = written.get(key) ?? {};
			if (!count || added === undefined) continue;
			// The database has begun another window: the next request begins one here.
			if (count.until !== 0 && count.until !== expire) counts.delete(key);
			count.written += added;
			count.others = points - count.written;
			count.until = expire;
		}
	};

	const writeAll = async () => {
		scheduled = false;
		const now = Date.now();
		for (const [key, { until }] of counts) if (until !== 0 && until <= now) counts.delete(key);
		if (!pool) return;
		const keys = [...counts].filter(([, { own, written }]) => own > written).map(([key]) => key);
		// The requests report a database that is away; the next round writes these.
		if (keys.length > 0) await write(pool, keys).catch(() => {});
	};

	const schedule = () => {
		if (scheduled) return;
		scheduled = true;
		setTimeout(writeAll, pool ? addUpEvery : windowSeconds * 1000).unref();
	};

	const begin = (key: string) => {
		const known = Promise.resolve().then(() => pool && write(pool, [key]));
		const until = pool ? 0 : Date.now() + windowSeconds * 1000;
		const count: Count = { own: 0, written: 0, others: 0, until, known };
		known.catch(() => counts.delete(key));
		counts.set(key, count);
		return count;
	};

	const current = (key: string) => {
		const count = counts.get(key);
		return count && (count.until === 0 || count.until > Date.now()) ? count : begin(key);
	};

	return {
		counter: (keyPrefix: string, points: number) => ({
			async count(name: string) {
				const count = current(`${keyPrefix}:${name}`);
				const refuse = () => {
					const seconds = Math.ceil((count.until - Date.now()) / 1000);
					return tooMany({ keyPrefix, points, duration: windowSeconds }, Math.max(1, seconds));
				};
				// Over the limit nothing is counted, and nothing written.
				if (count.until !== 0 && count.others + count.own >= points) throw refuse();
				count.own += 1;
				const place = count.own;
				schedule();
				if (count.until === 0) await count.known;
				if (count.others + place > points) throw refuse();
			},
		}),
	};
}

const addUp = `insert into rate_limits (key, points, expire)
	select key, points, $3 from unnest($1::text[], $2::integer[]) as added (key, points)
	on conflict (key) do update set
		points = excluded.points + case when rate_limits.expire <= $4 then 0 else rate_limits.points end,
		expire = case when rate_limits.expire <= $4 then excluded.expire else rate_limits.expire end
	returning key, points, expire`;
