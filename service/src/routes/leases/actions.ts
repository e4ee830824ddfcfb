// /v1/leases/{lease_id}/actions: what the user does with the board.

import { leaseActionInput, leaseActionQuery, listQuery } from 'board-access-contract';
import { findAction, listActions, requestAction, waitUntil } from 'board-access-core';
import { agentHeaders, authorizeLease } from 'board-access-http/authorize-lease';
import type { ServiceApp } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { noQuery, readBody, readQuery } from 'board-access-http/read';
import { respond, respondOnce } from 'board-access-http/respond';
import type { Parts } from '../../parts.ts';

export function leaseActionRoutes(app: ServiceApp, needs: Parts) {
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
		const leaseId = c.req.param('id');
		const actionId = c.req.param('action_id');
		const { lease, seesColleagues } = await authorizeLease(c, needs, caller, 'look');
		const milliseconds = Number(query.wait ?? 0) * 1000;
		// The action when it has ended, or unchanged when the time is up.
		const read = () =>
			waitUntil(needs, {
				leaseId,
				milliseconds,
				signal: c.req.raw.signal,
				read: () => findAction(database.query, { leaseId, seesColleagues, actionId }),
				isOver: ({ ended_at }) => ended_at !== null,
			});
		const action = await (milliseconds > 0 ? caller.wait(read) : read());
		const headers = action.ended_at === null ? await agentHeaders(needs, lease) : {};
		return respond(c, action, { headers });
	});
}
