// Signing up, and logging in and out.
import { type Credentials, checkCredentials } from '../accounts/credentials.ts';
import { lockAccount } from '../accounts/lock.ts';
import { alertOwner, newDeviceAlert } from '../accounts/mail/messages.ts';
import { rememberDevice } from '../accounts/sessions/devices.ts';
import {
	currentMember,
	dropSession,
	endSession,
	openSession,
} from '../accounts/sessions/sessions.ts';
import { type Account, createAccount, findAccount } from '../accounts/store.ts';
import { acceptCode, codeRejected } from '../accounts/two-factor.ts';
import { identify, nameAccount } from '../activity/actor.ts';
import { record } from '../activity/record.ts';
import type { Core } from '../core.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../errors.ts';
import { sendVerification } from './email.ts';
import { createLink, findLink, takeLink } from './links.ts';
import { attemptOf, checkPassword, recordRejection, type Tokens, type Visitor } from './proof.ts';

/** With the hash that the password has matched. */
type LoggingIn = Pick<Account, 'id'> & { password_hash?: string };

const userAgentLength = 256;

/** Creates an account on the free tier and logs it in. */
export async function signUp(core: Core, visitor: Visitor, credentials: Credentials) {
	const { attempts, database, settings } = core;
	if (settings.signup !== 'open') throw signUpClosed();
	await checkCredentials(credentials);
	await attempts.password({ address: visitor.address });
	const account = await attempts.hashingForUnknown(() =>
		createAccount(database.query, credentials),
	);
	sendVerification(core, account.email);
	return enter(core, visitor, account);
}

/** Logs in, or returns the token for the second step. */
export async function logIn(core: Core, visitor: Visitor, credentials: Credentials) {
	const account = await checkPassword(core, visitor, credentials);
	if (!account) throw logInRejected();
	if (!account.two_factor_at) return enter(core, visitor, account);
	const token = await inTransaction(core.database.query, async (transaction) => {
		await lockLogIn(transaction, account);
		return createLink(transaction, { kind: 'log-in', email: account.email });
	});
	return { logIn: token };
}

/** Whether the code has to be entered next. */
export async function awaitsCode(core: Core, { tokens }: Visitor) {
	return (await findLogIn(core, tokens).catch(() => undefined)) !== undefined;
}

/** The second step of a log-in: a code of the authenticator app, or a recovery code. */
export async function enterCode(core: Core, visitor: Visitor, code: string): Promise<Tokens> {
	const { query } = core.database;
	const { token, email } = await findLogIn(core, visitor.tokens);
	const account = await findAccount(query, email);
	if (!account) throw logInRejected();
	nameAccount(account.id);
	const rejected = codeRejected();
	// In the transaction of the log-in, so that a code is used up only with it.
	const useCode = async (transaction: Db) => {
		await takeLink(transaction, token);
		const within = { ...core, database: { ...core.database, query: transaction } };
		if (!(await acceptCode(within, account.id, code))) throw rejected;
	};
	const attempt = await attemptOf(core, visitor, email);
	const tokens = await core.attempts
		.code(attempt, () => enter(core, visitor, account, useCode))
		.catch(async (error) => {
			if (error === rejected) await recordRejection(query, account.id);
			throw error;
		});
	return { ...tokens, logIn: '' };
}

export async function logOut(core: Core, { tokens }: Visitor): Promise<Tokens> {
	const member = await currentMember(core, tokens);
	if (member) await endSession(core, member.id, member.sessionId);
	else if (tokens.session) await dropSession(core.database.query, tokens.session);
	return { session: '' };
}

/** Opens a session after the password was checked, if `check` succeeds too. */
export async function enter(
	core: Core,
	{ address, userAgent, tokens }: Visitor,
	account: LoggingIn,
	check = async (_transaction: Db) => {},
): Promise<Tokens> {
	const account_id = account.id;
	const user_agent = userAgent.slice(0, userAgentLength);
	const { session, device, isNew } = await inTransaction(core.database.query, async (db) => {
		await lockLogIn(db, account);
		await check(db);
		// The browser forgets its old session, so copies of its token must stop working.
		if (tokens.session) await dropSession(db, tokens.session);
		const visit = { account_id, ip_address: address, user_agent };
		const opened = await openSession(db, visit, core.settings.sessionMaxHours);
		identify({ accountId: account_id, sessionId: opened.id });
		await record(db, { kind: 'session.created' });
		return { session: opened.token, ...(await rememberDevice(db, account_id, tokens.device)) };
	});
	if (isNew) alertOwner(core, account_id, newDeviceAlert(user_agent));
	return { session, device };
}

/** Locks the account, and rejects a password that has changed since it was checked. */
export async function lockLogIn(transaction: Db, { id, password_hash }: LoggingIn) {
	await lockAccount(transaction, id, logInRejected);
	if (!password_hash) return;
	const credentials = transaction.selectFrom('credentials').where('account_id', '=', id);
	const same = credentials.where('password_hash', '=', password_hash).select('account_id');
	await same.executeTakeFirstOrThrow(() => logInRejected());
}

async function findLogIn(core: Core, { logIn: token = '' }: Tokens) {
	return { token, ...(await findLink(core, token, ['log-in'])) };
}

function logInRejected() {
	return new ApiError(
		'invalid_request',
		'The email address or the password is incorrect, or the account is disabled.',
	);
}

export function signUpClosed() {
	return new ApiError('invalid_request', 'Sign-up is closed. Ask the operator for an account.');
}
