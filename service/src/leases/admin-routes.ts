// /v1/admin/leases: the leases of every account.
import { leaseListQuery } from 'board-access-contract';
import { pageRequest } from '../database/pagination.ts';
import { authenticateAdmin } from '../http/authenticate.ts';
import type { ServiceApp } from '../http/environment.ts';
import { noQuery, readQuery } from '../http/read.ts';
import { respond } from '../http/respond.ts';
import type { Parts } from '../parts.ts';
import { announceLease } from './changes.ts';
import { endLeaseAsAdmin } from './ending/release.ts';
import { grantSoon } from './queue/grant.ts';
import { leaseRecord } from './record.ts';
import { leaseList, listLeases } from './store.ts';

export function adminLeaseRoutes(app: ServiceApp, needs: Parts) {
	const { database, authenticate, wake } = needs;

	app.get('/v1/admin/leases', async (c) => {
		await authenticateAdmin(c, authenticate);
		const query = readQuery(c, leaseListQuery);
		const filter = { status: query.status };
		const page = pageRequest(leaseList(filter), query);
		return respond(c, await listLeases(database.query, filter, page));
	});

	app.delete('/v1/admin/leases/:id', async (c) => {
		await authenticateAdmin(c, authenticate);
		readQuery(c, noQuery);
		const lease = await endLeaseAsAdmin(database.query, c.req.param('id'));
		announceLease(wake, lease);
		await grantSoon(needs);
		return respond(c, {
			...leaseRecord(lease, { time: database.clock.now() }),
			account_id: lease.account_id,
		});
	});
}
