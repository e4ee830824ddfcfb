// Rate limits are counted in memory. On PostgreSQL, replicas share the counts: each writes its own to the database four
// times a second. Only attempts at passwords and codes wait for that.
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { timeIn } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import { onPostgres } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

const addUpEvery = 250;
const windowSeconds = 60;

interface Window {
	key: string;
	/** The points of all replicas, as far as this one knows. */
	points: number;
	/** Points that are not written to the database yet. */
	pending: number;
	until: number;
}

interface CountOptions {
	seconds?: number;
	/** Writes to the database each time, so that replicas do not allow more guesses together. */
	exact?: boolean;
}

export function createCounts({ pool, clock }: Partial<Pick<Database, 'pool' | 'clock'>> = {}) {
	const windows = new Map<string, Window>();
	let scheduled = false;
	const now = () => clock?.now() ?? Date.now();

	const live = (key: string) => {
		const window = windows.get(key);
		return window && window.until > now() ? window : undefined;
	};

	const schedule = () => {
		if (scheduled) return;
		scheduled = true;
		setTimeout(addUp, pool ? addUpEvery : windowSeconds * 1000).unref();
	};

	const addUp = async () => {
		for (const { key } of windows.values()) if (!live(key)) windows.delete(key);
		const batch = [...windows.values()].filter(({ pending }) => pending !== 0);
		// Ordered, so that two replicas cannot wait for each other.
		batch.sort((a, b) => (a.key < b.key ? -1 : 1));
		const added = batch.map(({ pending }) => pending);
		for (const window of batch) window.pending = 0;
		if (pool && batch.length > 0) {
			await write(pool, batch, added).catch(() => {
				// Requests report an outage of the database.
				for (const [index, window] of batch.entries()) window.pending += added[index] ?? 0;
			});
		}
		scheduled = false;
		if (batch.length > 0) schedule();
	};

	/** Adds the points in the database, where a window may have begun earlier. */
	const write = async (pool: Pool, batch: readonly Window[], added: readonly number[]) => {
		const { rows } = await pool.query<Pick<Window, 'key' | 'points' | 'until'>>(addPoints, [
			batch.map(({ key }) => key),
			added,
			batch.map(({ until }) => Math.round(until)),
			Math.round(now()),
		]);
		for (const { key, points, until } of rows) {
			const window = windows.get(key);
			if (window) Object.assign(window, { points: points + window.pending, until });
		}
		return rows;
	};

	return (prefix: string, points: number, options: CountOptions = {}) => {
		const { seconds = windowSeconds, exact = false } = options;
		const add = async (name: string, added: number) => {
			const key = `${prefix}:${name}`;
			const until = now() + seconds * 1000;
			const window = live(key) ?? { key, points: 0, pending: 0, until };
			windows.set(key, window);
			schedule();
			if (pool && exact) return (await write(pool, [window], [added]))[0];
			window.points += added;
			if (pool) window.pending += added;
			return window;
		};
		const rejectAt = (max: number, window: Pick<Window, 'points' | 'until'> | undefined) => {
			if (!window || window.points < max) return;
			const wait = Math.max(1, Math.ceil((window.until - now()) / 1000));
			throw tooMany({ prefix, points, seconds }, wait);
		};
		const check = (name: string) => rejectAt(points, live(`${prefix}:${name}`));
		return {
			/** Counts one, or throws if the limit is reached. Returns a function that refunds it. */
			async count(name: string) {
				check(name);
				const window = await add(name, 1);
				rejectAt(points + 1, window);
				return () => {
					if (live(`${prefix}:${name}`) === window) add(name, -1).catch(() => {});
				};
			},
			/** Adds to the current window, or subtracts from it, without a limit. */
			add(name: string, added: number) {
				if (added > 0 || live(`${prefix}:${name}`)) add(name, added).catch(() => {});
			},
			check,
		};
	};
}

/** Counts an address and, with IPv6, the networks around it. */
export function countNetworks(
	counts: ReturnType<typeof createCounts>,
	prefix: string,
	points: number,
) {
	return async (address: string) => {
		for (const { name, room } of networksAround(address)) {
			const limit = counts(room === 1 ? prefix : `${prefix}-${room}`, points * room);
			await limit.count(digest(name));
		}
	};
}

/** IPv6 providers assign a /56 or a /48 as readily as a /64, so these are counted too, with higher limits. */
export function networksAround(network: string): readonly { name: string; room: number }[] {
	if (!network.endsWith('::/64')) return [{ name: network, room: 1 }];
	return [
		{ name: network, room: 1 },
		{ name: `${network.slice(0, '0000:0000:0000:00'.length)}00::/56`, room: 4 },
		{ name: `${network.slice(0, '0000:0000:0000'.length)}::/48`, room: 16 },
	];
}

/** Names can have any length, and the table must not reveal them. */
export function digest(name: string) {
	return hash('sha256', name, 'base64url');
}

const addPoints = `insert into rate_limits (key, points, expire)
	select * from unnest($1::text[], $2::integer[], $3::bigint[])
	on conflict (key) do update set
		points = excluded.points + case when rate_limits.expire <= $4 then 0 else rate_limits.points end,
		expire = case when rate_limits.expire <= $4 then excluded.expire else rate_limits.expire end
	returning key, points, expire as until`;

export async function deleteOldCounts(db: Db) {
	const time = Date.parse(timeIn(db));
	if (onPostgres(db)) await sql`delete from rate_limits where expire < ${time}`.execute(db);
}

interface Limit {
	prefix: string;
	points: number;
	seconds: number;
}

export function tooMany({ prefix, points, seconds: window }: Limit, seconds: number) {
	return new ApiError('rate_limited', `Too many requests; try again in ${seconds} s.`, {
		headers: {
			'retry-after': String(seconds),
			'ratelimit-policy': `"${prefix}";q=${points};w=${window}`,
			ratelimit: `"${prefix}";r=0;t=${seconds}`,
		},
	});
}
