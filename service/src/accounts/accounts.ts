// Signing up, logging in and out, changing a password: what the web pages call.
// Each returns the Set-Cookie headers that the page has to pass on.
import * as z from 'zod/mini';
import { currentActor, identify } from '../activity/actor.ts';
import { record, recordRepeat } from '../activity/record.ts';
import { type Database, ping } from '../database/database.ts';
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';
import type { Limits } from '../http/limits.ts';
import { invalid } from '../validation.ts';
import type { Alerts } from './alerts.ts';
import type { loadBetterAuth } from './better-auth.ts';
import { mayHoldSession } from './cookie.ts';
import { type Credentials, checkCredentials, checkNextPassword } from './credentials.ts';
import { createLink, findLink, passwordLink, useLink, verificationLink } from './links.ts';
import type { Mail } from './mail.ts';
import { resetMessage, verificationMessage } from './messages.ts';
import { createHashingQueue, refreshHash } from './password-hash.ts';
import { type Account, createAccount, EmailTakenError, findAccount } from './store.ts';

/** Whom a request comes from, as far as that is known before a log-in. */
export interface Visitor {
	headers: Headers;
	address: string;
}

export function createAccounts({
	database,
	settings,
	limits,
	mail,
	alerts,
}: {
	database: Database;
	settings: Settings;
	limits: Limits;
	mail?: Mail | undefined;
	alerts?: Alerts;
}) {
	let loading: ReturnType<typeof loadBetterAuth> | undefined;
	const betterAuth = () => {
		loading ??= import('./better-auth.ts').then((module) =>
			module.loadBetterAuth(database, settings),
		);
		// A database that was away must not be remembered for ever.
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

	const hashing = createHashingQueue();

	const { query } = database;
	const sendVerification = (email: string) =>
		mail?.send(async () => {
			const token = await createLink(query, 'verify', email);
			return verificationMessage(email, verificationLink(settings.webUrl, token));
		});

	const enter = async ({ headers }: Visitor, { email, password }: Credentials) => {
		const body = { email, password };
		const response = await ask((api) =>
			api.signInEmail({ body, headers: shortened(headers), asResponse: true }),
		);
		const account = await findAccount(query, email);
		if (!response.ok) {
			await recordRepeat(query, { kind: 'session.refused', accountId: account?.id ?? null });
			throw new ApiError('invalid_request', logInRefused);
		}
		// The browser forgets the session that it had; a copy of its cookie must not outlive it.
		if (mayHoldSession(headers.get('cookie'))) {
			await ask((api) => api.signOut({ headers, asResponse: true }));
		}
		identify({ accountId: account?.id });
		await record(query, { kind: 'session.created' });
		return cookiesOf(response);
	};

	return {
		async logIn(visitor: Visitor, credentials: Credentials) {
			const { email } = credentials;
			await limits.attempt({ address: visitor.address, email });
			const entered = await hashing(async () => {
				const cookies = await enter(visitor, credentials);
				await refreshHash(database.query, credentials);
				return cookies;
			});
			await limits.forgive(email);
			return entered;
		},

		/** Makes an account on the free tier and logs it in. */
		async signUp(visitor: Visitor, credentials: Credentials) {
			if (settings.signup !== 'open') throw new ApiError('invalid_request', signUpRefused);
			await checkCredentials(credentials);
			await limits.attempt({ address: visitor.address });
			return hashing(async () => {
				const { email } = await createAccount(query, credentials).catch(refuseTaken);
				sendVerification(email);
				return enter(visitor, credentials);
			});
		},

		async logOut({ headers }: Visitor) {
			const response = await ask((api) => api.signOut({ headers, asResponse: true }));
			if (currentActor().accountId) await record(query, { kind: 'session.ended' });
			return cookiesOf(response);
		},

		/** Changes the password and ends every other session of the account. */
		async changePassword(
			{ address, headers }: Visitor,
			{ email, current, next }: { email: string; current: string; next: string },
		) {
			await checkNextPassword({ email, password: next });
			await limits.attempt({ address, email });
			const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
			const response = await hashing(() =>
				ask((api) => api.changePassword({ body, headers: shortened(headers), asResponse: true })),
			);
			if (!response.ok) {
				await recordRepeat(query, { kind: 'password.refused' });
				throw invalid([{ path: 'current', message: 'is incorrect' }]);
			}
			await record(query, { kind: 'password.changed' });
			const { accountId } = currentActor();
			if (accountId) alerts?.newPassword(accountId);
			await limits.forgive(email);
			return cookiesOf(response);
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

		/** Sets the password that a one-time link is for, and makes the account of an invitation. */
		async choosePassword({ address }: Visitor, choice: { token: string; password: string }) {
			await limits.attempt({ address });
			const { kind, email } = await findLink(database.query, choice.token);
			if (kind === 'invite' && settings.signup === 'closed') {
				throw new ApiError('invalid_request', signUpRefused);
			}
			await hashing(() => useLink(database.query, choice)).catch(refuseTaken);
			const account = kind === 'reset' ? await findAccount(query, email) : undefined;
			if (account) alerts?.newPassword(account.id);
		},

		/** The account whose session the cookie holds, if there is one. */
		async current(headers: Headers): Promise<Account | undefined> {
			if (!mayHoldSession(headers.get('cookie'))) return undefined;
			const response = await ask((api) => api.getSession({ headers, asResponse: true }));
			const session = sessionResponse.parse(await response.json());
			if (session?.user.disabledAt !== null) return undefined;
			identify({ accountId: session.user.id, sessionId: session.session.id });
			return session.user;
		},
	};
}

export type Accounts = ReturnType<typeof createAccounts>;

type Api = Awaited<ReturnType<typeof loadBetterAuth>>['api'];

const sessionResponse = z.nullable(
	z.object({
		session: z.object({ id: z.string() }),
		user: z.object({
			id: z.string(),
			email: z.string(),
			role: z.enum(['user', 'admin']),
			disabledAt: z.nullable(z.string()),
		}),
	}),
);

const signUpRefused = 'Nobody can sign up here without the operator.';

const logInRefused = 'The email address or the password is incorrect, or the account is disabled.';

/** The headers with as much of the user agent as is stored with a session. */
function shortened(given: Headers) {
	const headers = new Headers(given);
	headers.set('user-agent', (given.get('user-agent') ?? '').slice(0, 200));
	return headers;
}

function cookiesOf(response: Response) {
	return { cookies: response.headers.getSetCookie() };
}

function refuseTaken(error: unknown): never {
	if (!(error instanceof EmailTakenError)) throw error;
	throw invalid([{ path: 'email', message: 'is already in use' }]);
}
