// Signing up, logging in and out, proving who one is: what the web pages call.
// Each returns the Set-Cookie headers that the page has to pass on.
import * as z from 'zod/mini';
import { asActor, currentActor, identify } from '../activity/actor.ts';
import { record, recordRepeat } from '../activity/record.ts';
import { type Database, ping } from '../database/database.ts';
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';
import type { Attempt, Limits } from '../http/limits.ts';
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
import { accountByPassword, createHashingQueue, hashPassword } from './password-hash.ts';
import type { loadBetterAuth } from './sessions/better-auth.ts';
import { mayHoldSession, ownCookie } from './sessions/cookie.ts';
import { deviceDays, forgetDevices, isKnownDevice, rememberDevice } from './sessions/devices.ts';
import {
	endOldestSessions,
	endSession,
	isIdle,
	type Member,
	noteUse,
	userAgentLength,
} from './sessions/sessions.ts';
import { type Account, createAccount, EmailTakenError, findAccount } from './store.ts';
import { createTwoFactor } from './two-factor.ts';

/** Who sent a request, as far as that is known before login. */
export interface Visitor {
	headers: Headers;
	address: string;
}

/** What a step of a log-in sets, and whether it was the last one. */
export interface Entry {
	cookies: string[];
	/** Whether a code has to be entered next. */
	needsCode?: true;
	/** Whether nobody logged in to the account from this device before. */
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
	let loading: ReturnType<typeof loadBetterAuth> | undefined;
	const betterAuth = () => {
		loading ??= import('./sessions/better-auth.ts').then((module) =>
			module.loadBetterAuth(database, settings),
		);
		// A database outage must not be remembered forever.
		loading.catch(() => (loading = undefined));
		return loading;
	};
	const ask = async (request: (api: Api) => Promise<Response>) => {
		const response = await request((await betterAuth()).api);
		if (response.status < 500) return response;
		// better-auth hides the cause; if it was the database, this throws.
		await ping(database);
		throw new Error(`better-auth responded with ${response.status}`);
	};

	// A known device does not wait behind a flood of strangers.
	const strangers = createHashingQueue(2);
	const familiar = createHashingQueue(1);

	const { query } = database;
	const sendVerification = (email: string) =>
		mail?.send(async () => {
			const token = await createLink(query, 'verify', email);
			return verificationMessage(email, verificationLink(settings.webUrl, token));
		});

	const twoFactor = createTwoFactor(database, settings, log);
	const deviceCookie = ownCookie(settings, 'device', deviceDays * 24 * 60 * 60);
	const logInCookie = ownCookie(settings, 'log-in', 10 * 60);

	const attemptOf = async ({ address, headers }: Visitor, email: string): Promise<Attempt> => {
		const device = deviceCookie.read(headers);
		const known = await isKnownDevice(query, email, device);
		return { address, email, device: known ? device : undefined };
	};

	/** A stranger has no account yet, and anyone can name the address of another. */
	const recordRefusal = async (email: string) => {
		const accountId = (await findAccount(query, email))?.id ?? null;
		const { accountId: actorId, address } = currentActor();
		if (actorId && actorId === accountId) {
			return recordRepeat(query, { kind: 'password.refused', accountId });
		}
		// An entry in the log of the logged-in account would reveal whether the address has an account.
		await asActor({ via: 'visitor', address }, () =>
			recordRepeat(query, { kind: 'session.refused', accountId }),
		);
	};

	/** The account that has this password; counts the attempt, from wherever it comes. */
	const checkPassword = async (visitor: Visitor, credentials: Credentials) => {
		const attempt = await attemptOf(visitor, credentials.email);
		await limits.attempt(attempt);
		const hashing = attempt.device ? familiar : strangers;
		const account = await hashing(() => accountByPassword(query, credentials));
		if (account) await limits.forgive(attempt);
		else await recordRefusal(credentials.email);
		return account;
	};

	const enter = async ({ address, headers }: Visitor, { id }: Pick<Account, 'id'>) => {
		const userAgent = (headers.get('user-agent') ?? '').slice(0, userAgentLength);
		const body = { accountId: id, ipAddress: address, userAgent };
		const response = await ask((api) => api.openSession({ body, headers, asResponse: true }));
		const { sessionId } = openedSession.parse(await response.json());
		if (!sessionId) throw new ApiError('invalid_request', logInRefused);
		// The browser drops its old session, so a copy of that cookie must stop working too.
		if (mayHoldSession(headers.get('cookie'))) {
			await ask((api) => api.signOut({ headers, asResponse: true }));
		}
		await endOldestSessions(query, id);
		const { device, isNew } = await rememberDevice(query, id, deviceCookie.read(headers));
		identify({ accountId: id, sessionId });
		await record(query, { kind: 'session.created' });
		if (isNew) alerts?.newDevice(id, userAgent);
		return { cookies: [...cookiesOf(response), deviceCookie.write(device)], newDevice: isNew };
	};

