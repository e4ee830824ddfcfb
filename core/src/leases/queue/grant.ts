// Grants free boards to waiting leases, on any replica. Each board is granted in a transaction of its own, which
// verifies that the plan still holds.
import { usableImages } from '../../base-images/store.ts';
import { lockBoards, withIds } from '../../boards/save.ts';
import type { Core } from '../../core.ts';
import type { BoardRow, Db } from '../../database/schema.ts';
import { skipFailed } from '../../skip-failed.ts';
import { changeAccount } from '../change.ts';
import { grant } from '../rules/grant.ts';
import { suits } from '../rules/order.ts';
import { leaseIn } from '../rules/state.ts';
import { isAwaited, isQueued, planOf, type WaitingLease } from './plan.ts';

/** How often an outdated plan is made again. After that, the scheduler does it a second later. */
export const maxPlans = 10;

/** Grants boards of one type or of all, until no waiting lease can have one. The scheduler repeats what fails. */
export async function grantBoards(core: Core, type?: string) {
	try {
		for (const awaited of await awaitedTypes(core.database.query, type)) {
			for (let plans = 0; plans < maxPlans; plans += 1) {
				if (await carryOut(core, awaited)) break;
			}
		}
	} catch (error) {
		warn(core, error);
	}
}

function warn({ log }: Core, error: unknown) {
	log.warn({ error }, 'Granting boards failed; retrying in a second');
}

async function awaitedTypes(db: Db, type: string | undefined) {
	if (type !== undefined) return (await isAwaited(db, type)) ? [type] : [];
	const types = db.selectFrom('leases').select('board_type').distinct().where(isQueued);
	return (await types.execute()).map(({ board_type }) => board_type);
}

/** Returns whether the whole plan could be granted. */
async function carryOut(core: Core, type: string) {
	let isCurrent = true;
	for (const [lease, board] of await planOf(core.database.query, type)) {
		const skip = skipFailed(core, { lease: lease.id }, 'A board could not be granted; retrying');
		const granted = await grantPlanned(core, lease, board.id).catch(skip);
		if (granted === false) isCurrent = false;
	}
	return isCurrent;
}

async function grantPlanned(core: Core, { id, account_id }: WaitingLease, boardId: string) {
	const state = await changeAccount(core, {
		accountId: account_id,
		leaseIds: [id],
		load: (db) => lockGrantable(db, boardId),
		decide: (state, { boards: [board], images }) => {
			const lease = leaseIn(state, id);
			const isPossible = lease?.status === 'queued' && board?.status === 'available';
			return isPossible && suits(board, lease)
				? grant(state, id, { board, images, limits: core.settings })
				: state;
		},
	});
	return leaseIn(state, id)?.board_id === boardId;
}

/** A board, and the base images with which it is prepared. */
export async function lockGrantable(db: Db, id: string) {
	const boards = await lockBoards(db, withIds([id]));
	return { boards, images: await imagesFor(db, boards[0]) };
}

/** The base images with which a board is prepared: none without an agent. */
export async function imagesFor(db: Db, board: BoardRow | undefined) {
	return board?.agent_id ? usableImages(db, board.board_type) : [];
}
