// Signing up, logging in and out, proving who one is: what the web pages call.
// Each returns the Set-Cookie headers that the page has to pass on.
import { record } from '../activity/record.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';
import type { Limits } from '../http/limits.ts';
import type { Log } from '../log.ts';
import { invalid } from '../validation.ts';
import { type Credentials, checkCredentials, checkNextPassword } from './credentials.ts';
import {
	createLink,
	findLink,
	passwordLink,
	setPassword,
	takeLink,
	useLink,
	verificationLink,
} from './links.ts';
import type { Alerts } from './mail/alerts.ts';
import type { Mail } from './mail/mail.ts';
import { resetMessage, verificationMessage } from './mail/messages.ts';
import { createPasswordCheck } from './password-check.ts';
import { hashPassword } from './password-hash.ts';
import { createBrowserSessions, logInRefused, type Visitor } from './sessions/browser-sessions.ts';
import { ownCookie } from './sessions/cookie.ts';
import { forgetDevices } from './sessions/devices.ts';
import type { Member } from './sessions/sessions.ts';
import { createAccount, EmailTakenError, findAccount } from './store.ts';
import { createTwoFactor, disableTwoFactor } from './two-factor.ts';

/** What a step of a log-in sets, and whether it was the last one. */
export interface Entry {
	cookies: string[];
	/** Whether a code has to be entered next. */
	needsCode?: true;
	/** Whether this is the first log-in to the account from this device. */
	newDevice?: boolean;
}

