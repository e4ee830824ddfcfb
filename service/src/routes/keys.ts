// /v1/auth/keys: the account's own keys.
import { apiKeyIdPattern, apiKeyInput, apiKeyQuery, apiKeyRevocation } from 'board-access-contract';
import {
	alertOwner,
	createKeyWithin,
	findFamily,
	keyList,
	listKeys,
	newKeyAlert,
	noSuchKey,
	pageRequest,
	replaceUnusedKey,
	requireConfirmation,
	requirePaidTier,
	revokeKey,
} from 'board-access-core';
import type { ServiceApp } from '../http/environment.ts';
import { once, requestOf } from '../http/idempotency.ts';
import { noQuery, readBody, readId, readQuery } from '../http/read.ts';
import { respond, respondOnce } from '../http/respond.ts';
import type { Parts } from '../parts.ts';

export function keyRoutes(
	app: ServiceApp,
	{ database, settings, authenticate, limits, lastUsed, mail }: Parts,
) {
	app.get('/v1/auth/keys', async (c) => {
		const { accountId } = await authenticate(c);
		const query = readQuery(c, apiKeyQuery);
		const filter = { accountId, includeRevoked: query.include_revoked === 'true' };
		const page = pageRequest(keyList(filter), query);
		return respond(c, await listKeys(database.query, filter, page));
	});

	app.post('/v1/auth/keys', async (c) => {
		const caller = await authenticate(c);
		requireConfirmation(caller);
		readQuery(c, noQuery);
		const input = await readBody(c, apiKeyInput, { emptyAs: {} });
		const { accountId, keyId: createdBy, sessionId } = caller;
		const owner = { accountId, createdBy };
		await requirePaidTier(database.query, accountId, settings.webUrl);
		const { label, scope, expires_at: expiresAt } = input;
		const newKey = { ...owner, sessionId, label, scope, expiresAt };
		const created = await once(database, {
			...requestOf(c, { accountId, input }),
			create: (db) => createKeyWithin(db, newKey, settings.keysPerAccount),
			replay: (db, id) => replaceUnusedKey(db, { ...owner, id, used: lastUsed.holds(id) }),
		});
		alertOwner({ database, mail, settings }, accountId, newKeyAlert(created.result));
		return respondOnce(c, created);
	});

	app.delete('/v1/auth/keys/:id', async (c) => {
		const { accountId } = await authenticate(c);
		const { created } = readQuery(c, apiKeyRevocation);
		const id = readId(c);
		if (!apiKeyIdPattern.test(id)) throw noSuchKey();
		const key = { accountId, id };
		const find = () => findFamily(database.reader, key);
		const family = created === 'true' ? await limits.findFamily(accountId, find) : undefined;
		const revoked = await revokeKey(database.query, key, family);
		if (!revoked) throw noSuchKey();
		return respond(c, revoked);
	});
}
