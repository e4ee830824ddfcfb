// The sessions of an account: listed, ended, and over after a time without use.
import type { Kysely } from 'kysely';
import { record } from '../../activity/record.ts';
import type { Schema } from '../../database/schema.ts';
import { now } from '../../database/time.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import type { Account } from '../store.ts';

/** How much of the user agent is stored with a session. */
export const userAgentLength = 256;

/** Sessions that an account can have; the oldest one ends for the next. */
export const sessionsPerAccount = 50;

const minute = 60_000;
const confirmedMinutes = 15;

/** An account with the session in which it is logged in. */
export interface Member extends Account {
	/** Whether a log-in needs a code of an authenticator app too. */
	twoFactor: boolean;
	sessionId: string;
	/** When the password was last entered in this session. */
	confirmedAt: string;
}

/** Refuses a session in which the password was not entered for a while. An API key needs no password. */
export function requireRecentPassword({ confirmedAt }: { confirmedAt?: string | undefined }) {
	if (confirmedAt === undefined || minutesSince(confirmedAt) < confirmedMinutes) return;
	throw new ApiError('password_required', 'Enter your password again to do this.', {
		hint: 'Log in again, or use an API key.',
	});
}

export function isIdle(lastUsedAt: string, idleMinutes: number) {
	return minutesSince(lastUsedAt) >= idleMinutes;
}

/** Notes in the background that a session was used, at most once a minute. */
export function noteUse(db: Kysely<Schema>, id: string, lastUsedAt: string) {
	if (minutesSince(lastUsedAt) < 1) return;
	// A database that is away is reported by the request itself.
	db.updateTable('sessions')
		.set({ last_used_at: now() })
		.where('id', '=', id)
		.where('last_used_at', '=', lastUsedAt)
		.execute()
		.catch(() => {});
}

export function listSessions(db: Kysely<Schema>, accountId: string, idleMinutes: number) {
	return db
		.selectFrom('sessions')
		.select(['id', 'ip_address', 'user_agent', 'created_at', 'last_used_at'])
		.where('account_id', '=', accountId)
		.where('expires_at', '>', now())
		.where('last_used_at', '>', idleSince(idleMinutes))
		.orderBy('last_used_at', 'desc')
		.orderBy('id')
		.execute();
}

/** Ends one session of an account; a session that has already ended stays ended. */
export function endSession(db: Kysely<Schema>, accountId: string, id: string) {
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
export function endSessions(db: Kysely<Schema>, accountId: string, exceptId = '') {
	return inTransaction(db, async (transaction) => {
		const sessions = await deleteSessions(transaction, accountId, exceptId);
		if (sessions === 0) return;
		await record(transaction, { kind: 'session.ended', accountId, details: { sessions } });
	});
}

/** The same as part of a change that has an entry of its own in the activity log. */
export async function deleteSessions(
	transaction: Kysely<Schema>,
	accountId: string,
	exceptId = '',
) {
	const { numDeletedRows } = await transaction
		.deleteFrom('sessions')
		.where('account_id', '=', accountId)
		.where('id', '<>', exceptId)
		.executeTakeFirstOrThrow();
	return Number(numDeletedRows);
}

/** Ends the oldest sessions of an account that has too many. */
export async function endOldestSessions(db: Kysely<Schema>, accountId: string) {
	const kept = db
		.selectFrom('sessions')
		.select('id')
		.where('account_id', '=', accountId)
		.orderBy('created_at', 'desc')
		.orderBy('id')
		.limit(sessionsPerAccount);
	await db
		.deleteFrom('sessions')
		.where('account_id', '=', accountId)
		.where('id', 'not in', kept)
		.execute();
}

/** Deletes the sessions that have ended. */
export function forgetOldSessions(db: Kysely<Schema>, idleMinutes: number) {
	return db
		.deleteFrom('sessions')
		.where((eb) =>
			eb.or([eb('expires_at', '<', now()), eb('last_used_at', '<', idleSince(idleMinutes))]),
		)
		.execute();
}

function idleSince(minutes: number) {
	return new Date(Date.now() - minutes * minute).toISOString();
}

function minutesSince(time: string) {
	return (Date.now() - Date.parse(time)) / minute;
}
