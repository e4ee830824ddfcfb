// The requests about agents.
import * as z from 'zod/mini';
import { agentFields, agentTokenPattern } from '../contract/agent-record.ts';
import { invalidResponse } from '../errors/errors.ts';
import { collectionRequests } from '../http/collection.ts';
import { createListing } from '../http/list.ts';
import { recordPath } from '../http/path.ts';
import type { RequestFunction } from '../http/request.ts';
import type { Address, InputFields } from '../records/operations.ts';
import { fieldRule, masked, recordReader } from '../records/records.ts';
import type { Agent, Agents, CreatedAgent } from './types.ts';

const path = '/v1/admin/agents' satisfies Address;
const boardIds = fieldRule(
	(value): value is string[] => Array.isArray(value) && value.every((id) => typeof id === 'string'),
	'must be an array of IDs',
);
const read = recordReader({ ...agentFields, board_ids: boardIds });
const fields = { name: z.string(), boardIds } satisfies InputFields<'updateAgent'>;

export function createAgents(request: RequestFunction): Agents {
	const needed = { name: z.string() };
	const { create, get, update } = collectionRequests(request, {
		path,
		noun: 'agent',
		fields,
		needed,
		read,
	});
	return {
		list: (options) => createListing(request, () => ({ path, read, options })),
		get,
		create: async (agent, options) => masked(withToken(await create(agent, options)), 'token'),
		update,
		revoke: async (id, options) =>
			await request({
				method: 'DELETE',
				path: recordPath(path, id, 'agent'),
				options,
				read: (body) => read(body),
			}),
	};
}

/** A token goes into files and onto terminals, where anything else could do harm. */
function withToken(agent: Agent & { token?: unknown }) {
	const { token } = agent;
	if (typeof token === 'string' && agentTokenPattern.test(token)) return agent as CreatedAgent; // just checked
	throw invalidResponse(
		'The response contains no token of the form "agt_" and 48 hexadecimal digits',
	);
}
