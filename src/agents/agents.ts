// The requests about agents.
import * as z from 'zod/mini';
import { agentFields, agentTokenPattern } from '../contract/agent-record.ts';
import { invalidResponse } from '../errors/errors.ts';
import { call } from '../http/call.ts';
import { createListing } from '../http/list.ts';
import type { RequestFunction } from '../http/request.ts';
import type { InputFields } from '../records/operations.ts';
import { fieldRule, masked, readInput, recordReader, snakeCased } from '../records/records.ts';
import type { Agent, Agents, CreatedAgent } from './types.ts';

const boardIds = fieldRule(
	(value): value is string[] => Array.isArray(value) && value.every((id) => typeof id === 'string'),
	'must be an array of IDs',
);
const read = recordReader({ ...agentFields, board_ids: boardIds });
const needed = { name: z.string() };
const fields = { ...needed, boardIds } satisfies InputFields<'PATCH /v1/admin/agents/{id}'>;

export function createAgents(request: RequestFunction): Agents {
	return {
		list: (options) =>
			createListing(request, { route: 'GET /v1/admin/agents', filters: {}, read, options }),
		get: async (id, options) =>
			await call(request, 'GET /v1/admin/agents/{id}', { ids: { id }, read, options }),
		create: async (agent, options) => {
			const json = snakeCased(readInput(fields, agent, needed));
			const created = await call(request, 'POST /v1/admin/agents', { json, read, options });
			return masked(withToken(created), 'token');
		},
		update: async (id, changes, options) => {
			const json = snakeCased(readInput(fields, changes));
			const ids = { id };
			return await call(request, 'PATCH /v1/admin/agents/{id}', { ids, json, read, options });
		},
		rotateToken: async (id, options) => {
			const route = 'POST /v1/admin/agents/{id}/token';
			const rotated = await call(request, route, { ids: { id }, read, options });
			return masked(withToken(rotated), 'token');
		},
		revoke: async (id, options) =>
			await call(request, 'DELETE /v1/admin/agents/{id}', { ids: { id }, read, options }),
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
