// /v1/account: whose credentials a request has, and how many credits are left.
import { creditsOf, findKeys, isPaidTier } from 'board-access-core';
import type { ServiceApp } from 'board-access-http/environment';
import { noQuery, readQuery } from 'board-access-http/read';
import { respond } from 'board-access-http/respond';
import type { Services } from '../services.ts';

export function accountRoutes(app: ServiceApp, { database: { query }, authenticate }: Services) {
	app.get('/v1/account', async (c) => {
		const { accountId, role, keyId } = await authenticate(c);
		readQuery(c, noQuery);
		const { balance, held_credits } = await creditsOf(query, accountId);
		const tier = (await isPaidTier(query, accountId)) ? 'paid' : 'free';
		const [key = null] = keyId ? await findKeys(query, { accountId, ids: [keyId] }) : [];
		return respond(c, { id: accountId, role, tier, balance, held_credits, key });
	});
}
