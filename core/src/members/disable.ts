// Stops an account, until an administrator enables it again.
import { sql } from 'kysely';
import { keepLastAdmin } from '../accounts/lock.ts';
import { changeAccount } from '../accounts/store.ts';
import { record } from '../activity/record.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import { inTransaction } from '../database/transactions.ts';
import { endLeasesOf } from '../leases/ending/release.ts';

/** Its keys and sessions are rejected from the next request on, and its leases end. */
export async function disableAccount(
	{ database, dispatch }: Pick<Core, 'database' | 'dispatch'>,
	id: string,
) {
	const events = await inTransaction(database.query, async (transaction) => {
		await keepLastAdmin(transaction, id, 'disabled');
		const change = { disabled_at: timeIn(transaction) };
		const disabled = await changeAccount(transaction, id, change, sql`disabled_at is null`);
		await transaction.deleteFrom('sessions').where('account_id', '=', id).execute();
		const ended = await endLeasesOf(transaction, id, () => ({
			reason: 'admin',
			message: 'The account was disabled.',
		}));
		const details = { leases: ended.changed.length };
		if (disabled) await record(transaction, { kind: 'account.disabled', accountId: id, details });
		return ended;
	});
	await dispatch(events);
}
