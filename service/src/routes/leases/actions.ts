// /v1/leases/{lease_id}/actions: what the user does with the board.

import { leaseActionInput, leaseActionQuery, listQuery } from 'board-access-contract';
import { listActions, requestAction, waitForAction } from 'board-access-core';
import { agentHeaders, authorizeLease } from 'board-access-http/authorize-lease';
import type { ServiceApp } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { noQuery, readBody, readQuery } from 'board-access-http/read';
import { respond, respondOnce } from 'board-access-http/respond';
import type { Services } from '../../services.ts';

export function leaseActionRoutes(app: ServiceApp, needs: Services) {
	const { database, authenticate } = needs;

	app.get('/v1/leases/:id/actions', async (c) => {
		const caller = await authenticate(c);
		const leaseId = c.req.param('id');
		const query = readQuery(c, listQuery);
		const { seesColleagues } = await authorizeLease(c, needs, caller, 'look');
		return respond(c, await listActions(database.query, { leaseId, seesColleagues }, query));
	});

	app.post('/v1/leases/:id/actions', async (c) => {
		const caller = await authenticate(c);
		readQuery(c, noQuery);
		const input = await readBody(c, leaseActionInput);
		const claim = claimOf(c, { accountId: caller.accountId, input });
		const action = { leaseId: c.req.param('id'), input };
		return respondOnce(c, await requestAction(needs, caller, action, claim), 202);
	});

	app.get('/v1/leases/:id/actions/:action_id', async (c) => {
		const caller = await authenticate(c);
		const query = readQuery(c, leaseActionQuery);
		const { lease, seesColleagues } = await authorizeLease(c, needs, caller, 'look');
		const wanted = { leaseId: lease.id, seesColleagues, actionId: c.req.param('action_id') };
		const milliseconds = Number(query.wait ?? 0) * 1000;
		const { signal } = c.req.raw;
		const read = () => waitForAction(needs, wanted, { milliseconds, signal });
		const action = await (milliseconds > 0 ? caller.wait(read) : read());
		const headers = action.ended_at === null ? await agentHeaders(needs, lease) : {};
		return respond(c, action, { headers });
	});
}
