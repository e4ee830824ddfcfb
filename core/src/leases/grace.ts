// The minute in which a lease that waited is ready but costs nothing, so that its holder can come back to the page.
import type { LeaseRow, Owned } from '../database/schema.ts';
import { changeAccount } from './change.ts';
import type { Changing } from './events.ts';
import { begin } from './rules/lifecycle.ts';
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
