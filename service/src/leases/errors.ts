// The errors for leases that cannot be granted or used.
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
		hint: 'Each board in the list of boards says whether it has an agent.',
	});
}

export function leaseEnded({ end_reason, end_message }: LeaseRow) {
	return new ApiError('lease_ended', `The lease has ended (${end_reason}). ${end_message}`.trim());
}

export async function noBoardAvailable(
	db: Db,
	{ board_type, board_id, requires_agent }: z.output<typeof leaseInput>,
) {
	const rows = await db
		.selectFrom('boards')
		.select(['status', ({ fn }) => fn.countAll().as('boards')])
		.$if(board_id !== undefined, (query) => query.where('id', '=', board_id ?? ''))
		.$if(board_type !== undefined, (query) => query.where('board_type', '=', board_type ?? ''))
		.$if(requires_agent, (query) => query.where('agent_id', 'is not', null))
		.groupBy('status')
		.execute();
	const all = rows.reduce((sum, { boards }) => sum + Number(boards), 0);
	const count = (wanted: string) => rows.find(({ status }) => status === wanted)?.boards ?? 0;
	const of =
		board_type === undefined
			? `the board ${board_id}`
			: `${all} of type ${board_type}${requires_agent ? ' with an agent' : ''}`;
	const states = `${count('in_use')} in use, ${count('offline')} offline, ${count('maintenance')} in maintenance`;
	const message = `No board is available: of ${of}, ${states}.`;
	const hint =
		count('in_use') || count('available')
			? 'Set wait_seconds to wait in the queue, or choose another board type.'
			: 'Choose another board type, or tell the operator of the service: no lease that ends makes one of these available.';
	return new ApiError('no_board_available', message, { hint });
}
