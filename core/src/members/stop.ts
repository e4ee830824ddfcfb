// Disables, takes over and deletes accounts. A deleted account keeps its ledger, leases and activity, without texts and addresses.
import { activityKinds } from 'board-access-contract';
import { sql } from 'kysely';
import { keepLastAdmin, lockCounts } from '../accounts/lock.ts';
import { requireSession } from '../accounts/sessions/sessions.ts';
import { updateAccountIf } from '../accounts/store.ts';
import { disableTwoFactor } from '../accounts/two-factor.ts';
import { record } from '../activity/record.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import { forgetDeleted } from '../database/postgres.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { revokeAllKeys } from '../keys/store.ts';
import { endLeasesOf } from '../leases/ending/release.ts';
import { deleteLinks } from './links.ts';

/** Rejects the keys and sessions of an account until it is enabled again, and ends its leases. */
export async function disableAccount({ database, dispatch }: Core, id: string) {
	const events = await inTransaction(database.query, async (transaction) => {
		await keepLastAdmin(transaction, id, 'disabled');
		const change = { disabled_at: timeIn(transaction) };
		const disabled = await updateAccountIf(transaction, id, change, sql`disabled_at is null`);
		await transaction.deleteFrom('sessions').where('account_id', '=', id).execute();
		const ended = await endLeasesOf(transaction, id, () => ({
			reason: 'admin',
			message: 'The account was disabled.',
		}));
		const details = { leases: ended.leases?.length ?? 0 };
		if (disabled) await record(transaction, { kind: 'account.disabled', accountId: id, details });
		return ended;
	});
	await dispatch(events);
}

const personal = [
	'credentials',
	'sessions',
	'known_devices',
	'two_factor',
	'recovery_codes',
	'api_keys',
] as const;

/** The owner deletes an account in a session. Its leases end. */
export async function deleteAccount(core: Core, id: string, sessionId?: string) {
	const { query } = core.database;
	const events = await deleteRows(query, id, sessionId);
	await forgetDeleted(query);
	await core.dispatch(events);
}

function deleteRows(db: Db, id: string, sessionId: string | undefined) {
	return inTransaction(db, async (transaction) => {
		// First, because a repeated request also locks its claim before its account.
		await transaction.deleteFrom('idempotency').where('account_id', '=', id).execute();
		await keepLastAdmin(transaction, id, 'deleted');
		await requireSession(transaction, id, sessionId);
		const email = await emptyAccount(transaction, id);
		await deleteLinks(transaction, [email]);
		for (const table of personal) {
			await transaction.deleteFrom(table).where('account_id', '=', id).execute();
		}
		const ended = await endOwnLeases(transaction, id, 'The account was deleted.');
		await emptyLeases(transaction, id);
		await emptyActivity(transaction, id, email);
		const details = { leases: ended.leases?.length ?? 0 };
		await record(transaction, { kind: 'account.deleted', accountId: id, details });
		return ended;
	});
}

/**
 * Somebody may have signed up with the address of another person. When that person resets the password, everything of
 * the other one is removed.
 */
export async function takeOver(transaction: Db, accountId: string) {
	// First, because a repeated request also locks its claim before its account.
	await transaction.deleteFrom('idempotency').where('account_id', '=', accountId).execute();
	await lockCounts(transaction, accountId);
	await disableTwoFactor(transaction, accountId);
	const message = 'The password of the account was reset by the owner of its address.';
	const ended = await endOwnLeases(transaction, accountId, message);
	const keys = await revokeAllKeys(transaction, accountId);
	await emptyLeases(transaction, accountId);
	return { ended, details: { keys: keys.length, leases: ended.leases?.length ?? 0 } };
}

function endOwnLeases(transaction: Db, accountId: string, message: string) {
	return endLeasesOf(transaction, accountId, ({ status }) => ({
		reason: status === 'queued' ? 'cancelled' : 'released',
		message,
	}));
}

/** Removes personal data from the row, and returns the address. */
async function emptyAccount(transaction: Db, id: string) {
	const { email } = await transaction
		.selectFrom('accounts')
		.select('email')
		.where('id', '=', id)
		.where('deleted_at', 'is', null)
		.executeTakeFirstOrThrow(() => new ApiError('not_found', 'There is no such account.'));
	const time = timeIn(transaction);
	await transaction
		.updateTable('accounts')
		.set({ email: `deleted ${id}`, role: 'user', verified_at: null, two_factor_at: null })
		.set({ disabled_at: time, deleted_at: time })
		.where('id', '=', id)
		.execute();
	return email;
}

const ofLeases = ['files', 'lease_actions', 'lease_shares', 'console_chunks'] as const;

/** Deletes the files, actions, shares, consoles and labels of leases. */
async function emptyLeases(transaction: Db, accountId: string) {
	const leases = transaction.selectFrom('leases').select('id').where('account_id', '=', accountId);
	for (const table of ofLeases) {
		await transaction.deleteFrom(table).where('lease_id', 'in', leases).execute();
	}
	await transaction.deleteFrom('file_contents').where('owner', '=', accountId).execute();
	await transaction
		.updateTable('leases')
		.set({ label: null, console_message: null })
		.where('account_id', '=', accountId)
		.execute();
}

/** Changes of the service itself, which are kept as they are. */
const ofService = activityKinds.filter((kind) => /^(agent|base_image|board)/.test(kind));

/** Keeps what was done, when, and by whom. */
async function emptyActivity(transaction: Db, id: string, email: string) {
	const activity = transaction.updateTable('activity');
	const own = activity.where('account_id', '=', id).where('kind', 'not in', ofService);
	await own.set({ details: '{}' }).execute();
	// Keeps the addresses of administrators who changed the account.
	await own
		.set({ address: null })
		.where(({ eb, or }) => or([eb('actor_id', 'is', null), eb('actor_id', '=', id)]))
		.execute();
	await activity
		.set({ details: '{}' })
		.where('kind', '=', 'account.invited')
		.where('details', '=', JSON.stringify({ email }))
		.execute();
}
