import { alertOwner, newKeyAlert } from '../accounts/mail/messages.ts';
import { once } from '../claims.ts';
import { creditsOf, isPaidTier, requirePaidTier } from '../credits/holds.ts';
import type { Command } from '../gate.ts';
import { invalid } from '../validation.ts';
import { findKey, issueKeyWithin, replaceUnusedKey } from './store.ts';

type CreatedKey = Awaited<ReturnType<typeof issueKeyWithin>>;

export const createKey: Command<'createKey'> = async (core, caller, { input, claim }) => {
	const { accountId, keyId: createdBy, sessionId } = caller;
	const { label, scope, expires_at: expiresAt, credit_limit: creditLimit } = input;
	const { database, settings, lastUsed } = core;
	await requirePaidTier(database.query, accountId, settings.webUrl);
	if (creditLimit != null && scope !== 'boards') {
		const message = 'needs the scope boards: other keys can create keys without a limit';
		throw invalid([{ path: 'credit_limit', message }]);
	}
	const wanted = { accountId, createdBy, sessionId, label, scope, expiresAt, creditLimit };
	// A form that has shown the secret before gets only the identifier.
	const created = await once<{ id: string } & Partial<CreatedKey>>(core, claim, {
		create: (db) => issueKeyWithin(db, wanted, settings.keysPerAccount),
		replay: async (db, id) =>
			claim?.isForm
				? { id }
				: replaceUnusedKey(db, { accountId, createdBy, id, used: lastUsed.holds(id) }),
	});
	const { hint, label: name = null } = created.result;
	if (hint) alertOwner(core, accountId, newKeyAlert({ label: name, hint }));
	return { ...created, result: created.result as CreatedKey }; // only a form gets it without its secret
};

/** The account, and the key by which it is asked for. */
export const readAccount: Command<'getAccount'> = async ({ database }, { accountId, keyId }) => {
	const { query } = database;
	const { role, balance, held_credits } = await creditsOf(query, accountId);
	const tier = (await isPaidTier(query, accountId)) ? 'paid' : 'free';
	const key = keyId ? await findKey(query, { accountId, id: keyId }) : null;
	return { id: accountId, role, tier, balance, held_credits, key };
};
