// Changes passwords, directly or with a link.
import { checkAddress, checkNextPassword } from '../accounts/credentials.ts';
import { alertOwner, newPasswordAlert, resetMessage } from '../accounts/mail/messages.ts';
import { hashPassword } from '../accounts/password-hash.ts';
import { deleteDevices } from '../accounts/sessions/devices.ts';
import { deleteSessions } from '../accounts/sessions/sessions.ts';
import {
	type Account,
	emailTaken,
	findAccount,
	insertAccount,
	isProven,
	markVerified,
} from '../accounts/store.ts';
import { record } from '../activity/record.ts';
import type { Core } from '../core.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { invalid } from '../validation.ts';
import { createLink, deleteLinks, findLink, linkOver, takeLink } from './links.ts';
import { enter, lockLogIn, signUpClosed } from './log-in.ts';
import { checkPassword, type Visitor } from './proof.ts';
import { takeOver } from './stop.ts';

/** Changes the password and ends every other session of the account. */
export async function changePassword(
	core: Core,
	visitor: Visitor,
	{ email, current, next }: { email: string; current: string; next: string },
) {
	await checkNextPassword({ email, password: next });
	const account = await checkPassword(core, visitor, { email, password: current });
	if (!account) throw invalid([{ path: 'current', message: 'is incorrect' }]);
	const { id } = account;
	const password_hash = await core.attempts.hashingForKnown(() => hashPassword(next));
	await inTransaction(core.database.query, async (transaction) => {
		await lockLogIn(transaction, account);
		await setPassword(transaction, id, password_hash);
		await deleteLinks(transaction, [account.email], ['reset', 'log-in']);
		await deleteDevices(transaction, id, visitor.tokens.device);
		await record(transaction, { kind: 'password.changed' });
	});
	alertOwner(core, id, newPasswordAlert);
	return enter(core, visitor, { id, password_hash });
}

/** Sends a link for a new password, if the address has an account. */
export async function forgotPassword(core: Core, { address }: Visitor, email: string) {
	await core.attempts.password({ address, email });
	core.mail?.send(async () => {
		const account = await findAccount(core.database.query, email);
		if (!account || account.disabled_at) return undefined;
		return resetMessage(account.email, () =>
			passwordLink(core, { kind: 'reset', email: account.email }),
		);
	});
}

/** Returns a link for creating an account with this address. */
export async function invite(core: Core, email: string) {
	const { query } = core.database;
	checkAddress(email);
	if (core.settings.signup === 'closed') {
		const message = 'SIGNUP=closed does not allow invitations; use SIGNUP=invite';
		throw new ApiError('invalid_request', message);
	}
	if (await findAccount(query, email)) throw emailTaken();
	await record(query, { kind: 'account.invited', details: { email } });
	return passwordLink(core, { kind: 'invite', email });
}

/** Returns a link for choosing a new password. */
export async function createResetLink(core: Core, { id: accountId, email }: Account) {
	await record(core.database.query, { kind: 'account.reset_link_created', accountId });
	return passwordLink(core, { kind: 'reset', email });
}

/** Sets the password of an account, or creates the account of an invitation. */
export async function choosePassword(
	core: Core,
	{ address }: Visitor,
	{ token, password }: { token: string; password: string },
) {
	const { attempts, database, settings } = core;
	await attempts.password({ address });
	const { email, kind } = await findLink(core, token);
	if (kind === 'invite' && settings.signup === 'closed') throw signUpClosed();
	await checkNextPassword({ email, password }, 'password');
	const password_hash = await attempts.hashingForUnknown(() => hashPassword(password));
	const reset = await inTransaction(database.query, async (transaction) => {
		await takeLink(transaction, token);
		const isReset = kind === 'reset';
		const reset = isReset ? await replacePassword(transaction, email, password_hash) : undefined;
		if (!reset) await insertAccount(transaction, { email, verified: true, password_hash });
		// Other links must not change the password again.
		await deleteLinks(transaction, [email]);
		return reset;
	});
	if (!reset) return;
	alertOwner(core, reset.accountId, newPasswordAlert);
	if (reset.ended) await core.dispatch(reset.ended);
}

async function passwordLink(
	{ database, settings }: Core,
	link: { kind: 'reset' | 'invite'; email: string },
) {
	return `${settings.webUrl}/password?token=${await createLink(database.query, link)}`;
}

export async function setPassword(transaction: Db, accountId: string, password_hash: string) {
	await transaction
		.updateTable('credentials')
		.set({ password_hash })
		.where('account_id', '=', accountId)
		.execute();
	await deleteSessions(transaction, accountId);
}

/** Returns the events of leases that ended because somebody else may have had the account. */
async function replacePassword(transaction: Db, email: string, password_hash: string) {
	const account = await findAccount(transaction, email);
	if (!account) throw linkOver();
	const { id: accountId } = account;
	const { ended, details = {} } = isProven(account) ? {} : await takeOver(transaction, accountId);
	await markVerified(transaction, email);
	await setPassword(transaction, accountId, password_hash);
	await deleteDevices(transaction, accountId);
	await record(transaction, { kind: 'password.reset', accountId, details });
	return { accountId, ended };
}
