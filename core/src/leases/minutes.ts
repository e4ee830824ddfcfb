// The minutes of a lease: their beginning, and their end, which renewals move.

import type { Claim } from '../claims.ts';
import type { Core } from '../core.ts';
import type { LeaseRow, Owned } from '../database/schema.ts';
import { changeLease } from './change.ts';
import type { Changing } from './events.ts';
import { begin, type Renewal, renew } from './rules/lifecycle.ts';
import type { AccountState } from './rules/state.ts';

/** Begins the minutes of an active lease now, if they have not begun. */
export function startMinutes(needs: Changing, owned: Owned): Promise<LeaseRow> {
	return changeLease(needs, owned, (state) => begin(state, owned.id));
}

export function renewLease(
	needs: Changing & Pick<Core, 'database' | 'settings'>,
	{ accountId, id, ...renewal }: Owned & Renewal,
	claim?: Claim,
): Promise<LeaseRow> {
	const { database, settings } = needs;
	// A renewal that could not arrive, because this process was paused, is in time after the pause.
	const hasListened = database.clock.awakeFor() > settings.agentTimeout * 1000;
	const decide = (state: AccountState) =>
		renew(state, id, { ...renewal, hasListened, limits: settings });
	return changeLease(needs, { accountId, id }, decide, claim);
}
