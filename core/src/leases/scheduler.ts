// Does once a second, on any replica, what announcements and requests have missed.
import { hasListened } from '../agents/times.ts';
import { endRests } from '../boards/rest.ts';
import type { Core } from '../core.ts';
import { describeSkew, describeStep, maxSkew, skewOf, timestamp } from '../database/clock.ts';
import { every } from '../every.ts';
import { skipFailed } from '../skip-failed.ts';
import { changeAccount } from './change.ts';
import { loseSilentAgents } from './ending/lost.ts';
import { readLive, statesOf } from './live.ts';
import { grantBoards } from './queue/grant.ts';
import { hasOtherBoards } from './queue/plan.ts';
import { expire } from './rules/ending.ts';
import { expirePreparation } from './rules/preparation.ts';
import { leaseIn } from './rules/state.ts';

const second = 1_000;

export function startScheduler(core: Core) {
	const { clock } = core.database;
	const noteSkew = createSkewLog(core);
	const tick = async () => {
		const step = await clock.synchronize();
		if (step !== 0) core.log.warn({ step: Math.round(step) }, describeStep(step));
		noteSkew();
		await keepLeases(core);
	};
	return every(second, tick, (error) => {
		clock.restart();
		core.log.warn({ error }, 'The lease scheduler failed; retrying');
	});
}

/** Ends expired leases, grants free boards, and wakes those who have missed an announcement. */
export async function keepLeases(core: Core) {
	const { database, wake } = core;
	const time = database.clock.now();
	const isJudging = hasListened(database, core.settings);
	if (isJudging) await loseSilentAgents(core, time);
	await endRests(database.query);
	const live = await readLive(database.query);
	wake.compare(statesOf(live));
	if (live.some(({ status }) => status === 'queued')) await grantBoards(core);
	const due = live.filter(({ due }) => due !== null && due <= timestamp(time));
	const ids = due.map(({ id }) => id);
	if (ids.length === 0) return;
	await expireLeases(core, { ids, hasListened: isJudging });
}

/** Logs when the clock of this process begins to differ from the service's time and the database's clock. */
function createSkewLog({ database, log }: Core) {
	let wasOff = false;
	return () => {
		const skew = skewOf(database.clock);
		const isOff = Math.abs(skew) > maxSkew;
		if (isOff && !wasOff) log.error({ skew }, describeSkew(skew));
		wasOff = isOff;
	};
}

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
