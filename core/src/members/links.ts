// Links that work once: to set a new password, to accept an invitation, to verify an address. Of the
// same kind is what a browser holds between the password and the code of a log-in.

import { hash, randomBytes } from 'node:crypto';
import { checkNextPassword } from '../accounts/credentials.ts';
import { hashPassword } from '../accounts/password-hash.ts';
import { deleteDevices } from '../accounts/sessions/devices.ts';
import { deleteSessions } from '../accounts/sessions/sessions.ts';
import { insertAccount, isProven } from '../accounts/store.ts';
import { record } from '../activity/record.ts';
import { timeIn } from '../database/clock.ts';
import type { AccountLinkRow, Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { noEvents } from '../leases/events.ts';
import { takeOver } from './takeover.ts';

type LinkKind = AccountLinkRow['kind'];

/** For how many minutes each kind works. */
const lifetimes: Record<LinkKind, number> = {
	reset: 60,
	invite: 7 * 24 * 60,
	verify: 24 * 60,
	email: 60,
	'log-in': 10,
};

/** Creates a link and returns its token, of which only the SHA-256 is stored. */
export function createLink(db: Db, kind: LinkKind, email: string) {
	return insertLink(db, { kind, email: email.toLowerCase(), new_email: null });
}

/** Creates a link that changes the address of an account, and returns its token. */
export function createEmailLink(db: Db, change: Record<'email' | 'new_email', string>) {
	return insertLink(db, { kind: 'email', ...change });
}

async function insertLink(db: Db, link: Pick<AccountLinkRow, 'kind' | 'email' | 'new_email'>) {
	const token = randomBytes(24).toString('hex');
	const expires_at = timeIn(db, lifetimes[link.kind] * 60_000);
	await db
		.insertInto('account_links')
		.values({ hash: hash('sha256', token), ...link, expires_at })
		.execute();
	return token;
}

/** The page on which a person chooses a password with the token. */
export function passwordLink(webUrl: string, token: string) {
	return `${webUrl}/password?token=${token}`;
}

/**
 * The link of a token, by default one with which a person chooses a password. Reading it does not use it,
 * since mail programs open links too.
 */
export function findLink(db: Db, token: string, kinds: readonly LinkKind[] = ['reset', 'invite']) {
	return db
		.selectFrom('account_links')
		.select(['kind', 'email', 'new_email'])
		.where('hash', '=', hash('sha256', token))
		.where('kind', 'in', kinds)
		.where('expires_at', '>', timeIn(db))
		.executeTakeFirstOrThrow(linkOver);
}

/**
 * Sets the password of the account that the link is for, or creates the account of an invitation. Returns the
 * leases that ended because somebody else may have had the account.
 */
export async function useLink(db: Db, { token, password }: { token: string; password: string }) {
	const { email, kind } = await findLink(db, token);
	await checkNextPassword({ email, password }, 'password');
	const password_hash = await hashPassword(password);
	return inTransaction(db, async (transaction) => {
		await takeLink(transaction, token);
		const isReset = kind === 'reset';
		const ended = isReset ? await replacePassword(transaction, email, password_hash) : noEvents;
		if (!isReset) await insertAccount(transaction, { email, verified: true, password_hash });
		// Other links to this address must not change the password again.
		await transaction.deleteFrom('account_links').where('email', '=', email).execute();
		return ended;
	});
}

const ownHints = {
	// Someone may have signed up with the address of another person, who must not verify it for them.
	verify: 'Log in to the account whose address it verifies, or choose a new password for it.',
	// The owner of an account may have typed the address of another person by mistake.
	email: 'Log in to the account whose address it changes.',
};

/** A link that works only in the account that it is for. */
export async function findOwnLink(
	db: Db,
	{ email }: { email: string },
	{ token, kind }: { token: string; kind: keyof typeof ownHints },
) {
	const link = await findLink(db, token, [kind]);
	if (link.email === email) return link;
	throw new ApiError('not_found', 'This link belongs to another account.', {
		hint: ownHints[kind],
	});
}

/** Records that the address of a link for it is verified. */
export async function verifyAddress(db: Db, owner: { email: string }, token: string) {
	const { email } = await findOwnLink(db, owner, { token, kind: 'verify' });
	await inTransaction(db, async (transaction) => {
		await takeLink(transaction, token);
		const account = await markVerified(transaction, email);
		if (account) await record(transaction, { kind: 'account.verified', accountId: account.id });
	});
}

/** Deletes the links that have expired. */
export function deleteOldLinks(db: Db) {
	return db.deleteFrom('account_links').where('expires_at', '<', timeIn(db)).execute();
}

/** Replaces the password of an account, and ends its sessions. */
export async function setPassword(transaction: Db, accountId: string, password_hash: string) {
	await transaction
		.updateTable('credentials')
		.set({ password_hash })
		.where('account_id', '=', accountId)
		.execute();
	await deleteSessions(transaction, accountId);
}

/** Uses a link up. Of several requests at once, one deletes the row. */
export async function takeLink(transaction: Db, token: string) {
	const { numDeletedRows } = await transaction
		.deleteFrom('account_links')
		.where('hash', '=', hash('sha256', token))
		.executeTakeFirstOrThrow();
	if (numDeletedRows === 0n) throw linkOver();
}

async function replacePassword(transaction: Db, email: string, password_hash: string) {
	const account = await transaction
		.selectFrom('accounts')
		.select(['id', 'verified_at', 'vouched'])
		.where('email', '=', email)
		.executeTakeFirstOrThrow(linkOver);
	const untouched = { ended: noEvents, details: {} };
	const taken = isProven(account) ? untouched : await takeOver(transaction, account.id);
	await markVerified(transaction, email);
	await setPassword(transaction, account.id, password_hash);
	await deleteDevices(transaction, account.id);
	const { ended, details } = taken;
	await record(transaction, { kind: 'password.reset', accountId: account.id, details });
	return ended;
}

function markVerified(transaction: Db, email: string) {
	return transaction
		.updateTable('accounts')
		.set({ verified_at: timeIn(transaction), vouched: 0 })
		.where('email', '=', email)
		.returning('id')
		.executeTakeFirst();
}

function linkOver() {
	return new ApiError('not_found', 'This link has expired or was already used.', {
		hint: 'Ask for a new one.',
	});
}
