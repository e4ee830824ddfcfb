// The sessions of accounts, by the SHA-256 of a random token: opened, found, listed and ended.

import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { record } from '../../activity/record.ts';
import { timeIn } from '../../database/clock.ts';
import { newId } from '../../database/identifier.ts';
import type { Db, SessionRow } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import type { Account } from '../store.ts';

/** Sessions that an account can have; the oldest one ends for the next. */
export const sessionsPerAccount = 50;

const minute = 60_000;
const confirmedMinutes = 15;

/** An account with the session in which it is logged in. */
export interface Member extends Account {
	/** Whether a log-in needs a code of an authenticator app too. */
	twoFactor: boolean;
	sessionId: string;
	/** Whether the password was entered in this session within a quarter of an hour. */
	confirmed: boolean;
}

/** Opens a session, and ends the oldest ones of an account that has too many. */
export async function openSession(
	transaction: Db,
	{
		days,
		...visit
	}: Pick<SessionRow, 'account_id' | 'ip_address' | 'user_agent'> & { days: number },
) {
	const { account_id } = visit;
	const ids = { id: newId('ses'), token: newToken() };
	const [time, expires_at] = [timeIn(transaction), timeIn(transaction, days * 24 * 60 * minute)];
	const times = { expires_at, created_at: time, last_used_at: time, confirmed_at: time };
	await transaction
		.insertInto('sessions')
		.values({ id: ids.id, token_hash: hash('sha256', ids.token), ...visit, ...times })
		.execute();
	await sql`delete from sessions where account_id = ${account_id} and id not in (
		select id from sessions where account_id = ${account_id}
		order by created_at desc, id limit ${sessionsPerAccount})`.execute(transaction);
	return ids;
}

/** The account that is logged in by this token. */
export async function findMember(
	db: Db,
	token: string,
	idleMinutes: number,
): Promise<Member | undefined> {
	// What was never a token is not looked up.
	if (!tokenPattern.test(token)) return undefined;
	const found = await activeSessions(db, idleMinutes)
		.innerJoin('accounts', 'accounts.id', 'account_id')
		.select(['accounts.id', 'email', 'role', 'two_factor_at'])
		.select(['sessions.id as sessionId', 'last_used_at', 'confirmed_at'])
		.where('token_hash', '=', hash('sha256', token))
		.where('disabled_at', 'is', null)
		.executeTakeFirst();
	if (!found) return undefined;
	const { last_used_at, two_factor_at, confirmed_at, ...member } = found;
	recordUse(db, member.sessionId, last_used_at);
	const confirmed = confirmed_at > timeIn(db, -confirmedMinutes * minute);
	return { ...member, twoFactor: two_factor_at !== null, confirmed };
}

/** Records in the background that a session was used, at most once a minute. */
function recordUse(db: Db, id: string, lastUsedAt: string) {
	if (lastUsedAt > timeIn(db, -minute)) return;
	// A database that is away is reported by the request itself.
	db.updateTable('sessions')
		.set({ last_used_at: timeIn(db) })
		.where('id', '=', id)
		.where('last_used_at', '=', lastUsedAt)
		.execute()
		.catch(() => {});
}

/**
 * Records that the password was entered again, and returns a new token. Somebody who copied the one before
 * can no longer use it.
 */
export async function refreshSession(db: Db, id: string) {
	const token = newToken();
	const change = { token_hash: hash('sha256', token), confirmed_at: timeIn(db) };
	await db.updateTable('sessions').set(change).where('id', '=', id).execute();
	return token;
}

/** Rejects a session in which the password was not entered for a while. An API key needs no password. */
export function requireRecentPassword({ confirmed = true }: { confirmed?: boolean | undefined }) {
	if (confirmed) return;
	throw new ApiError('password_required', 'Enter your password again to do this.', {
		hint: 'Log in again, or use an API key.',
	});
}

export function listSessions(db: Db, accountId: string, idleMinutes: number) {
	return activeSessions(db, idleMinutes)
		.select(['id', 'ip_address', 'user_agent', 'created_at', 'last_used_at'])
		.where('account_id', '=', accountId)
		.orderBy('last_used_at', 'desc')
		.orderBy('id')
		.execute();
}

/** Ends one session of an account; a session that has already ended stays ended. */
export function endSession(db: Db, accountId: string, id: string) {
	return inTransaction(db, async (transaction) => {
		const { numDeletedRows } = await transaction
			.deleteFrom('sessions')
			.where('account_id', '=', accountId)
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		if (numDeletedRows === 0n) return;
		await record(transaction, { kind: 'session.ended', accountId, subjectId: id });
	});
}

/** Ends the sessions of an account, all or all but one. */
export function endSessions(db: Db, accountId: string, exceptId = '') {
	return inTransaction(db, async (transaction) => {
		const sessions = await deleteSessions(transaction, accountId, exceptId);
		if (sessions === 0) return;
		await record(transaction, { kind: 'session.ended', accountId, details: { sessions } });
	});
}

/** The same as part of a change that has an entry of its own in the activity log. */
export async function deleteSessions(transaction: Db, accountId: string, exceptId = '') {
	const { numDeletedRows } = await transaction
		.deleteFrom('sessions')
		.where('account_id', '=', accountId)
		.where('id', '<>', exceptId)
		.executeTakeFirstOrThrow();
	return Number(numDeletedRows);
}

/** Deletes the session of a token that its browser no longer has. */
export function dropSession(transaction: Db, token: string) {
	return transaction
		.deleteFrom('sessions')
		.where('token_hash', '=', hash('sha256', token))
		.execute();
}

/** Deletes the sessions that have ended. */
export function deleteOldSessions(db: Db, idleMinutes: number) {
	const active = activeSessions(db, idleMinutes).select('id');
	return db.deleteFrom('sessions').where('id', 'not in', active).execute();
}

function activeSessions(db: Db, idleMinutes: number) {
	return db
		.selectFrom('sessions')
		.where('expires_at', '>', timeIn(db))
		.where('last_used_at', '>', timeIn(db, -idleMinutes * minute));
}

function newToken() {
	return randomBytes(24).toString('base64url');
}

const tokenPattern = /^[\w-]{32}$/;
