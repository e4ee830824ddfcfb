// The keys of an account, as their owner creates them.
import type { apiKeyInput } from 'board-access-contract';
import type * as z from 'zod/mini';
import { alertOwner } from '../accounts/mail/alert.ts';
import { newKeyAlert } from '../accounts/mail/messages.ts';
import { type Claim, once } from '../claims.ts';
import type { Caller, Core } from '../core.ts';
import { requirePaidTier } from '../credits/tier.ts';
import { issueKeyWithin, replaceUnusedKey } from './store.ts';

/** A key with its secret; only its identifier for a form that has shown the secret before. */
type CreatedKey = { id: string } & Partial<Awaited<ReturnType<typeof issueKeyWithin>>>;

export async function createKey(
	core: Core,
	{ accountId, keyId: createdBy, sessionId }: Caller,
	{ label, scope, expires_at: expiresAt }: z.output<typeof apiKeyInput>,
	claim?: Claim,
) {
	const { database, settings, lastUsed } = core;
	await requirePaidTier(database.query, accountId, settings.webUrl);
	const wanted = { accountId, createdBy, sessionId, label, scope, expiresAt };
	const created = await once<CreatedKey>(core, claim, {
		create: (db) => issueKeyWithin(db, wanted, settings.keysPerAccount),
		replay: async (db, id) =>
			claim?.isForm
				? { id }
				: replaceUnusedKey(db, { accountId, createdBy, id, used: lastUsed.holds(id) }),
	});
	const { hint, label: name = null } = created.result;
	if (hint) alertOwner(core, accountId, newKeyAlert({ label: name, hint }));
	return created;
}
