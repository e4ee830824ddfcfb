// /v1/auth/keys: the account's own keys.
import { apiKeyInput, apiKeyQuery, apiKeyRevocation } from 'board-access-contract';
import { createKey, findFamily, listKeys, requireConfirmation, revokeKey } from 'board-access-core';
import type { ServiceApp } from 'board-access-http/environment';
import { claimOf } from 'board-access-http/idempotency';
import { noQuery, readBody, readId, readQuery } from 'board-access-http/read';
import { respond, respondOnce } from 'board-access-http/respond';
import type { Services } from '../services.ts';

export function keyRoutes(app: ServiceApp, core: Services) {
	const { database, authenticate, limits } = core;
	app.get('/v1/auth/keys', async (c) => {
		const { accountId } = await authenticate(c);
		const query = readQuery(c, apiKeyQuery);
		const filter = { accountId, includeRevoked: query.include_revoked === 'true' };
		return respond(c, await listKeys(database.query, filter, query));
	});

	app.post('/v1/auth/keys', async (c) => {
		const caller = await authenticate(c);
		requireConfirmation(caller);
		readQuery(c, noQuery);
		const input = await readBody(c, apiKeyInput, { emptyAs: {} });
		const claim = claimOf(c, { accountId: caller.accountId, input });
		return respondOnce(c, await createKey(core, caller, input, claim));
	});

	app.delete('/v1/auth/keys/:id', async (c) => {
		const { accountId } = await authenticate(c);
		const { created } = readQuery(c, apiKeyRevocation);
		const key = { accountId, id: readId(c) };
		const find = () => findFamily(database.reader, key);
		const family = created === 'true' ? await limits.findFamily(accountId, find) : undefined;
		return respond(c, await revokeKey(database.query, key, family));
	});
}
