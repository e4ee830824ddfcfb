// Errors of leases.
import { nearest } from 'board-access-contract';
import { hasTags, tagValue } from '../boards/tags.ts';
import type { Db, LeaseRow } from '../database/schema.ts';
import { ApiError } from '../errors.ts';
import { isFree, suiting } from './queue/boards.ts';

export function noSuchLease() {
	return new ApiError('lease_not_found', 'There is no such lease.');
}

export function groupsAreOff() {
	return new ApiError('not_found', 'This service does not lease several boards together.', {
		hint: 'Lease the boards one by one, or ask the operator to set GROUPS=on.',
	});
}

export function noSuchBoardType() {
	return new ApiError('board_type_not_found', 'There is no board of this type.', {
		hint: 'The list of boards shows the types.',
	});
}

/** `owned`: the tags of boards that would suit otherwise, as their rows hold them. */
export function noSuchTags(
	wanted: Readonly<Record<string, string | null>>,
	owned: readonly string[],
) {
	const pairs = Object.entries(wanted);
	const unknown = pairs.find(([name, value]) => {
		const tag = JSON.stringify({ [name]: value });
		return !owned.some((tags) => hasTags(tags, tag));
	});
	const message = unknown
		? `No board of this type has the tag ${tagText(unknown)}.`
		: `No board of this type has all of the tags ${pairs.map(tagText).join(', ')}.`;
	const [name = ''] = unknown ?? [];
	const values = owned.flatMap((tags) => tagValue(tags, name) ?? []);
	const names = owned.flatMap((tags) => Object.keys(JSON.parse(tags)));
	const known = values.length > 0 ? values.map((value) => tagText([name, value])) : names;
	const meant = unknown && nearest(values.length > 0 ? tagText(unknown) : name, known);
	const some = [...new Set(known)].slice(0, 5).join(', ') || 'no tags';
	const hint = meant ? `Did you mean ${meant}?` : `The boards of this type have ${some}.`;
	return new ApiError('board_tag_not_found', message, { hint });
}

function tagText([name, value]: [string, string | null]) {
	return value === null ? name : `${name}=${value}`;
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

export async function noBoardAvailable(db: Db, leases: readonly LeaseRow[]) {
	const lease = leases.length > 1 ? await firstWithoutBoard(db, leases) : leases[0];
	if (!lease) {
		const message = 'Boards for all roles of the group are not free for you at the same time.';
		return new ApiError('no_board_available', message, { hint: waitHint });
	}
	const { board_type, wanted_board_id: board_id, requires_agent, wanted_tags, role } = lease;
	const rows = await db
		.selectFrom('boards')
		.select(['status', ({ fn }) => fn.countAll().as('boards')])
		.where(suiting({ board_type, wanted_board_id: board_id, requires_agent, wanted_tags }))
		.groupBy('status')
		.orderBy('status', 'desc')
		.execute();
	const counts = rows.map(({ status, boards }) => ({ count: Number(boards), is: states[status] }));
	const all = counts.reduce((sum, { count }) => sum + count, 0);
	const parts = counts.map(({ count, is }) => `${count} ${count === 1 ? 'is' : 'are'} ${is}`);
	const tagged = wanted_tags === '{}' ? '' : ' with these tags';
	const inRole = role === null ? '' : ` (role ${role})`;
	const type = `${board_type}${requires_agent ? ' with an agent' : ''}${tagged}`;
	const message = board_id
		? `The board ${board_id} is ${counts[0]?.is ?? 'gone'}.`
		: `No board of type ${type} is free for you: of ${all}, ${parts.join(', ')}.`;
	const hint = rows.some(({ status }) => status === 'in_use' || status === 'available')
		? waitHint
		: 'Choose another board type, or contact the operator: all of these boards are offline or in maintenance, so waiting does not help.';
	return new ApiError('no_board_available', `${message}${inRole}`, { hint });
}

const waitHint = 'Set wait_seconds to wait in the queue, or choose another board type.';

/** The first lease of a group for which no board is free. */
async function firstWithoutBoard(db: Db, leases: readonly LeaseRow[]) {
	for (const lease of leases) {
		const free = db.selectFrom('boards').select('id').where(isFree).where(suiting(lease)).limit(1);
		if (!(await free.executeTakeFirst())) return lease;
	}
	return undefined;
}

const states = {
	available: 'kept for others in the queue or beyond your credits',
	in_use: 'in use',
	offline: 'offline',
	maintenance: 'in maintenance',
};
