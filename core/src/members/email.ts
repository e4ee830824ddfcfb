// Verifies and changes email addresses.
import { checkAddress } from '../accounts/credentials.ts';
import {
	alertOwner,
	emailChangeMessage,
	newEmailAlert,
	verificationMessage,
} from '../accounts/mail/messages.ts';
import { type Member, requireSession } from '../accounts/sessions/sessions.ts';
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
import { addressOfLink, createLink, deleteLinks, takeLink } from './links.ts';
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
	const email = await addressOfLink(core, owner, { token, kind: 'verify' });
	await inTransaction(core.database.query, async (transaction) => {
		await takeLink(transaction, token);
		await markVerified(transaction, email);
		await record(transaction, { kind: 'account.verified', accountId: owner.id });
	});
}

/** Sends a link to the new address. Nothing changes until the owner opens it. */
export async function requestEmailChange(
	{ attempts, database: { query }, mail, settings }: Core,
	{ address }: Visitor,
	{ id, email, sessionId }: Pick<Member, 'id' | 'email' | 'sessionId'>,
	wanted: string,
) {
	await attempts.password({ address });
	checkAddress(wanted);
	if (await findAccount(query, wanted)) throw emailTaken();
	mail?.send(async () => {
		const token = await inTransaction(query, async (db) => {
			// A password reset ends the session and deletes such links, so none must follow.
			await requireSession(db, id, sessionId);
			return createLink(db, { kind: 'email', email, new_email: wanted.toLowerCase() });
		});
		return emailChangeMessage(wanted, `${settings.webUrl}/account/email?token=${token}`);
	});
}

export async function confirmEmailChange(core: Core, account: Owner, token: string) {
	const next = await addressOfLink(core, account, { token, kind: 'email' });
	await changeEmail(core, account, { next, token });
}

interface EmailChange {
	next: string;
	byAdministrator?: boolean;
	/** The token of the link, which is used up. */
	token?: string;
}

/** Changes the address, and mails to the former one if it was verified. */
export async function changeEmail(
	core: Core,
	{ id, email: former }: Owner,
	{ next, byAdministrator = false, token }: EmailChange,
) {
	const { query } = core.database;
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
