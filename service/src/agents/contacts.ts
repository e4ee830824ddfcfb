// When agents were heard, and which of their connections are current: stored and read once a second, for all
// agents together.
import { sql } from 'kysely';
import { timeIn } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import { onPostgres } from '../database/postgres.ts';
import type { AgentRow, Db } from '../database/schema.ts';
import type { Settings } from '../env.ts';
import { every } from '../every.ts';

export type Contacts = ReturnType<typeof createContacts>;

interface Following {
	/** By `performance.now()`, when its agent was heard last. */
	heardAt: number;
	/** When that was read, or the stream began. */
	readAt: number;
}

export function createContacts(
	{ query, clock }: Pick<Database, 'query' | 'clock'>,
	{ agentTimeout }: Pick<Settings, 'agentTimeout'>,
) {
	/** When agents were heard since that was stored last, by the hash of their token. */
	let heard = new Map<string, string>();
	let stored = newResult();
	const followed = new Map<string, Following>();

	const store = async () => {
		if (heard.size === 0) return;
		const [batch, result] = [heard, stored];
		[heard, stored] = [new Map(), newResult()];
		result.resolve(storeContacts(query, batch));
		await result.promise;
	};
	const read = async () => {
		if (followed.size === 0) return;
		const [began, time] = [performance.now(), clock.now()];
		const rows = await currentConnections(query);
		const lastSeen = new Map(rows.map((row) => [row.connection_id, row.last_seen_at]));
		for (const [connectionId, following] of followed) {
			// It may have been opened while the rows were read.
			if (following.readAt > began) continue;
			const seen = lastSeen.get(connectionId);
			following.heardAt = seen ? began - (time - Date.parse(seen)) : Number.NEGATIVE_INFINITY;
			following.readAt = began;
		}
	};
	// The requests of agents report an outage of the database.
	const interval = Math.min(1_000, agentTimeout * 50);
	const round = every(
		interval,
		() => store().finally(read),
		() => {},
	);
	return {
		/** Records that an agent was heard. Once that is stored, resolves with the agent, if the token is valid. */
		async heard(hash: string) {
			heard.set(hash, timeIn(query));
			return (await stored.promise).get(hash);
		},
		/** Follows a connection that has just been opened. */
		follow(connectionId: string) {
			const now = performance.now();
			const following = { heardAt: now, readAt: now };
			followed.set(connectionId, following);
			return {
				/** For how long its agent was silent; infinite if another connection has replaced it. */
				silence: () => performance.now() - following.heardAt,
				/** How old that knowledge is. */
				age: () => performance.now() - following.readAt,
				end: () => followed.delete(connectionId),
			};
		},
		close: round.close,
	};
}

type Heard = Pick<AgentRow, 'id' | 'hash' | 'last_seen_at'>;

function newResult() {
	const result = Promise.withResolvers<Map<string, Heard>>();
	// Most requests do not wait for it.
	result.promise.catch(() => {});
	return result;
}

function currentConnections(db: Db) {
	return db
		.selectFrom('agents')
		.select(['connection_id', 'last_seen_at'])
		.where('connection_id', 'is not', null)
		.execute();
}

/**
 * Returns the agents whose tokens are valid. One that is being changed at the same time is left out, so that the
 * others do not wait for it.
 */
async function storeContacts(db: Db, heard: ReadonlyMap<string, string>) {
	const entries = onPostgres(db) ? sql`json_each_text` : sql`json_each`;
	const locked = onPostgres(db) ? sql`for no key update of agents skip locked` : sql``;
	const { rows } = await sql<Heard>`
		with heard as (
			select agents.id, entry.value as at
			from ${entries}(${JSON.stringify(Object.fromEntries(heard))}) as entry
			inner join agents on agents.hash = entry.key
			where agents.revoked_at is null ${locked}
		)
		update agents set last_seen_at = case when last_seen_at > heard.at then last_seen_at else heard.at end
		from heard where agents.id = heard.id
		returning agents.id, hash, last_seen_at`.execute(db);
	return new Map(rows.map((row) => [row.hash, row]));
}