export function createAccounts({
	database,
	settings,
	limits,
	mail,
	alerts,
	log,
}: {
	database: Database;
	settings: Settings;
	limits: Limits;
	mail?: Mail | undefined;
	alerts?: Alerts;
	log?: Log;
}) {
	const { query } = database;
	const sendVerification = (email: string) =>
		mail?.send(async () => {
			const token = await createLink(query, 'verify', email);
			return verificationMessage(email, verificationLink(settings.webUrl, token));
		});

	const twoFactor = createTwoFactor(database, settings, log);
	const logInCookie = ownCookie(settings, 'log-in', 10 * 60);
	const sessions = createBrowserSessions({ database, settings, alerts });
	const { device } = sessions;
	const { strangers, familiar, attemptOf, recordRefusal, checkPassword } = createPasswordCheck({
		database,
		limits,
		device,
	});

	return {
		/** Logs in, or sets the cookie with which a code has to be entered next. */
		async logIn(visitor: Visitor, credentials: Credentials): Promise<Entry> {
			const account = await checkPassword(visitor, credentials);
			if (!account) throw logInRefused();
			if (!account.two_factor_at) return sessions.open(visitor, account);
			const token = await createLink(query, 'log-in', account.email);
			return { cookies: [logInCookie.write(token)], needsCode: true };
		},

		/** Whether the password was entered and the code is next. */
		async awaitsCode({ headers }: Visitor) {
			const token = logInCookie.read(headers) ?? '';
			return findLink(query, token, ['log-in']).then(
				() => true,
				() => false,
			);
		},

		/** The second step of a log-in: a code of the authenticator app, or a recovery code. */
		async enterCode(visitor: Visitor, code: string): Promise<Entry> {
			const token = logInCookie.read(visitor.headers) ?? '';
			const { email } = await findLink(query, token, ['log-in']);
			const attempt = await attemptOf(visitor, email);
			await limits.code(attempt);
			const account = await findAccount(query, email);
			if (!account || !(await twoFactor.accept(account.id, code))) {
				await recordRefusal(account?.id ?? null);
				throw invalid([{ path: 'code', message: 'is incorrect or was already used' }]);
			}
			await limits.forgiveCode(attempt);
			await takeLink(query, token);
			const { cookies, newDevice } = await sessions.open(visitor, account);
			return { cookies: [...cookies, logInCookie.clear()], newDevice };
		},

		twoFactor,

		/** Turns two-factor authentication on with the first code, and returns the recovery codes. */
		async enableTwoFactor({ address }: Visitor, member: Member, code: string) {
			const attempt = { address, email: member.email };
			await limits.code(attempt);
			const codes = await twoFactor.enable(member, code);
			if (!codes) throw invalid([{ path: 'code', message: 'is incorrect or was already used' }]);
			await limits.forgiveCode(attempt);
			alerts?.twoFactor(member.id, 'on');
			return codes;
		},

		/** Turns two-factor authentication off: the next log-in needs only the password. */
		async disableTwoFactor(accountId: string, { byAdministrator = false } = {}) {
			const wasOn = await disableTwoFactor(query, accountId);
			if (wasOn) alerts?.twoFactor(accountId, 'off', byAdministrator);
		},

		/** Creates new recovery codes; the previous ones no longer work. */
		async renewRecoveryCodes(accountId: string) {
			const codes = await twoFactor.renewRecoveryCodes(accountId);
			alerts?.twoFactor(accountId, 'codes');
			return codes;
		},

		/** Records that the password was entered again, and gives the session another token. */
		async confirmPassword(visitor: Visitor, { email }: Member, password: string) {
			if (!(await checkPassword(visitor, { email, password }))) {
				throw invalid([{ path: 'confirm_password', message: 'is incorrect' }]);
			}
			return sessions.confirm(visitor);
		},

		/** Creates an account on the free tier and logs it in. */
		async signUp(visitor: Visitor, credentials: Credentials): Promise<Entry> {
			if (settings.signup !== 'open') throw new ApiError('invalid_request', signUpRefused);
			await checkCredentials(credentials);
			await limits.attempt({ address: visitor.address });
			const account = await strangers(() => createAccount(query, credentials).catch(refuseTaken));
			sendVerification(account.email);
			return sessions.open(visitor, account);
		},

		logOut: sessions.end,

		/** Changes the password and ends every other session of the account. */
		async changePassword(
			visitor: Visitor,
			{ email, current, next }: { email: string; current: string; next: string },
		) {
			await checkNextPassword({ email, password: next });
			const account = await checkPassword(visitor, { email, password: current });
			if (!account) throw invalid([{ path: 'current', message: 'is incorrect' }]);
			const password_hash = await familiar(() => hashPassword(next));
			await query.transaction().execute(async (transaction) => {
				await setPassword(transaction, account.id, password_hash);
				await transaction
					.deleteFrom('account_links')
					.where('email', '=', account.email)
					.where('kind', 'in', ['reset', 'log-in'])
					.execute();
				await forgetDevices(transaction, account.id, device.read(visitor.headers));
				await record(transaction, { kind: 'password.changed' });
			});
			alerts?.newPassword(account.id);
			return sessions.open(visitor, account);
		},

		/** Whether the service can send mail. */
		sendsMail: mail !== undefined,

		/** Sends a link for a new password, if the address has an account. */
		async forgotPassword({ address }: Visitor, email: string) {
			await limits.attempt({ address, email });
			mail?.send(async () => {
				const account = await findAccount(query, email);
				if (!account || account.disabled_at) return undefined;
				const token = await createLink(query, 'reset', account.email);
				return resetMessage(account.email, passwordLink(settings.webUrl, token));
			});
		},

		/** Sends the owner of an account a link that verifies the address. */
		async requestVerification({ address }: Visitor, email: string) {
			await limits.attempt({ address, email });
			sendVerification(email);
		},

		/** Sets the password that a one-time link is for, and creates the account of an invitation. */
		async choosePassword({ address }: Visitor, choice: { token: string; password: string }) {
			await limits.attempt({ address });
			const { kind, email } = await findLink(database.query, choice.token);
			if (kind === 'invite' && settings.signup === 'closed') {
				throw new ApiError('invalid_request', signUpRefused);
			}
			await strangers(() => useLink(database.query, choice)).catch(refuseTaken);
			const account = kind === 'reset' ? await findAccount(query, email) : undefined;
			if (account) alerts?.newPassword(account.id);
		},

		current: sessions.current,
	};
}

export type Accounts = ReturnType<typeof createAccounts>;

const signUpRefused = 'Sign-up is closed. Ask the operator for an account.';

function refuseTaken(error: unknown): never {
	if (!(error instanceof EmailTakenError)) throw error;
	throw invalid([{ path: 'email', message: 'is already in use' }]);
}
