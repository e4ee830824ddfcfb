// Verifies and changes email addresses.
import { checkAddress } from '../accounts/credentials.ts';
import { alertOwner, newEmailAlert, verificationMessage } from '../accounts/mail/messages.ts';
import {
	type Account,
	emailTaken,
	findAccount,
	isProven,
	markVerified,
} from '../accounts/store.ts';
import { record } from '../activity/record.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { createLink, deleteLinks, requireOwnLink, takeLink } from './links.ts';
import type { Visitor } from './proof.ts';

type Owner = Pick<Account, 'id' | 'email'>;

export async function requestVerification(core: Core, { address }: Visitor, email: string) {
	await core.attempts.password({ address, email });
	sendVerification(core, email);
}

export function sendVerification({ database, mail, settings }: Core, email: string) {
	mail?.send(async () => {
		const token = await createLink(database.query, { kind: 'verify', email });
		return verificationMessage(email, `${settings.webUrl}/verify?token=${token}`);
	});
}

export async function verifyAddress(core: Core, owner: Owner, token: string) {
	await requireOwnLink(core, owner, token);
	await inTransaction(core.database.query, async (transaction) => {
		await takeLink(transaction, token);
		await markVerified(transaction, owner.email);
		await record(transaction, { kind: 'account.verified', accountId: owner.id });
	});
}

/** An administrator changes the address, perhaps their own. The former one gets a message if it was verified. */
export async function changeEmail(
	core: Core,
	{ id, email: former }: Owner,
	{ next, byAdministrator }: { next: string; byAdministrator: boolean },
) {
	const { query } = core.database;
	checkAddress(next);
	const email = next.toLowerCase();
	const change = async (transaction: Db) => {
		if (await findAccount(transaction, email)) throw emailTaken();
		const account = await findAccount(transaction, former);
		const isUnproven = byAdministrator && !(account && isProven(account));
		await transaction
			.updateTable('accounts')
			.set({ email, verified_at: timeIn(transaction), vouched: isUnproven ? 1 : 0 })
			.where('id', '=', id)
			.execute();
		// Links to the former address must not open the account, nor invitations to the new one create another.
		await deleteLinks(transaction, [former, email]);
		await record(transaction, { kind: 'account.email_changed', accountId: id });
		return account?.verified_at;
	};
	const verified = await inTransaction(query, change).catch(async (error) => {
		// Somebody else may have got the address at the same time.
		throw (await findAccount(query, email)) ? emailTaken() : error;
	});
	if (!verified) return;
	alertOwner(core, id, { ...newEmailAlert(core.settings.contact), byAdministrator, to: former });
}
