// Which boards a request gets at once. If nobody waits for the type of its only board, it skips the queue; otherwise,
// it is planned with the waiting leases.
import { lockingFree, lockQueue } from '../../database/locks.ts';
import type { Db } from '../../database/schema.ts';
import type { Grant } from '../rules/grant.ts';
import { isFree, preferredFirst, suiting } from './boards.ts';
import { imagesFor, lockPlanned, maxPlans } from './grant.ts';
import { isAwaited, planOf, type WaitingLease } from './plan.ts';

export async function lockBoardsFor(db: Db, leases: readonly WaitingLease[]) {
	const types = [...new Set(leases.map(({ board_type }) => board_type))].sort();
	const [only, ...others] = leases;
	if (only && others.length === 0 && !(await isAwaited(db, only.board_type))) {
		const first = await lockFirstFree(db, only);
		if (first) return [first];
	}
	// Otherwise, two requests could together take the boards of those who have waited.
	for (const type of types) await lockQueue(db, type);
	const ids = new Set(leases.map(({ id }) => id));
	for (let plans = 0; plans < maxPlans; plans += 1) {
		const { granted } = await planOf(db, types, leases);
		const own = granted.find((request) => request.some(({ lease }) => ids.has(lease.id)));
		if (!own) return undefined;
		const grants = await lockPlanned(db, own);
		if (grants) return grants;
	}
	return undefined;
}

/** The best free board that nobody has locked, so that requests do not wait for each other. */
async function lockFirstFree(db: Db, wanted: WaitingLease): Promise<Grant | undefined> {
	const board = await db
		.selectFrom('boards')
		.selectAll()
		.where(isFree)
		.where(suiting(wanted))
		.$call(preferredFirst)
		.limit(1)
		.$call(lockingFree(db, 'boards'))
		.executeTakeFirst();
	return board && { leaseId: wanted.id, board, images: await imagesFor(db, board) };
}
