// Links that work once: to set a password, accept an invitation, or verify an address. The token of a browser between
// password and code works in the same way.
import { hash, randomBytes } from 'node:crypto';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import type { AccountLinkRow, Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

type LinkKind = AccountLinkRow['kind'];

export const linkMinutes: Record<LinkKind, number> = {
	reset: 60,
	invite: 7 * 24 * 60,
	verify: 24 * 60,
	'log-in': 10,
};

/** Returns the token of the link, of which only the SHA-256 is stored. */
export async function createLink(db: Db, { kind, email }: Pick<AccountLinkRow, 'kind' | 'email'>) {
	const token = randomBytes(24).toString('hex');
	const expires_at = timeIn(db, linkMinutes[kind] * 60_000);
	const link = { hash: hash('sha256', token), kind, email: email.toLowerCase() };
	await db
		.insertInto('account_links')
		.values({ ...link, expires_at })
		.execute();
	return token;
}

/** Finds a link without using it up, because mail programs open links too. */
export function findLink(
	{ database: { query } }: Core,
	token: string,
	kinds: readonly LinkKind[] = ['reset', 'invite'],
) {
	return query
		.selectFrom('account_links')
		.select(['kind', 'email'])
		.where('hash', '=', hash('sha256', token))
		.where('kind', 'in', kinds)
		.where('expires_at', '>', timeIn(query))
		.executeTakeFirstOrThrow(linkOver);
}

/**
 * Finds a link that verifies an address, which works only in its own account: somebody may have signed up with the
 * address of another person, who must not verify it for them.
 */
export async function requireOwnLink(core: Core, { email }: { email: string }, token: string) {
	const link = await findLink(core, token, ['verify']);
	if (link.email === email) return;
	throw new ApiError('not_found', 'This link belongs to another account.', {
		hint: 'Log in to the account whose address it verifies, or choose a new password for it.',
	});
}

export async function deleteLinks(db: Db, emails: readonly string[], kinds?: readonly LinkKind[]) {
	const links = db.deleteFrom('account_links').where('email', 'in', emails);
	await (kinds ? links.where('kind', 'in', kinds) : links).execute();
}

export function deleteOldLinks(db: Db) {
	return db.deleteFrom('account_links').where('expires_at', '<', timeIn(db)).execute();
}

/** Uses a link up. Of several requests, only one succeeds. */
export async function takeLink(transaction: Db, token: string) {
	const { numDeletedRows } = await transaction
		.deleteFrom('account_links')
		.where('hash', '=', hash('sha256', token))
		.executeTakeFirstOrThrow();
	if (numDeletedRows === 0n) throw linkOver();
}

export function linkOver() {
	return new ApiError('not_found', 'This link has expired or was already used.', {
		hint: 'Ask for a new one.',
	});
}
