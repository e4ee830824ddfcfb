// /v1/leases: the leases of the account that asks. /v1/admin/leases: those of every account.
import { leaseInput, leaseListQuery, leaseQuery, leaseRenewal } from 'board-access-contract';
import {
	type Access,
	createLease,
	endLeaseAsAdmin,
	findLease,
	type LeaseRow,
	latestEnd,
	leaseList,
	listLeases,
	type Owned,
	pageRequest,
	type Renewal,
	readableLease,
	releaseLease,
	renewLease,
	waitForLease,
} from 'board-access-core';
import { authenticateAdmin } from '../../http/authenticate.ts';
import type { ServiceApp } from '../../http/environment.ts';
import { changeOf, once, requestOf } from '../../http/idempotency.ts';
import { noQuery, readBody, readQuery } from '../../http/read.ts';
import { afterChange, respond, respondOnce } from '../../http/respond.ts';
import { respondWithPage } from '../../http/tagged-page.ts';
import type { Parts } from '../../parts.ts';
import { createLeasePages } from './pages.ts';
import { authorizeLease } from './sharing.ts';

export function leaseRoutes(app: ServiceApp, needs: Parts) {
	const { database, settings, authenticate, stopping } = needs;
	const readList = createLeasePages(needs);
	const readable = (lease: LeaseRow, access?: Access) =>
		readableLease(database.query, lease, access);

	app.post('/v1/leases', async (c) => {
		const holder = await authenticate(c);
		const { accountId } = holder;
		readQuery(c, noQuery);
		const input = await readBody(c, leaseInput);
		const { result, replayed } = await once(database, {
			...requestOf(c, { accountId, input }),
			create: (_db, claim) => createLease(needs, { holder, input }, claim),
			claims: true,
			replay: (db, id) => findLease(db, { accountId, id }),
		});
		return respondOnce(c, { result: await afterChange(readable(result)), replayed });
	});

	app.get('/v1/leases', async (c) => {
		const { accountId, wait } = await authenticate(c);
		return respondWithPage(c, { ...(await readList(c, accountId)), wait, stopping });
	});

	app.get('/v1/leases/:id', async (c) => {
		const caller = await authenticate(c);
		const { status, ...query } = readQuery(c, leaseQuery);
		const milliseconds = Number(query.wait ?? 0) * 1000;
		const { lease, owned, access } = await authorizeLease(c, database.query, caller, 'look');
		const { signal } = c.req.raw;
		const read = () => waitForLease(needs, { ...owned, status, milliseconds, signal });
		const found = milliseconds > 0 ? await caller.wait(read) : lease;
		return respond(c, await readable(found, access));
	});

	app.post('/v1/leases/:id/renew', async (c) => {
		const caller = await authenticate(c);
		readQuery(c, noQuery);
		const { minutes } = await readBody(c, leaseRenewal);
		const { owned } = await authorizeLease(c, database.query, caller, 'hold');
		const change = changeOf(c, { accountId: caller.accountId, input: { minutes } });
		const { result, replayed } = await renewOnce(needs, change, { ...owned, minutes });
		const renewed = {
			...(await afterChange(readable(result))),
			latest_expires_at: latestEnd(result, settings),
		};
		return respondOnce(c, { result: renewed, replayed }, 200);
	});

	app.delete('/v1/leases/:id', async (c) => {
		const caller = await authenticate(c);
		readQuery(c, noQuery);
		const { owned } = await authorizeLease(c, database.query, caller, 'hold');
		const lease = await releaseLease(needs, owned);
		return respond(c, await afterChange(readable(lease)));
	});

	app.get('/v1/admin/leases', async (c) => {
		const { accountId } = await authenticateAdmin(c, authenticate);
		const query = readQuery(c, leaseListQuery);
		const filter = { accountId, of: 'all', status: query.status } as const;
		const page = pageRequest(leaseList(filter), query);
		return respond(c, await listLeases(database.query, filter, page));
	});

	app.delete('/v1/admin/leases/:id', async (c) => {
		const { accountId } = await authenticateAdmin(c, authenticate);
		readQuery(c, noQuery);
		const lease = await endLeaseAsAdmin(needs, c.req.param('id'));
		const access = lease.account_id === accountId ? 'hold' : 'look';
		return respond(c, { ...(await readable(lease, access)), account_id: lease.account_id });
	});
}

/** Renews a lease as one change; a repeated request reads the lease. */
export function renewOnce(
	needs: Parts,
	change: ReturnType<typeof changeOf>,
	renewal: Owned & Renewal,
) {
	return once(needs.database, {
		...change,
		create: (_db, claim) => renewLease(needs, renewal, claim),
		claims: true,
		replay: (db) => findLease(db, renewal),
	});
}
