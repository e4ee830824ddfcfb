// /v1/admin/agents: the agents that drive boards, and their tokens.

import { agentInput, agentUpdate } from 'board-access-contract';
import { createAgent, findAgent, listAgents, revokeAgent, updateAgent } from 'board-access-core';
import { readAdminRequest } from 'board-access-http/authenticate';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import { readBody } from 'board-access-http/read';
import { respond } from 'board-access-http/respond';
import type { Services } from '../services.ts';

/** The IDs of all boards of an agent. */
const most = 256 * 1024;

export function agentRoutes(app: ServiceApp, core: Services) {
	const { database, authenticate } = core;
	const admin = (c: ServiceContext) => readAdminRequest(c, authenticate);

	app.get('/v1/admin/agents', async (c) => {
		await admin(c);
		return respond(c, { data: await listAgents(database.query), next_cursor: null });
	});

	app.post('/v1/admin/agents', async (c) => {
		await admin(c);
		const { result } = await createAgent(core, await readBody(c, agentInput, { most }));
		return respond(c, result, { status: 201 });
	});

	app.get('/v1/admin/agents/:id', async (c) => {
		const { id } = await admin(c);
		return respond(c, await findAgent(database.query, id));
	});

	app.patch('/v1/admin/agents/:id', async (c) => {
		const { id } = await admin(c);
		return respond(c, await updateAgent(core, id, await readBody(c, agentUpdate, { most })));
	});

	app.delete('/v1/admin/agents/:id', async (c) => {
		const { id } = await admin(c);
		return respond(c, await revokeAgent(core, id));
	});
}
