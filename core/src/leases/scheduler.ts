// Does once a second, on any replica, what notifications and requests have missed.

import { changeBoards } from '../boards/save.ts';
import type { Core } from '../core.ts';
import { describeSkew, describeStep, mostSkew, skewOf, timestamp } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { every } from '../every.ts';
import { expireLeases } from './ending/expire.ts';
import { loseSilentAgents } from './ending/lost.ts';
import { readLive, statesOf } from './live.ts';
import { grantBoards } from './queue/grant.ts';
import { sendReadyMails } from './queue/ready-mail.ts';

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

/** Ends leases that have expired, grants boards that became free, and wakes those that no change was announced to. */
export async function keepLeases(core: Core) {
	const { database, settings, wake } = core;
	const time = database.clock.now();
	// Agents and users can speak only while the service runs and its database is reachable.
	const hasListened = database.clock.awakeFor() > settings.agentTimeout * 1000;
	if (hasListened) await loseSilentAgents(core, time);
	await endRests(database.query, timestamp(time));
	const live = await readLive(database.query);
	wake.compare(statesOf(live));
	await sendReadyMails(core, live);
	if (live.some(({ status }) => status === 'queued')) await grantBoards(core);
	const due = live.filter(({ due }) => due !== null && due <= timestamp(time));
	const ids = due.map(({ id }) => id);
	if (ids.length === 0) return;
	await expireLeases(core, { ids, hasListened });
}

/** Has boards granted again whose rest is over. */
async function endRests(db: Db, time: string) {
	const rested = { resting_until: null, rest_reason: null };
	await inTransaction(db, (db) =>
		changeBoards(
			db,
			(boards) => boards.where('resting_until', '<=', time),
			(board) => ({ ...board, ...rested }),
		),
	);
}

/** Writes a line when the clock of this process begins to differ from the service's time and the database's clock. */
function createSkewLog({ database, log }: Core) {
	let wasOff = false;
	return () => {
		const skew = skewOf(database.clock);
		const isOff = Math.abs(skew) > mostSkew;
		if (isOff && !wasOff) log.error({ skew }, describeSkew(skew));
		wasOff = isOff;
	};
}
