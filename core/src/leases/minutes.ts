// The minutes of a lease: their beginning, and their end, which renewals move.

import type { Claim } from '../claims.ts';
import type { Core } from '../core.ts';
import type { LeaseRow, Owned } from '../database/schema.ts';
import { changeAccount } from './change.ts';
import { noSuchLease } from './errors.ts';
import type { Changing } from './events.ts';
import { begin, type Renewal, renew } from './rules/lifecycle.ts';
import { leaseIn } from './rules/state.ts';
import { findLease } from './store.ts';

/** Begins the minutes of an active lease now, if they have not begun. */
export async function startMinutes(needs: Changing, { accountId, id }: Owned): Promise<LeaseRow> {
	const state = await changeAccount(needs, {
		accountId,
		leaseIds: [id],
		decide: (state) => begin(state, id),
	});
	return leaseIn(state, id) ?? findLease(needs.database.query, { accountId, id });
}

export async function renewLease(
	needs: Changing & Pick<Core, 'database' | 'settings'>,
	{ accountId, id, ...renewal }: Owned & Renewal,
	claim?: Claim,
): Promise<LeaseRow> {
	const { database, settings } = needs;
	// A renewal that could not arrive, because this process was paused, is in time after the pause.
	const hasListened = database.clock.awakeFor() > settings.agentTimeout * 1000;
	const state = await changeAccount(needs, {
		accountId,
		leaseIds: [id],
		id,
		claim,
		decide: (state) => {
			if (!leaseIn(state, id)) throw noSuchLease();
			return renew(state, id, { ...renewal, hasListened, limits: settings });
		},
	});
	return leaseIn(state, id) ?? findLease(database.query, { accountId, id });
}
