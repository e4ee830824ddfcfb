// Errors of leases.
import type { leaseInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import type { Db, LeaseRow } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

export function noSuchLease() {
	return new ApiError('lease_not_found', 'There is no such lease.');
}

export function noSuchBoardType() {
	return new ApiError('board_type_not_found', 'There is no board of this type.', {
		hint: 'The list of boards shows the types.',
	});
}

export function boardHasNoAgent(which: string) {
	const message = `No agent drives ${which}, so it can be leased, but not flashed or read.`;
	return new ApiError('board_has_no_agent', message, {
		hint: 'The list of boards can be limited to boards with an agent.',
	});
}

export function leaseEnded({ end_reason, end_message }: LeaseRow) {
	return new ApiError('lease_ended', `The lease has ended (${end_reason}). ${end_message}`.trim());
}

export async function noBoardAvailable(
	db: Db,
	{ board_type = '', board_id, requires_agent }: z.output<typeof leaseInput>,
) {
	const rows = await db
		.selectFrom('boards')
		.select(['status', ({ fn }) => fn.countAll().as('boards')])
		.where(board_id ? 'id' : 'board_type', '=', board_id ?? board_type)
		.$if(requires_agent, (query) => query.where('agent_id', 'is not', null))
		.groupBy('status')
		.orderBy('status', 'desc')
		.execute();
	const counts = rows.map(({ status, boards }) => ({ count: Number(boards), is: states[status] }));
	const all = counts.reduce((sum, { count }) => sum + count, 0);
	const parts = counts.map(({ count, is }) => `${count} ${count === 1 ? 'is' : 'are'} ${is}`);
	const type = `${board_type}${requires_agent ? ' with an agent' : ''}`;
	const message = board_id
		? `The board ${board_id} is ${counts[0]?.is ?? 'gone'}.`
		: `No board of type ${type} is free for you: of ${all}, ${parts.join(', ')}.`;
	const hint = rows.some(({ status }) => status === 'in_use' || status === 'available')
		? 'Set wait_seconds to wait in the queue, or choose another board type.'
		: 'Choose another board type, or contact the operator: all of these boards are offline or in maintenance, so waiting does not help.';
	return new ApiError('no_board_available', message, { hint });
}

const states = {
	available: 'kept for others in the queue or beyond your credits',
	in_use: 'in use',
	offline: 'offline',
	maintenance: 'in maintenance',
};
