// A user requests an action on the board of a lease: to flash, erase, reset or power-cycle it.
import type { leaseActionInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { type Claim, once } from '../../claims.ts';
import type { Caller, Core } from '../../core.ts';
import { lockLease } from '../lock.ts';
import { endGrace } from '../minutes.ts';
import { requireActive } from '../requirements.ts';
import { accessTo } from '../sharing/access.ts';
import { createAction, findAction } from './store.ts';

/** Colleagues with whom the lease is shared may only reset the board. */
export async function requestAction(
	core: Core,
	caller: Caller,
	{ leaseId, input }: { leaseId: string; input: z.output<typeof leaseActionInput> },
	claim?: Claim,
) {
	const needed = input.action === 'reset' ? 'type' : 'hold';
	const asking = { ...caller, id: leaseId };
	const found = await accessTo(core.database.query, asking, needed);
	const { lease, seesColleagues, sharedAs: requestedBy } = found;
	const outcome = await once(core, claim, {
		create: async (db) => {
			// Locked, so that actions are numbered in order, and none is added after the end of the lease.
			requireActive(await lockLease(db, leaseId));
			// The lease may no longer be shared.
			if (requestedBy) await accessTo(db, asking, needed);
			return createAction(db, { leaseId, seesColleagues, requestedBy, input });
		},
		replay: (db, actionId) => findAction(db, { leaseId, seesColleagues, actionId }),
		mismatch: 'idempotency_conflict',
	});
	await endGrace(core, lease);
	if (!outcome.replayed) await core.dispatch({ leases: [lease] });
	return outcome;
}
