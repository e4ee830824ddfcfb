// Grants free boards to waiting leases, on any replica, and to new ones. Each waiting request is granted in a
// transaction of its own, which verifies that the plan still holds.
import { usableImages } from '../../base-images/store.ts';
import { lockBoards, withIds } from '../../boards/save.ts';
import type { Core } from '../../core.ts';
import { lockingFree, lockQueue } from '../../database/locks.ts';
import type { BoardRow, Db } from '../../database/schema.ts';
import { skipFailed } from '../../skip-failed.ts';
import { changeAccount } from '../change.ts';
import { type Grant, grant } from '../rules/grant.ts';
import { type Plan, type Suitable, suits } from '../rules/order.ts';
import { leaseIn } from '../rules/state.ts';
import { isFree, preferredFirst, suiting } from './boards.ts';
import { isAwaited, isQueued, planOf, type WaitingLease } from './plan.ts';

/** How often an outdated plan is made again. After that, the scheduler does it a second later. */
const maxPlans = 10;

/** Grants boards of one type or of all, until no waiting lease can have one. The scheduler repeats what fails. */
export async function grantBoards(core: Core, type?: string) {
	try {
		for (const awaited of await awaitedTypes(core.database.query, type)) {
			for (let plans = 0; plans < maxPlans; plans += 1) {
				if (await carryOut(core, awaited)) break;
			}
		}
	} catch (error) {
		core.log.warn({ error }, 'Granting boards failed; retrying in a second');
	}
}

async function awaitedTypes(db: Db, type: string | undefined) {
	if (type !== undefined) return (await isAwaited(db, type)) ? [type] : [];
	const types = db.selectFrom('leases').select('board_type').distinct().where(isQueued);
	return (await types.execute()).map(({ board_type }) => board_type);
}

/** Returns whether the whole plan could be granted. */
async function carryOut(core: Core, type: string) {
	let isCurrent = true;
	for (const request of (await planOf(core.database.query, [type])).granted) {
		const leases = request.map(({ lease }) => lease.id);
		const skip = skipFailed(core, { leases }, 'Boards could not be granted; retrying');
		const granted = await grantPlanned(core, request).catch(skip);
		if (granted === false) isCurrent = false;
	}
	return isCurrent;
}

async function grantPlanned(core: Core, request: PlannedRequest) {
	const ids = request.map(({ lease }) => lease.id);
	const state = await changeAccount(core, {
		accountId: request[0]?.lease.account_id ?? '',
		leaseIds: ids,
		load: async (db) => {
			const grants = (await lockPlanned(db, request)) ?? [];
			return { grants, boards: grants.map(({ board }) => board) };
		},
		decide: (state, { grants }) => grant(state, grants, core.settings),
	});
	return request.every(({ lease, board }) => leaseIn(state, lease.id)?.board_id === board.id);
}

/**
 * Locks the boards that a request gets at once. If nobody waits for the type of its only board, it skips the queue;
 * otherwise, it is planned with the waiting leases.
 */
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

type PlannedRequest = Plan<WaitingLease, Suitable>['granted'][number];

/** Locks the boards of a plan, with the images that prepare them. Undefined if somebody has taken or changed one. */
async function lockPlanned(db: Db, request: PlannedRequest): Promise<Grant[] | undefined> {
	const boards = await lockBoards(db, withIds(request.map(({ board }) => board.id)));
	const grants: Grant[] = [];
	for (const { lease, board: planned } of request) {
		const board = boards.find(({ id }) => id === planned.id);
		if (board?.status !== 'available' || !suits(board, lease)) return undefined;
		grants.push({ leaseId: lease.id, board, images: await imagesFor(db, board) });
	}
	return grants;
}

/** The base images with which a board is prepared: none without an agent. */
async function imagesFor(db: Db, board: BoardRow) {
	return board.agent_id ? usableImages(db, board.board_type) : [];
}
