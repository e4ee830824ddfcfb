// A mail to the holder of a lease when its board is ready, if they have asked for it.
import { verifiedAddress } from '../../accounts/store.ts';
import type { Core } from '../../core.ts';
import type { Db, LeaseRow, Owned } from '../../database/schema.ts';
import type { LiveLease } from '../live.ts';
import { graceSeconds } from '../rules/minutes.ts';

export async function chooseReadyMail(db: Db, { accountId, id }: Owned, isWanted: boolean) {
	await db
		.updateTable('leases')
		.set({ mail_when_ready: isWanted ? 1 : 0 })
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.where('status', '=', 'queued')
		.execute();
}

/** Each mail is sent at most once, by one replica. */
export async function sendReadyMails(
	{ database: { query }, mail, settings: { webUrl } }: Core,
	live: readonly LiveLease[],
) {
	const ids = live
		.filter(({ status, mail_when_ready }) => status === 'active' && mail_when_ready === 1)
		.map(({ id }) => id);
	if (!mail || ids.length === 0) return;
	const claimed = await query
		.updateTable('leases')
		.set({ mail_when_ready: 0 })
		.where('id', 'in', ids)
		.where('mail_when_ready', '=', 1)
		.returning(['id', 'account_id', 'board_type', 'minutes'])
		.execute();
	for (const lease of claimed) {
		mail.send(async () => {
			const account = await verifiedAddress(query, lease.account_id);
			return account && readyMessage(account.email, { ...lease, webUrl });
		});
	}
}

type ReadyLease = Pick<LeaseRow, 'id' | 'board_type' | 'minutes'> & { webUrl: string };

function readyMessage(to: string, { id, board_type: type, minutes, webUrl }: ReadyLease) {
	const text = `Your ${type} is ready. The ${minutes} minutes of your lease begin now, or within ${graceSeconds} seconds:
${webUrl}/leases/${id}

You get this message because you chose it while you waited.
`;
	return { to, subject: `Your ${type} is ready`, text };
}
