// Remembers when keys were used and writes it in the background, so that no request waits for it.
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

const flushEvery = 10_000;

export const createLastUsed = (db: Kysely<Schema>) => {
	let used = new Map<string, number>();
	const flush = async () => {
		if (used.size === 0) return;
		const batch = used;
		used = new Map();
		await write(db, batch).catch((error) => {
			// Whatever was used again meanwhile is newer than what could not be written.
			used = new Map([...batch, ...used]);
			throw error;
		});
	};
	// A database that is away is told of by the requests; the next round tries again.
	const timer = setInterval(() => flush().catch(() => {}), flushEvery).unref();
	return {
		touch: (keyId: string) => used.set(keyId, Date.now()),
		flush,
		async close() {
			clearInterval(timer);
			await flush().catch(() => {});
		},
	};
};

export type LastUsed = ReturnType<typeof createLastUsed>;

const write = (db: Kysely<Schema>, batch: Map<string, number>) =>
	db.transaction().execute(async (transaction) => {
		// One order for all replicas, so that two batches cannot wait for each other.
		for (const [id, time] of [...batch].sort(([a], [b]) => (a < b ? -1 : 1))) {
			const last_used_at = new Date(time).toISOString();
			await transaction
				.updateTable('api_keys')
				.set({ last_used_at })
				.where('id', '=', id)
				.where((eb) =>
					eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', last_used_at)]),
				)
				.execute();
		}
	});
