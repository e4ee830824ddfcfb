// Changes the email address of an account: by a link to the new address, or by an administrator.

import { checkAddress } from '../accounts/credentials.ts';
import { alertOwner } from '../accounts/mail/alert.ts';
import type { Mail } from '../accounts/mail/mail.ts';
import { emailChangeMessage, newEmailAlert } from '../accounts/mail/messages.ts';
import { type Member, requireSession } from '../accounts/sessions/sessions.ts';
import { type Account, emailTaken, findAccount, isProven } from '../accounts/store.ts';
import { record } from '../activity/record.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { createEmailLink, findOwnLink, takeLink } from './links.ts';

type Needs = Pick<Core, 'database' | 'settings'> & { mail?: Mail | undefined };

/** Sends a link to the new address. Until the owner of the account opens it, nothing changes. */
export async function requestEmailChange(
	{ database: { query }, mail, settings }: Needs,
	{ id, email, sessionId }: Pick<Member, 'id' | 'email' | 'sessionId'>,
	wanted: string,
) {
	checkAddress(wanted);
	if (await findAccount(query, wanted)) throw emailTaken();
	mail?.send(async () => {
		const token = await inTransaction(query, async (db) => {
			// A reset of the password ends the session, and deletes such links.
			await requireSession(db, id, sessionId);
			return createEmailLink(db, { email, new_email: wanted.toLowerCase() });
		});
		return emailChangeMessage(wanted, `${settings.webUrl}/account/email?token=${token}`);
	});
}

/** The address that a link of this account is for. */
export async function findNewEmail(db: Db, account: Account, token: string) {
	const { new_email } = await findOwnLink(db, account, { token, kind: 'email' });
	return new_email as string; // createEmailLink sets it
}

interface EmailChange {
	next: string;
	byAdministrator?: boolean;
	/** The link that is used up by the change. */
	token?: string;
}

/** Changes the address and tells the former one, if it was verified. */
export async function changeEmail(
	needs: Needs,
	{ id, email: former }: Pick<Account, 'id' | 'email'>,
	{ next, byAdministrator = false, token }: EmailChange,
) {
	const { query } = needs.database;
	checkAddress(next);
	const email = next.toLowerCase();
	const change = async (transaction: Db) => {
		if (token) await takeLink(transaction, token);
		if (await findAccount(transaction, email)) throw emailTaken();
		const account = await findAccount(transaction, former);
		const isUnproven = byAdministrator && !(account && isProven(account));
		await transaction
			.updateTable('accounts')
			.set({ email, verified_at: timeIn(transaction), vouched: isUnproven ? 1 : 0 })
			.where('id', '=', id)
			.execute();
		// Links to the former address must not open the account, nor invitations to the new one make another.
		const links = transaction.deleteFrom('account_links');
		await links.where('email', 'in', [former, email]).execute();
		await record(transaction, { kind: 'account.email_changed', accountId: id });
		return account?.verified_at;
	};
	const verified = await inTransaction(query, change).catch(async (error) => {
		// Somebody else got the address at the same time.
		throw (await findAccount(query, email)) ? emailTaken() : error;
	});
	if (!verified) return;
	alertOwner(needs, id, { ...newEmailAlert(needs.settings.contact), byAdministrator, to: former });
}
