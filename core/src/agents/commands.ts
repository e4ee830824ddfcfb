import type { agentInput, agentUpdate } from 'board-access-contract';
import type * as z from 'zod/mini';
import { agentChange } from '../announcements.ts';
import { type Claim, once } from '../claims.ts';
import type { Core } from '../core.ts';
import { changeAgent, issueAgent } from './store.ts';

export type CreatedAgent = Awaited<ReturnType<typeof issueAgent>>;

export function createAgent(core: Core, input: z.output<typeof agentInput>, claim?: Claim) {
	// A form that has shown the token before gets only the identifier.
	return once<{ id: string } & Partial<CreatedAgent>>(core, claim, {
		create: (db) => issueAgent(db, input),
		replay: async (_db, id) => ({ id }),
	});
}

/** A revoked agent cannot be changed. */
export async function updateAgent(core: Core, id: string, update: z.output<typeof agentUpdate>) {
	const agent = await changeAgent(core.database.query, id, update);
	await core.dispatch({ names: [agentChange(id)] });
	return agent;
}
