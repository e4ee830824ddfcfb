// The requests about agents, which the client has no methods for.
import type { BoardAccess } from 'board-access';
import * as z from 'zod/mini';
import { agent as agentShape, createdAgent } from '../../contract/index.ts';
import type { Io } from '../terminal/io.ts';

export type Agent = ReturnType<typeof withOwnNames<z.infer<typeof agentShape>>>;

const path = '/v1/admin/agents';
const agentList = z.object({ data: z.array(agentShape) });

interface NewAgent {
	name: string;
	boardIds: readonly string[];
}

type AgentChanges = { [Name in keyof NewAgent]?: NewAgent[Name] | undefined };

/** The only response with the token. */
export async function createAgent(client: BoardAccess, agent: NewAgent, { signal }: Io) {
	const json = { name: agent.name, board_ids: agent.boardIds };
	const created = await client.request({ method: 'POST', path, json, signal });
	return withOwnNames(z.parse(createdAgent, created));
}

export async function listAgents(client: BoardAccess, { signal }: Io): Promise<Agent[]> {
	const { data } = z.parse(agentList, await client.request({ method: 'GET', path, signal }));
	return data.map(withOwnNames);
}

export async function updateAgent(
	client: BoardAccess,
	id: string,
	{ name, boardIds }: AgentChanges,
	{ signal }: Io,
) {
	const json = { name, board_ids: boardIds };
	const updated = await client.request({ method: 'PATCH', path: pathOf(id), json, signal });
	return withOwnNames(z.parse(agentShape, updated));
}

export async function revokeAgent(client: BoardAccess, id: string, { signal }: Io) {
	const revoked = await client.request({ method: 'DELETE', path: pathOf(id), signal });
	return withOwnNames(z.parse(agentShape, revoked));
}

function pathOf(id: string) {
	return `${path}/${encodeURIComponent(id)}`;
}

/** With the names that other records have. */
function withOwnNames<Wire extends z.infer<typeof agentShape>>(wire: Wire) {
	const { board_ids, created_at, last_seen_at, revoked_at, ...rest } = wire;
	const times = { createdAt: created_at, lastSeenAt: last_seen_at, revokedAt: revoked_at };
	return { ...rest, boardIds: board_ids, ...times };
}
