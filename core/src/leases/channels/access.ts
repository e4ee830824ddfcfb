// Whether the channels of a replica may go on: each dies with its lease, its share and its credential.
import { timeIn } from '../../database/clock.ts';
import type { Db } from '../../database/schema.ts';

interface AtHome {
	home: string;
	ids: readonly string[];
}

/** What each of these channels depends on, as it is now. One that has another home is not read. */
function readStandings(db: Db, { home, ids }: AtHome) {
	return db
		.selectFrom('channels')
		.innerJoin('accounts', 'accounts.id', 'channels.account_id')
		.leftJoin('leases', (join) =>
			join
				.onRef('leases.id', '=', 'channels.lease_id')
				.onRef('leases.fence', '=', 'channels.fence')
				.on('leases.status', '=', 'active'),
		)
		.leftJoin('api_keys', (join) =>
			join.onRef('api_keys.id', '=', 'key_id').on('revoked_at', 'is', null),
		)
		.leftJoin('sessions', 'sessions.id', 'session_id')
		.leftJoin('lease_shares', (join) =>
			join
				.onRef('lease_shares.lease_id', '=', 'channels.lease_id')
				.onRef('lease_shares.email', '=', 'accounts.email')
				.on('access', '=', 'type'),
		)
		.select(['channels.id', 'channels.account_id', 'disabled_at', 'verified_at', 'key_id'])
		.select(['session_id', 'leases.account_id as holder_id', 'lease_shares.access'])
		.select(['api_keys.id as key', 'api_keys.expires_at as key_ends'])
		.select(['sessions.id as session', 'sessions.expires_at as session_ends'])
		.where('home', '=', home)
		.where('channels.id', 'in', ids)
		.execute();
}

export type Standing = Awaited<ReturnType<typeof readStandings>>[number];

/** Why a channel has to end; undefined while it may go on. */
export function whyOver(standing: Standing, now: string) {
	const { holder_id, account_id, access, verified_at, key_id, session_id } = standing;
	const isPast = (end: string | null) => end !== null && end <= now;
	if (holder_id === null) return { code: 'lease_ended', message: 'The lease has ended' };
	const hasKey = key_id === null || (standing.key !== null && !isPast(standing.key_ends));
	const hasSession =
		session_id === null || (standing.session !== null && !isPast(standing.session_ends));
	if (!hasKey || !hasSession || standing.disabled_at !== null) {
		return { code: 'credential_ended', message: 'The API key or the session has ended' };
	}
	const isShared = access === 'type' && verified_at !== null;
	if (holder_id === account_id || isShared) return undefined;
	return { code: 'access_ended', message: 'The lease is no longer shared to type' };
}

/** By id, why each of these channels has to end; undefined while it may go on. One with another home is missing. */
export async function judgeChannels(db: Db, channels: AtHome) {
	const now = timeIn(db);
	const standings = await readStandings(db, channels);
	return new Map(standings.map((standing) => [standing.id, whyOver(standing, now)]));
}
