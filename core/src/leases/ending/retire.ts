// Removes a board, and ends the leases that wait for it.
import { agentChange } from '../../announcements.ts';
import { deleteBoard } from '../../boards/change.ts';
import type { Core } from '../../core.ts';
import { endWaitingFor } from './release.ts';

export async function retireBoard(core: Core, id: string) {
	const { board, agentId } = await deleteBoard(core.database.query, id);
	if (agentId) await core.dispatch({ names: [agentChange(agentId)] });
	await endWaitingFor(core, id);
	return board;
}
