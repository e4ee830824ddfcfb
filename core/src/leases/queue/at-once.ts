// Which board a request gets at once. If nobody waits for its type, it skips the queue; otherwise, it is planned with
// the waiting leases.
import { lockingFree, lockQueue } from '../../database/locks.ts';
import type { Db } from '../../database/schema.ts';
import { suits } from '../rules/order.ts';
import { isFree, preferredFirst, suiting } from './boards.ts';
import { imagesFor, lockGrantable, maxPlans } from './grant.ts';
import { isAwaited, planOf, type WaitingLease } from './plan.ts';

export async function lockBoardFor(db: Db, wanted: WaitingLease) {
	const { board_type: type } = wanted;
	const first = (await isAwaited(db, type)) ? undefined : await lockFirstFree(db, wanted);
	if (first) return first;
	// Otherwise, two requests could together take the boards of those who have waited.
	await lockQueue(db, type);
	for (let plans = 0; plans < maxPlans; plans += 1) {
		const id = (await planOf(db, type, [wanted])).get(wanted)?.id;
		if (id === undefined) return undefined;
		const found = await lockGrantable(db, id);
		// Otherwise, somebody else has taken or changed the board.
		const [board] = found.boards;
		if (board?.status === 'available' && suits(board, wanted)) return found;
	}
	return undefined;
}

/** The best free board that nobody has locked, so that requests do not wait for each other. */
async function lockFirstFree(db: Db, wanted: WaitingLease) {
	const board = await db
		.selectFrom('boards')
		.selectAll()
		.where(isFree)
		.where(suiting(wanted))
		.$call(preferredFirst)
		.limit(1)
		.$call(lockingFree(db, 'boards'))
		.executeTakeFirst();
	return board && { boards: [board], images: await imagesFor(db, board) };
}
