// Brings a board to its known state at the start of a lease, from the base images of its type. The lease
// becomes active once that is done, and its minutes begin.
import { capabilitiesOf } from '../../agents/boards.ts';
import { clockOf, timestamp } from '../../database/clock.ts';
import type { BaseImageRow, BoardRow, Db, LeaseRow } from '../../database/schema.ts';
import { addActions, type NewAction } from '../actions/store.ts';
import { findDownload } from '../files/store.ts';

const minute = 60_000;

/** Creates the actions that prepare the board; none means that the board is ready as it is. */
export async function prepareBoard(
	db: Db,
	{ lease, board }: { lease: LeaseRow; board: BoardRow },
): Promise<void> {
	const images = await db
		.selectFrom('base_images')
		.selectAll()
		.where('board_type', '=', board.board_type)
		.where('enabled', '=', 1)
		.orderBy('position')
		.orderBy('created_at')
		.orderBy('id')
		.execute();
	const steps: NewAction[] = [];
	for (const image of images) steps.push(await imageStep(db, image));
	const { actions: supported = [], between_leases } = capabilitiesOf(board) ?? {};
	if (supported.includes('power_cycle')) steps.unshift({ phase: 'prepare', action: 'power_cycle' });
	if (supported.includes('reset')) steps.push({ phase: 'prepare', action: 'reset' });
	// The first step fails if the agent could not clear the board, so there has to be one.
	if (steps.length === 0 && between_leases === 'erase') {
		steps.push({ phase: 'prepare', action: 'erase' });
	}
	await addActions(db, lease.id, steps);
}

async function imageStep(
	db: Db,
	{ action, name, url, flash_offset }: BaseImageRow,
): Promise<NewAction> {
	if (action === 'erase') return { phase: 'prepare', action, name };
	const file = await findDownload(db, url);
	return { phase: 'prepare', action, name, url, flash_offset, file_id: file?.id };
}

/** The fields of a lease that is active from this time on. */
export function activeValues(
	{ minutes, credits_per_minute }: Pick<LeaseRow, 'minutes' | 'credits_per_minute'>,
	time: number,
) {
	return {
		status: 'active' as const,
		started_at: timestamp(time),
		expires_at: timestamp(time + minutes * minute),
		held_credits: credits_per_minute * minutes,
	};
}

/** Makes a preparing lease active if its preparation is complete. */
export function activateLease(db: Db, lease: LeaseRow) {
	return db
		.updateTable('leases')
		.set(activeValues(lease, clockOf(db).now()))
		.where('id', '=', lease.id)
		.where('status', '=', 'preparing')
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom('lease_actions')
						.select('lease_actions.id')
						.where('lease_id', '=', lease.id)
						.where('phase', '=', 'prepare')
						.where('status', 'in', ['queued', 'running']),
				),
			),
		)
		.returningAll()
		.executeTakeFirst();
}
