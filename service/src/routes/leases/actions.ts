// /v1/leases/{lease_id}/actions: what the user does with the board.

import { leaseActionInput, leaseActionQuery, listQuery } from 'board-access-contract';
import {
	accessTo,
	actionList,
	agentHeaders,
	announceLease,
	createAction,
	findAction,
	inTransaction,
	isInGrace,
	listActions,
	lockLease,
	pageRequest,
	requireActive,
	startMinutes,
	timeIn,
	waitUntil,
} from 'board-access-core';
import type { ServiceApp } from '../../http/environment.ts';
import { changeOf, once } from '../../http/idempotency.ts';
import { noQuery, readBody, readQuery } from '../../http/read.ts';
import { respond, respondOnce } from '../../http/respond.ts';
import type { Parts } from '../../parts.ts';
import { authorizeLease } from './sharing.ts';

export function leaseActionRoutes(app: ServiceApp, needs: Parts) {
	const { database, authenticate, wake } = needs;

	app.get('/v1/leases/:id/actions', async (c) => {
		const caller = await authenticate(c);
		const leaseId = c.req.param('id');
		const page = pageRequest(actionList(leaseId), readQuery(c, listQuery));
		const { seesColleagues } = await authorizeLease(c, database.query, caller, 'look');
		return respond(c, await listActions(database.query, { leaseId, seesColleagues }, page));
	});

	app.post('/v1/leases/:id/actions', async (c) => {
		const caller = await authenticate(c);
		readQuery(c, noQuery);
		const input = await readBody(c, leaseActionInput);
		const leaseId = c.req.param('id');
		const needed = input.action === 'reset' ? 'type' : 'hold';
		const found = await authorizeLease(c, database.query, caller, needed);
		const { lease, owned, seesColleagues, sharedAs: requestedBy } = found;
		const requested = await once(database, {
			...changeOf(c, { accountId: caller.accountId, input }),
			create: (db) =>
				inTransaction(db, async (db) => {
					// Locked, so that actions are numbered in order and none is added after the lease ends.
					const locked = (await lockLease(db, leaseId)) ?? lease;
					requireActive(locked);
					// It may no longer be shared.
					if (requestedBy) await accessTo(db, { ...caller, id: leaseId }, needed);
					return createAction(db, { leaseId, seesColleagues, requestedBy, input });
				}),
			replay: (db, actionId) => findAction(db, { leaseId, seesColleagues, actionId }),
		});
		if (isInGrace(lease, timeIn(database.query))) await startMinutes(needs, owned);
		if (!requested.replayed) announceLease(wake, lease);
		return respondOnce(c, requested, 202);
	});

	app.get('/v1/leases/:id/actions/:action_id', async (c) => {
		const caller = await authenticate(c);
		const query = readQuery(c, leaseActionQuery);
		const leaseId = c.req.param('id');
		const actionId = c.req.param('action_id');
		const { lease, seesColleagues } = await authorizeLease(c, database.query, caller, 'look');
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
		const headers = action.ended_at === null ? await agentHeaders(database.query, lease) : {};
		return respond(c, action, { headers });
	});
}
