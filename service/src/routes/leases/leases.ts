// /v1/leases: the leases of the account that asks. /v1/admin/leases: those of every account.
import { leaseInput, leaseListQuery, leaseQuery, leaseRenewal } from 'board-access-contract';
import {
	createLease,
	endLease,
	listLeases,
	readableLease,
	releaseLease,
	renewLease,
	waitForLease,
} from 'board-access-core';
import { authenticateAdmin } from 'board-access-http/authenticate';
import { authorizeLease } from 'board-access-http/authorize-lease';
import type { ServiceApp } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { noQuery, readBody, readQuery } from 'board-access-http/read';
import { respond, respondOnce } from 'board-access-http/respond';
import { respondWithPage } from 'board-access-http/tagged-page';
import type { Services } from '../../services.ts';
import { createLeasePages } from './pages.ts';

export function leaseRoutes(app: ServiceApp, needs: Services) {
	const { database, authenticate, stopping } = needs;
	const readList = createLeasePages(needs);

	app.post('/v1/leases', async (c) => {
		const caller = await authenticate(c);
		readQuery(c, noQuery);
		const input = await readBody(c, leaseInput);
		const claim = claimOf(c, { accountId: caller.accountId, input });
		return respondOnce(c, await createLease(needs, caller, input, claim));
	});

	app.get('/v1/leases', async (c) => {
		const { accountId, wait } = await authenticate(c);
		return respondWithPage(c, { ...(await readList(c, accountId)), wait, stopping });
	});

	app.get('/v1/leases/:id', async (c) => {
		const caller = await authenticate(c);
		const { status, ...query } = readQuery(c, leaseQuery);
		const milliseconds = Number(query.wait ?? 0) * 1000;
		const { lease, owned, access } = await authorizeLease(c, needs, caller, 'look');
		const { signal } = c.req.raw;
		const read = () => waitForLease(needs, { ...owned, status, milliseconds, signal });
		const found = milliseconds > 0 ? await caller.wait(read) : lease;
		return respond(c, await readableLease(database.query, found, access));
	});

	app.post('/v1/leases/:id/renew', async (c) => {
		const caller = await authenticate(c);
		readQuery(c, noQuery);
		const { minutes } = await readBody(c, leaseRenewal);
		const claim = claimOf(c, { accountId: caller.accountId, input: { minutes } });
		const renewal = { id: c.req.param('id'), minutes };
		return respondOnce(c, await renewLease(needs, caller, renewal, claim), 200);
	});

	app.delete('/v1/leases/:id', async (c) => {
		const caller = await authenticate(c);
		readQuery(c, noQuery);
		return respond(c, await releaseLease(needs, caller, c.req.param('id')));
	});

	app.get('/v1/admin/leases', async (c) => {
		const { accountId } = await authenticateAdmin(c, authenticate);
		const query = readQuery(c, leaseListQuery);
		const filter = { accountId, of: 'all', status: query.status } as const;
		return respond(c, await listLeases(database.query, filter, query));
	});

	app.delete('/v1/admin/leases/:id', async (c) => {
		const caller = await authenticateAdmin(c, authenticate);
		readQuery(c, noQuery);
		return respond(c, await endLease(needs, caller, c.req.param('id')));
	});
}
