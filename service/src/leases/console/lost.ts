// A console whose agent cannot report that it is lost.
import type { Kysely } from 'kysely';
import { clockOf, timestamp } from '../../database/clock.ts';
import type { LeaseRow, Schema } from '../../database/schema.ts';

/** The fields of a lease that change while the agent of its board is disconnected or silent. */
export async function lostConsole(db: Kysely<Schema>, lease: LeaseRow, agentTimeout: number) {
	if (lease.status !== 'active' || lease.console_status !== 'connected') return undefined;
	// An idle agent is heard at every half of the time after which it is lost.
	const silentSince = timestamp(clockOf(db).now() - 0.7 * agentTimeout * 1000);
	const away = await db
		.selectFrom('boards')
		.innerJoin('agents', 'agents.id', 'boards.agent_id')
		.select('agents.last_seen_at')
		.where('boards.id', '=', lease.board_id ?? '')
		.where(({ eb, or }) =>
			or([eb('connection_id', 'is', null), eb('last_seen_at', '<=', silentSince)]),
		)
		.executeTakeFirst();
	return (
		away && {
			console_status: 'disconnected' as const,
			console_message: 'The agent of the board is not connected.',
			console_lost_at: away.last_seen_at,
		}
	);
}
