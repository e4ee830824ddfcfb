// What users request and agents report about the actions of a lease. Repeated reports change nothing.

import { agentTimes } from '../../agents/times.ts';
import { restBoards } from '../../boards/rest.ts';
import { once } from '../../claims.ts';
import type { Core } from '../../core.ts';
import type { Db } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import type { Command } from '../../gate.ts';
import { changeWithin } from '../change.ts';
import { type Fenced, fenceOutdated, hasFence, isFenced } from '../fence.ts';
import { lockLease } from '../lock.ts';
import { endGrace } from '../minutes.ts';
import { hasOtherBoards } from '../queue/plan.ts';
import { requireActive } from '../requirements.ts';
import { describeFailure, type Report, report } from '../rules/preparation.ts';
import { boardIn, isOpen, leaseIn } from '../rules/state.ts';
import { accessTo } from '../sharing/access.ts';
import { createAction, findAction } from './store.ts';

export async function reportAction(core: Core, { agentId, fence, ...sent }: Report & Fenced) {
	const { database, settings } = core;
	const found = await findReported(database.query, { agentId, fence, actionId: sent.actionId });
	const { rest } = agentTimes(settings);
	const { events } = await inTransaction(database.query, (db) =>
		changeWithin(db, {
			accountId: found.account_id,
			leaseIds: [found.id],
			load: async (db, state) => ({
				hasOthers: sent.status === 'failed' && (await hasOtherBoards(db, state, found.id)),
			}),
			decide: (state, { hasOthers }) => {
				const lease = leaseIn(state, found.id);
				const board = boardIn(state, lease?.board_id ?? null);
				if (!lease || !board || !hasFence(lease, board, { agentId, fence })) throw fenceOutdated();
				return report(state, lease, sent, { hasOthers, rest });
			},
		}),
	);
	if (found.isOpenStep && sent.status === 'failed' && sent.cause === 'agent') {
		const reason = `The agent of this board cannot prepare boards. ${describeFailure({ ...found, ...sent })}`;
		// Not in the same transaction: one that holds a board would lock the others out of order.
		await restBoards(database.query, agentId, { milliseconds: rest, reason });
	}
	await core.dispatch(events);
}

async function findReported(db: Db, { actionId, ...fenced }: Fenced & Pick<Report, 'actionId'>) {
	const { phase, action_status, ...lease } = await db
		.selectFrom('lease_actions')
		.innerJoin('leases', 'leases.id', 'lease_actions.lease_id')
		.innerJoin('boards', 'boards.id', 'leases.board_id')
		.selectAll('leases')
		.select(['lease_actions.phase', 'lease_actions.action', 'lease_actions.name'])
		.select('lease_actions.status as action_status')
		.where('lease_actions.id', '=', actionId)
		.where(isFenced(fenced))
		.executeTakeFirstOrThrow(fenceOutdated);
	const isOpenStep = phase === 'prepare' && isOpen({ status: action_status });
	return { ...lease, isOpenStep: isOpenStep && lease.status === 'preparing' };
}

/** Colleagues with whom the lease is shared may only reset the board. */
export const requestAction: Command<'createAction'> = async (core, caller, request) => {
	const { ids, input, claim } = request;
	const needed = input.action === 'reset' ? 'type' : 'hold';
	const leaseId = ids.id;
	const asking = { ...caller, ...ids };
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
};
