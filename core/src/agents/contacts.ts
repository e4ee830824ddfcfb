// When agents were heard, and which connections they have: stored and read once a second for all agents.
import { sql } from 'kysely';
import { timeIn } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import { lockFreeClause } from '../database/locks.ts';
import { jsonRows } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';
import type { Settings } from '../env.ts';
import { every } from '../every.ts';
import { agentTimes } from './times.ts';

export type Contacts = ReturnType<typeof createContacts>;

export function createContacts(
	{ query, clock }: Pick<Database, 'query' | 'clock'>,
	settings: Pick<Settings, 'agentTimeout'>,
) {
	const interval = agentTimes(settings).contacts;
	/** When agents were heard since the last time that this was stored. */
	let heard = new Map<string, string>();
	/** When the agent of each connection was heard, by the clock of this process, and when this was read. */
	let known = { at: 0, heardAt: new Map<string | null, number>() };
	const store = async () => {
		const batch = heard;
		heard = new Map();
		if (batch.size > 0) await storeContacts(query, batch);
	};
	const read = async () => {
		const [at, time] = [performance.now(), clock.now()];
		const agents = query.selectFrom('agents').select(['connection_id', 'last_seen_at']);
		const rows = await agents.where('connection_id', 'is not', null).execute();
		const heardAt = new Map(
			rows.map((row) => [row.connection_id, at - time + Date.parse(row.last_seen_at ?? '')]),
		);
		known = { at, heardAt };
	};
	// Requests of agents report an outage of the database.
	const round = every(
		interval,
		() => store().finally(read),
		() => {},
	);
	return {
		interval,
		heard: (id: string) => void heard.set(id, timeIn(query)),
		/** For how many milliseconds the agent of a connection was silent, and how old this information is. */
		silence(connectionId: string, openedAt: number) {
			const { at, heardAt } = known;
			const isKnown = at > openedAt;
			const last = isKnown ? (heardAt.get(connectionId) ?? Number.NEGATIVE_INFINITY) : openedAt;
			return { silence: performance.now() - last, age: performance.now() - Math.max(at, openedAt) };
		},
		close: round.close,
	};
}

/** Skips an agent that connects at the same time, because its connection is stored then. */
async function storeContacts(db: Db, heard: ReadonlyMap<string, string>) {
	const entries = [...heard].map(([id, at]) => ({ id, at }));
	const locked = lockFreeClause(db, 'agents');
	await sql`
		with heard as (
			select agents.id, entry.value ->> 'at' as at
			from ${jsonRows(db, entries)} as entry
			inner join agents on agents.id = entry.value ->> 'id'
			where last_seen_at is null or last_seen_at < entry.value ->> 'at' ${locked}
		)
		update agents set last_seen_at = heard.at from heard where agents.id = heard.id`.execute(db);
}
