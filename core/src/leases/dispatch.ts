// The one place that says what has changed: readers and agents are woken, and boards are granted.
import type { Core } from '../core.ts';
import { announceLease } from './changes.ts';
import type { Dispatch } from './events.ts';
import { grantBoards } from './queue/grant.ts';

export function createDispatch(
	needs: Pick<Core, 'database' | 'wake' | 'settings' | 'log'>,
): Dispatch {
	const dispatch: Dispatch = async ({ changed, types }) => {
		for (const lease of changed) announceLease(needs.wake, lease);
		for (const type of types) await grantBoards({ ...needs, dispatch }, type);
	};
	return dispatch;
}
