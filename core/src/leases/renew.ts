// Renews a lease: it ends the given minutes from now or after its present end, never earlier than before.

import type { Core } from '../core.ts';
import type { Claim } from '../database/claims.ts';
import type { LeaseRow, Owned } from '../database/schema.ts';
import { changeAccount } from './change.ts';
import { noSuchLease } from './errors.ts';
import type { Changing } from './events.ts';
import { type Renewal, renew } from './rules/lifecycle.ts';
import { leaseIn } from './rules/state.ts';
import { findLease } from './store.ts';

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
