// /v1/leases: the leases of the account that asks. /v1/admin/leases: those of every account.
import { leaseInput, leaseListQuery, leaseQuery, leaseRenewal } from 'board-access-contract';
import { pageRequest } from '../database/pagination.ts';
import type { LeaseRow } from '../database/schema.ts';
import { authenticateAdmin } from '../http/authenticate.ts';
import type { ServiceApp } from '../http/environment.ts';
import { changeOf, once, requestOf } from '../http/idempotency.ts';
import { noQuery, readBody, readQuery } from '../http/read.ts';
import { afterChange, respond, respondOnce } from '../http/respond.ts';
import { respondWithPage } from '../http/tagged-page.ts';
import type { Parts } from '../parts.ts';
import { announceLease } from './changes.ts';
import { endLeaseAsAdmin, releaseLease } from './ending/release.ts';
import { createLeasePages } from './pages.ts';
import { createLease } from './queue/create.ts';
import { grantSoon } from './queue/grant.ts';
import { latestEnd, type Renewal, renewLease } from './renew.ts';
import type { Access } from './sharing/access.ts';
import { authorizeLease } from './sharing/routes.ts';
import { findLease, leaseList, listLeases, readableLease } from './store.ts';
import { waitForLease } from './wait.ts';

export function leaseRoutes(app: ServiceApp, needs: Parts) {
	const { database, settings, authenticate, wake, stopping } = needs;
	const readList = createLeasePages(needs);
	const readable = (lease: LeaseRow, access?: Access) =>
		readableLease(database.query, lease, access);

	app.post('/v1/leases', async (c) => {
		const { accountId, keyId } = await authenticate(c);
		readQuery(c, noQuery);
		const input = await readBody(c, leaseInput);
		const { result, replayed } = await once(database, {
			...requestOf(c, { accountId, input }),
			create: (db, claim) => createLease(db, { accountId, keyId, input }, settings, claim),
			claims: true,
			replay: (db, id) => findLease(db, { accountId, id }),
		});
		if (!replayed) announceLease(wake, result);
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
		const lease = await releaseLease(database.query, owned);
		announceLease(wake, lease);
		await grantSoon(needs, lease);
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
		const lease = await endLeaseAsAdmin(database.query, c.req.param('id'));
		announceLease(wake, lease);
		await grantSoon(needs, lease);
		const access = lease.account_id === accountId ? 'hold' : 'look';
		return respond(c, { ...(await readable(lease, access)), account_id: lease.account_id });
	});
}

/** Renews a lease as one change, and announces it; a repeated request reads the lease. */
export async function renewOnce(
	{ database, settings, wake }: Pick<Parts, 'database' | 'settings' | 'wake'>,
	change: ReturnType<typeof changeOf>,
	renewal: Renewal,
) {
	const renewed = await once(database, {
		...change,
		create: (db, claim) => renewLease(db, renewal, settings, claim),
		claims: true,
		replay: (db) => findLease(db, renewal),
	});
	if (!renewed.replayed) announceLease(wake, renewed.result);
	return renewed;
}
