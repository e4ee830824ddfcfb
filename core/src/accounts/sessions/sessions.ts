// Sessions, stored by the SHA-256 of a random token.
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { identify } from '../../activity/actor.ts';
import { record } from '../../activity/record.ts';
import type { Core } from '../../core.ts';
import { timeIn } from '../../database/clock.ts';
import type { Db, SessionRow } from '../../database/schema.ts';
import { inTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../errors.ts';
import { newId } from '../../identifier.ts';
import { lockCounts } from '../lock.ts';

/** The next session ends the oldest one. */
export const sessionsPerAccount = 50;

const second = 1000;
const minute = 60 * second;
const confirmedMinutes = 15;
/** How long the former token of a session still works. */
const overlapSeconds = 10;

export async function openSession(
	transaction: Db,
	visit: Pick<SessionRow, 'account_id' | 'ip_address' | 'user_agent'>,
	hours: number,
) {
	const { account_id } = visit;
	const ids = { id: newId('ses'), token: newToken() };
	const [time, expires_at] = [timeIn(transaction), timeIn(transaction, hours * 60 * minute)];
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

/** The account that is logged in with this token. */
export async function currentMember(
	{ database: { query: db }, settings }: Core,
	{ session: token = '' }: { session?: string | undefined },
) {
	if (!tokenPattern.test(token)) return undefined;
	const sent = hash('sha256', token);
	const overlapped = timeIn(db, -overlapSeconds * second);
	const found = await activeSessions(db, settings.sessionIdleMinutes)
		.innerJoin('accounts', 'accounts.id', 'account_id')
		.select([
			'accounts.id',
			'email',
			'role',
			// Includes the credits that leases hold.
			'balance',
			'held_credits',
			'verified_at',
			'two_factor_at',
		])
		.select(['sessions.id as sessionId', 'last_used_at', 'confirmed_at', 'token_hash'])
		.where(({ and, eb, or }) =>
			or([
				eb('token_hash', '=', sent),
				and([eb('former_hash', '=', sent), eb('rotated_at', '>', overlapped)]),
			]),
		)
		.where('disabled_at', 'is', null)
		.executeTakeFirst();
	if (!found) return undefined;
	const { last_used_at, verified_at, two_factor_at, confirmed_at, token_hash, ...member } = found;
	identify({ accountId: member.id, sessionId: member.sessionId });
	recordUse(db, member.sessionId, last_used_at);
	const isRecent = confirmed_at > timeIn(db, -confirmedMinutes * minute);
	// The former token may have been copied, so it is never confirmed.
	const confirmed = isRecent && token_hash === sent;
	const [isVerified, twoFactor] = [verified_at !== null, two_factor_at !== null];
	return { ...member, isVerified, twoFactor, confirmed };
}

/** An account with the session in which it is logged in, and in which its member may have confirmed their identity. */
export type Member = NonNullable<Awaited<ReturnType<typeof currentMember>>>;

/** Rejects a request whose session has ended meanwhile. Locks the account, so that the session cannot end afterwards. */
export async function requireSession(db: Db, accountId: string, id: string | undefined) {
	if (id === undefined) return;
	await lockCounts(db, accountId);
	const session = db.selectFrom('sessions').select('id').where('id', '=', id);
	if (!(await session.executeTakeFirst())) {
		throw new ApiError('credentials_missing', 'Your session has ended.', { hint: 'Log in again.' });
	}
}

/** Records the use of a session in the background, at most once a second. */
function recordUse(db: Db, id: string, lastUsedAt: string) {
	if (lastUsedAt > timeIn(db, -second)) return;
	// The request itself reports an outage of the database.
	db.updateTable('sessions')
		.set({ last_used_at: timeIn(db) })
		.where('id', '=', id)
		.where('last_used_at', '=', lastUsedAt)
		.execute()
		.catch(() => {});
}

/**
 * Replaces the token of a confirmed session, so that copies of it stop working. Of several requests at the same time,
 * one does this, because the browser keeps the cookie of only one response.
 */
export async function rotateSession({ database: { query: db } }: Core, id: string, token = '') {
	const [next, former] = [newToken(), hash('sha256', token)];
	const time = timeIn(db);
	const { numUpdatedRows } = await db
		.updateTable('sessions')
		.set({ token_hash: hash('sha256', next), former_hash: former })
		.set({ rotated_at: time, confirmed_at: time })
		.where('id', '=', id)
		.where('token_hash', '=', former)
		.executeTakeFirstOrThrow();
	return numUpdatedRows > 0n ? next : undefined;
}

/** Rejects a session that was not confirmed recently. An API key needs no confirmation. */
export function requireConfirmation({ confirmed = true }: { confirmed?: boolean | undefined }) {
	if (!confirmed) throw confirmationRequired();
}

/** Makes a page ask for the password or a code. `message` says what was wrong with the last one. */
export function confirmationRequired(message?: string) {
	return new ApiError('confirmation_required', 'Confirm that it is you to do this.', {
		hint: 'Log in again, or use an API key.',
		...(message && { errors: [{ path: 'confirmation', message }] }),
	});
}

export function listSessions({ database, settings }: Core, accountId: string) {
	return activeSessions(database.query, settings.sessionIdleMinutes)
		.select(['id', 'ip_address', 'user_agent', 'created_at', 'last_used_at'])
		.where('account_id', '=', accountId)
		.orderBy('last_used_at', 'desc')
		.orderBy('id')
		.execute();
}

export function endSession({ database }: Core, accountId: string, id: string) {
	return inTransaction(database.query, async (transaction) => {
		const own = transaction.deleteFrom('sessions').where('account_id', '=', accountId);
		const { numDeletedRows } = await own.where('id', '=', id).executeTakeFirstOrThrow();
		if (numDeletedRows === 0n) return;
		await record(transaction, { kind: 'session.ended', accountId, subjectId: id });
	});
}

export function endSessions({ database }: Core, accountId: string, exceptId = '') {
	return inTransaction(database.query, async (transaction) => {
		const sessions = await deleteSessions(transaction, accountId, exceptId);
		if (sessions === 0) return;
		await record(transaction, { kind: 'session.ended', accountId, details: { sessions } });
	});
}

/** The same without an entry in the activity log. */
export async function deleteSessions(transaction: Db, accountId: string, exceptId = '') {
	const { numDeletedRows } = await transaction
		.deleteFrom('sessions')
		.where('account_id', '=', accountId)
		.where('id', '<>', exceptId)
		.executeTakeFirstOrThrow();
	return Number(numDeletedRows);
}

export function dropSession(transaction: Db, token: string) {
	return transaction
		.deleteFrom('sessions')
		.where('token_hash', '=', hash('sha256', token))
		.execute();
}

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
