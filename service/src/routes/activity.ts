// /v1/activity: what an account did and what was done to it; /v1/admin/activity: everything.
import { activityQuery } from 'board-access-contract';
import { asActor, listActivity, type Settings } from 'board-access-core';
import { exactAddress } from 'board-access-http/address';
import { authenticateAdmin } from 'board-access-http/authenticate';
import type { ServiceApp } from 'board-access-http/environment';
import { readQuery } from 'board-access-http/read';
import { respond } from 'board-access-http/respond';
import * as z from 'zod/mini';
import type { Services } from '../services.ts';

/** Remembers where a request comes from; the credentials later add who sent it. */
export function rememberActors(app: ServiceApp, settings: Settings) {
	app.use((c, next) => asActor({ via: 'visitor', address: exactAddress(c, settings) }, next));
}

/** Like that of administrators, for the own account. */
export const ownActivityQuery = z.omit(activityQuery, { account_id: true });

export function activityRoutes(app: ServiceApp, { database, authenticate }: Services) {
	app.get('/v1/activity', async (c) => {
		const { accountId } = await authenticate(c);
		const query = readQuery(c, ownActivityQuery);
		const filter = { accountId, kind: query.kind, own: true };
		return respond(c, await listActivity(database.query, filter, query));
	});

	app.get('/v1/admin/activity', async (c) => {
		await authenticateAdmin(c, authenticate);
		const query = readQuery(c, activityQuery);
		const filter = { accountId: query.account_id, kind: query.kind };
		return respond(c, await listActivity(database.query, filter, query));
	});
}
