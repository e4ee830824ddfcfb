// Starts and renews the minutes of a lease.
import { hasListened } from '../agents/times.ts';
import type { Claim } from '../claims.ts';
import type { Caller, Core } from '../core.ts';
import { creditsOfKey } from '../credits/holds.ts';
import { timeIn } from '../database/clock.ts';
import type { LeaseRow, Owned } from '../database/schema.ts';
import { changeLease, requireLease } from './change.ts';
import { begin, isInGrace, type Renewal, renew } from './rules/minutes.ts';

export function startMinutes(core: Core, owned: Owned): Promise<LeaseRow> {
	return changeLease(core, { ...owned, decide: (state) => begin(state, owned.id) });
}

/** Using the board ends the grace of its lease. */
export async function endGrace(core: Core, lease: LeaseRow) {
	const { query } = core.database;
	if (isInGrace(lease, timeIn(query))) {
		await startMinutes(core, { accountId: lease.account_id, id: lease.id });
	}
}

/** The same for a lease that is known by its id. */
export async function useLease(core: Core, id: string) {
	const { query } = core.database;
	const lease = query.selectFrom('leases').selectAll().where('id', '=', id);
	const found = await lease.executeTakeFirst();
	if (found) await endGrace(core, found);
}

export async function extend(
	core: Core,
	{ accountId, id, keyId, ...renewal }: Owned & Renewal & { keyId?: Caller['keyId'] | undefined },
	claim?: Claim,
): Promise<LeaseRow> {
	// While this process was paused, no renewal could arrive, so it is not late afterwards.
	const { database, settings: limits } = core;
	const asked = { ...renewal, hasListened: hasListened(database, limits), limits };
	return await changeLease(core, {
		accountId,
		id,
		claim,
		load: async (db, state) => {
			const { api_key_id } = requireLease(state, id);
			// A key with a limit renews only what counts for it.
			const isOther = keyId !== undefined && keyId !== api_key_id;
			if (isOther && (await creditsOfKey(db, keyId)) < Number.POSITIVE_INFINITY) return 0;
			return await creditsOfKey(db, api_key_id);
		},
		decide: (state, creditsOfKey) => renew(state, id, { ...asked, creditsOfKey }),
	});
}
