// What a change of leases sets off: readers and agents are woken, and boards are granted.

import { announceLease } from '../announcements.ts';
import type { Core, LeaseEvents } from '../core.ts';
import { grantBoards } from './queue/grant.ts';

export async function dispatch(core: Core, { changed, types }: LeaseEvents) {
	for (const lease of changed) announceLease(core.wake, lease);
	for (const type of types) await grantBoards(core, type);
}
