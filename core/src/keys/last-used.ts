// Records the last use of keys in the background, so that no request waits for it.
import { sql } from 'kysely';
import { timeIn } from '../database/clock.ts';
import { lockClause } from '../database/locks.ts';
import { jsonRows } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';
import { every } from '../every.ts';

const flushEvery = 10_000;

export function createLastUsed(db: Db) {
	const used = new Map<string, Use>();
	const flush = async () => {
		if (used.size === 0) return;
		const batch = new Map(used);
		await write(db, batch);
		// Removed only after the write, so that each use is known all the time.
		for (const [id, use] of batch) if (used.get(id) === use) used.delete(id);
	};
	// The next round retries; requests report an outage of the database.
	const flushing = every(flushEvery, flush, () => {});
	return {
		/** The first use is written at once, because other replicas have to know of it. */
		touch(keyId: string, { first = false, address }: { first?: boolean; address?: string } = {}) {
			const use = { time: timeIn(db), address: address ?? null };
			if (first && !used.has(keyId)) write(db, new Map([[keyId, use]])).catch(() => {});
			used.set(keyId, use);
		},
		/** Whether a use of the key is not written yet. */
		holds: (keyId: string) => used.has(keyId),
		flush,
		async close() {
			await flushing.close();
			await flush().catch(() => {});
		},
	};
}

export type LastUsed = ReturnType<typeof createLastUsed>;

interface Use {
	time: string;
	address: string | null;
}

function write(db: Db, batch: ReadonlyMap<string, Use>) {
	const uses = [...batch].map(([id, use]) => ({ id, ...use }));
	// Ordered, so that two replicas cannot wait for each other.
	const locked = lockClause(db, 'api_keys');
	return sql`
		with used as (
			select api_keys.id, entry.value ->> 'time' as time, entry.value ->> 'address' as address
			from ${jsonRows(db, uses)} as entry
			inner join api_keys on api_keys.id = entry.value ->> 'id'
			order by api_keys.id ${locked}
		)
		update api_keys set last_used_at = time, last_used_address = address
		from used where api_keys.id = used.id and (last_used_at is null or last_used_at < time)`.execute(
		db,
	);
}
