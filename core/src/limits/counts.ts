// Counts of requests, in memory. On PostgreSQL the replicas share them: each adds its counts to the database
// four times a second, so that only attempts at passwords and codes wait for a write.
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { timeIn } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import { onPostgres } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

const addUpEvery = 250;
/** How long most limits count. */
const windowSeconds = 60;

interface Window {
	key: string;
	/** What all replicas have counted, as far as this one knows. */
	points: number;
	/** How much of that is not in the database yet. */
	pending: number;
	until: number;
}

interface CountOptions {
	seconds?: number;
	/** Asks the database each time, for what must not be guessed a few times more on each replica. */
	exact?: boolean;
}

/** Returns what creates counters. Without a pool there is one process, and nothing to share. */
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
		// One order for all replicas, so that two statements cannot wait for each other.
		batch.sort((a, b) => (a.key < b.key ? -1 : 1));
		const added = batch.map(({ pending }) => pending);
		for (const window of batch) window.pending = 0;
		if (pool && batch.length > 0) {
			await write(pool, batch, added).catch(() => {
				// The requests report a database that is away.
				for (const [index, window] of batch.entries()) window.pending += added[index] ?? 0;
			});
		}
		scheduled = false;
		if (batch.length > 0) schedule();
	};

	/** Adds these points in the database, whose windows may have begun earlier or have ended. */
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
		/** Returns what the limit applies to. */
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
		const rejectAt = (most: number, window: Pick<Window, 'points' | 'until'> | undefined) => {
			if (!window || window.points < most) return;
			const wait = Math.max(1, Math.ceil((window.until - now()) / 1000));
			throw tooMany({ prefix, points, seconds }, wait);
		};
		const check = (name: string) => rejectAt(points, live(`${prefix}:${name}`));
		return {
			/** Counts one, or rejects it if the limit is reached. Returns what refunds it, in the same window only. */
			async count(name: string) {
				// Over the limit nothing is counted, and nothing written.
				check(name);
				const window = await add(name, 1);
				rejectAt(points + 1, window);
				return () => {
					if (live(`${prefix}:${name}`) === window) add(name, -1).catch(() => {});
				};
			},
			/** Counts more or less in the current window, whatever the limit. */
			add(name: string, added: number) {
				if (added > 0 || live(`${prefix}:${name}`)) add(name, added).catch(() => {});
			},
			/** Throws if the limit is reached. */
			check,
		};
	};
}

/** Counts an address, and of IPv6 the networks around it too. */
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

/**
 * The networks in which a caller is counted. A provider of IPv6 hands out a /56 or a /48 as readily
 * as a /64, so those count too, each with room for several of the ones below it.
 */
export function networksAround(network: string): readonly { name: string; room: number }[] {
	if (!network.endsWith('::/64')) return [{ name: network, room: 1 }];
	return [
		{ name: network, room: 1 },
		{ name: `${network.slice(0, '0000:0000:0000:00'.length)}00::/56`, room: 4 },
		{ name: `${network.slice(0, '0000:0000:0000'.length)}::/48`, room: 16 },
	];
}

/** The name of a count: names come from outside in any length, and the table must not reveal them. */
export function digest(name: string) {
	return hash('sha256', name, 'base64url');
}

const addPoints = `insert into rate_limits (key, points, expire)
	select * from unnest($1::text[], $2::integer[], $3::bigint[])
	on conflict (key) do update set
		points = excluded.points + case when rate_limits.expire <= $4 then 0 else rate_limits.points end,
		expire = case when rate_limits.expire <= $4 then excluded.expire else rate_limits.expire end
	returning key, points, expire as until`;

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
