// Ends leases that were not renewed or have waited too long, and preparations that take too long.
import type { Core } from '../../core.ts';
import { skipFailed } from '../../skip-failed.ts';
import { changeAccount } from '../change.ts';
import { hasOtherBoards } from '../queue/plan.ts';
import { expire } from '../rules/ending.ts';
import { expirePreparation } from '../rules/preparation.ts';
import { leaseIn } from '../rules/state.ts';

/** `hasListened`: whether requests of users and agents would have arrived. */
export async function expireLeases(
	core: Core,
	{ ids, hasListened }: { ids: readonly string[]; hasListened: boolean },
) {
	const due = await core.database.query
		.selectFrom('leases')
		.select(['id', 'account_id as accountId'])
		.where('id', 'in', ids)
		.where('status', '<>', 'ended')
		.orderBy('id')
		.execute();
	const limits = core.settings;
	for (const { id, accountId } of due) {
		const change = changeAccount(core, {
			accountId,
			leaseIds: [id],
			load: async (db, state) => ({ hasOthers: await hasOtherBoards(db, state, id) }),
			decide: (state, { hasOthers }) => {
				const after = expire(state, id, { hasListened, limits });
				const isLate = hasListened && leaseIn(after, id)?.status === 'preparing';
				return isLate ? expirePreparation(after, id, { hasOthers, limits }) : after;
			},
		});
		await change.catch(skipFailed(core, { lease: id }, 'A lease could not be ended; retrying'));
	}
}
