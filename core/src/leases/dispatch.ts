// Wakes readers and agents after a committed change, and grants boards. Nothing else announces changes.
import { boardChange, leaseChange } from '../announcements.ts';
import type { Core, Events } from '../core.ts';
import { grantBoards } from './queue/grant.ts';

export async function dispatch(core: Core, events: Events) {
	const { leases = [], names = [], types = [], change } = events;
	if (change) core.happenings.emit('change', change);
	const changed = leases.flatMap(({ id, board_id }) => [
		leaseChange(id),
		...(board_id === null ? [] : [boardChange(board_id)]),
	]);
	core.wake.announce(...changed, ...names);
	if (types === 'all') await grantBoards(core);
	else for (const type of types) await grantBoards(core, type);
}
