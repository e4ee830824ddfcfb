// What an agent reports about an action of a lease that has its board. Repeated reports change nothing.
import { agentTimes } from '../../agents/times.ts';
import { restBoards } from '../../boards/rest.ts';
import type { Core } from '../../core.ts';
import type { Db } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { changeWithin } from '../change.ts';
import { type Fenced, fenceOutdated, hasFence, isFenced } from '../fence.ts';
import { hasOtherBoards } from '../queue/plan.ts';
import { describeFailure, type Report, report } from '../rules/preparation.ts';
import { boardIn, isOpen, leaseIn } from '../rules/state.ts';

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
