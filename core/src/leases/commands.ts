// What users do with a lease. Each command returns the changed lease.
import { type Claim, once } from '../claims.ts';
import type { Caller, Core } from '../core.ts';
import type { LeaseRow } from '../database/schema.ts';
import { afterChange } from '../errors.ts';
import type { Command } from '../gate.ts';
import { changeLease } from './change.ts';
import { groupsAreOff } from './errors.ts';
import { extend } from './minutes.ts';
import { requestLeases } from './queue/create.ts';
import { byRole, findGroup } from './queue/plan.ts';
import { release } from './rules/ending.ts';
import { latestEnd, type Renewal } from './rules/minutes.ts';
import { accessTo } from './sharing/access.ts';
import { findLease, readableLease } from './store.ts';

/** Requests a free board or, if the request may wait, a place in the queue. */
export const createLease: Command<'createLease'> = async (core, caller, { input, claim }) => {
	const { accountId } = caller;
	const wanted = { holder: caller, terms: input, boards: [[null, input]] } as const;
	const { result, replayed } = await once(core, claim, {
		create: async (_db, claim) => (await requestLeases(core, wanted, claim))[0],
		claims: true,
		replay: (db, id) => findLease(db, { accountId, id }),
	});
	return { result: await recordOf(core, result), replayed };
};

/** Requests boards by their roles: all of them or none. */
export const createLeaseGroup: Command<'createLeaseGroup'> = async (core, caller, request) => {
	const { input, claim } = request;
	if (!core.settings.groups) throw groupsAreOff();
	const { accountId } = caller;
	const { boards, same_tag: sameTag, ...terms } = input;
	const wanted = { holder: caller, terms, boards: Object.entries(boards), sameTag };
	const { result, replayed } = await once(core, claim, {
		create: async (_db, claim) => groupOf(await requestLeases(core, wanted, claim)),
		claims: true,
		replay: async (db, id) => groupOf(await findGroup(db, { accountId, id })),
	});
	const leases = await Promise.all(result.leases.map((lease) => recordOf(core, lease)));
	return { result: { id: result.id, leases }, replayed };
};

function groupOf(leases: readonly LeaseRow[]) {
	const id = leases[0]?.group_id ?? null;
	if (id === null) throw new Error('The group has no leases');
	return { id, leases: byRole(leases) };
}

/** Moves the end of a lease, and returns the latest possible end, too. */
export async function renewLease(
	core: Core,
	caller: Caller,
	{ id, ...renewal }: Renewal & { id: string },
	claim?: Claim,
) {
	const { owned } = await accessTo(core.database.query, { ...caller, id }, 'hold');
	const { result, replayed } = await once(core, claim, {
		create: (_db, claim) => extend(core, { ...owned, keyId: caller.keyId, ...renewal }, claim),
		claims: true,
		replay: (db) => findLease(db, owned),
		mismatch: 'idempotency_conflict',
	});
	const latest_expires_at = latestEnd(result, core.settings);
	return { result: { ...(await recordOf(core, result)), latest_expires_at }, replayed };
}

export const releaseLease: Command<'releaseLease'> = async (core, caller, { ids }) => {
	const { owned } = await accessTo(core.database.query, { ...caller, ...ids }, 'hold');
	const lease = await changeLease(core, { ...owned, decide: (state) => release(state, ids.id) });
	return recordOf(core, lease);
};

function recordOf(core: Core, lease: LeaseRow) {
	return afterChange(readableLease(core.database.query, lease));
}