	return {
		/** Logs in, or sets the cookie with which a code has to be entered next. */
		async logIn(visitor: Visitor, credentials: Credentials): Promise<Entry> {
			const account = await checkPassword(visitor, credentials);
			if (!account) throw new ApiError('invalid_request', logInRefused);
			if (!account.two_factor_at) return enter(visitor, account);
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
				await recordRefusal(email);
				throw invalid([{ path: 'code', message: 'is incorrect or was already used' }]);
			}
			await limits.forgiveCode(attempt);
			await takeLink(query, token);
			const { cookies, newDevice } = await enter(visitor, account);
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
			return codes;
		},

		/** Records that the password was entered again, and gives the session another token. */
		async confirmPassword(visitor: Visitor, { email }: Member, password: string) {
			if (!(await checkPassword(visitor, { email, password }))) {
				throw invalid([{ path: 'confirm_password', message: 'is incorrect' }]);
			}
			const { headers } = visitor;
			const response = await ask((api) => api.confirmSession({ headers, asResponse: true }));
			return { cookies: cookiesOf(response) };
		},

		/** Creates an account on the free tier and logs it in. */
		async signUp(visitor: Visitor, credentials: Credentials): Promise<Entry> {
			if (settings.signup !== 'open') throw new ApiError('invalid_request', signUpRefused);
			await checkCredentials(credentials);
			await limits.attempt({ address: visitor.address });
			const account = await strangers(() => createAccount(query, credentials).catch(refuseTaken));
			sendVerification(account.email);
			return enter(visitor, account);
		},

		async logOut({ headers }: Visitor) {
			const { accountId, sessionId } = currentActor();
			if (accountId && sessionId) await endSession(query, accountId, sessionId);
			const response = await ask((api) => api.signOut({ headers, asResponse: true }));
			return { cookies: cookiesOf(response) };
		},

		/** Changes the password and ends every other session of the account. */
		async changePassword(
			visitor: Visitor,
			{ email, current, next }: { email: string; current: string; next: string },
		) {
			await checkNextPassword({ email, password: next });
			const account = await checkPassword(visitor, { email, password: current });
			if (!account) throw invalid([{ path: 'current', message: 'is incorrect' }]);
			const password_hash = await familiar(() => hashPassword(next));
			const device = deviceCookie.read(visitor.headers);
			await query.transaction().execute(async (transaction) => {
				await setPassword(transaction, account.id, password_hash);
				await transaction
					.deleteFrom('account_links')
					.where('email', '=', account.email)
					.where('kind', 'in', ['reset', 'log-in'])
					.execute();
				await forgetDevices(transaction, account.id, device);
				await record(transaction, { kind: 'password.changed' });
			});
			alerts?.newPassword(account.id);
			return enter(visitor, account);
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

		/** The account whose session the cookie holds, if there is one. */
		async current(headers: Headers): Promise<Member | undefined> {
			if (!mayHoldSession(headers.get('cookie'))) return undefined;
			const response = await ask((api) => api.getSession({ headers, asResponse: true }));
			const found = sessionResponse.parse(await response.json());
			if (!found || found.user.disabledAt !== null) return undefined;
			const { session, user } = found;
			if (isIdle(session.lastUsedAt, settings.sessionIdleMinutes)) return undefined;
			noteUse(query, session.id, session.lastUsedAt);
			identify({ accountId: user.id, sessionId: session.id });
			return {
				id: user.id,
				email: user.email,
				role: user.role,
				twoFactor: user.twoFactorAt !== null,
				sessionId: session.id,
				confirmedAt: session.confirmedAt,
			};
		},
	};
}

export type Accounts = ReturnType<typeof createAccounts>;

type Api = Awaited<ReturnType<typeof loadBetterAuth>>['api'];

const openedSession = z.object({ sessionId: z.optional(z.string()) });

const sessionResponse = z.nullable(
	z.object({
		session: z.object({ id: z.string(), lastUsedAt: z.string(), confirmedAt: z.string() }),
		user: z.object({
			id: z.string(),
			email: z.string(),
			role: z.enum(['user', 'admin']),
			disabledAt: z.nullable(z.string()),
			twoFactorAt: z.nullable(z.string()),
		}),
	}),
);

const signUpRefused = 'Sign-up is closed. Ask the operator for an account.';

const logInRefused = 'The email address or the password is incorrect, or the account is disabled.';

function cookiesOf(response: Response) {
	return response.headers.getSetCookie();
}

function refuseTaken(error: unknown): never {
	if (!(error instanceof EmailTakenError)) throw error;
	throw invalid([{ path: 'email', message: 'is already in use' }]);
}
