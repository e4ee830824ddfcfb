// Sign-up, login, logout and password changes, as functions for the web pages.
// Each returns the Set-Cookie headers that the page has to pass on.
import * as z from 'zod/mini';
import { type Database, ping } from '../database/database.ts';
import type { Settings } from '../env.ts';
import { ApiError } from '../errors.ts';
import type { Limits } from '../http/limits.ts';
import { invalid } from '../validation.ts';
import type { loadBetterAuth } from './better-auth.ts';
import { mayHoldSession } from './cookie.ts';
import { type Credentials, checkCredentials, checkNextPassword } from './credentials.ts';
import { createLink, findLink, passwordLink, useLink, verificationLink } from './links.ts';
import type { Mail } from './mail.ts';
import { resetMessage, verificationMessage } from './messages.ts';
import { createHashingQueue, refreshHash } from './password-hash.ts';
import { type Account, createAccount, EmailTakenError, findAccount } from './store.ts';

/** Who sent a request, as far as that is known before login. */
export interface Visitor {
	headers: Headers;
	address: string;
}

export function createAccounts({
	database,
	settings,
	limits,
	mail,
}: {
	database: Database;
	settings: Settings;
	limits: Limits;
	mail?: Mail | undefined;
}) {
	let loading: ReturnType<typeof loadBetterAuth> | undefined;
	const betterAuth = () => {
		loading ??= import('./better-auth.ts').then((module) =>
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
		if (!response.ok) throw new ApiError('invalid_request', logInRefused);
		// The browser drops its old session, so a copy of that cookie must stop working too.
		if (mayHoldSession(headers.get('cookie'))) {
			await ask((api) => api.signOut({ headers, asResponse: true }));
		}
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

		/** Creates an account on the free tier and logs it in. */
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
			return cookiesOf(await ask((api) => api.signOut({ headers, asResponse: true })));
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
			if (!response.ok) throw invalid([{ path: 'current', message: 'is incorrect' }]);
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

		/** Sets the password that a one-time link is for, and creates the account of an invitation. */
		async choosePassword({ address }: Visitor, choice: { token: string; password: string }) {
			await limits.attempt({ address });
			const { kind } = await findLink(database.query, choice.token);
			if (kind === 'invite' && settings.signup === 'closed') {
				throw new ApiError('invalid_request', signUpRefused);
			}
			await hashing(() => useLink(database.query, choice)).catch(refuseTaken);
		},

		/** The account whose session the cookie holds, if there is one. */
		async current(headers: Headers): Promise<Account | undefined> {
			if (!mayHoldSession(headers.get('cookie'))) return undefined;
			const response = await ask((api) => api.getSession({ headers, asResponse: true }));
			const session = sessionResponse.parse(await response.json());
			return session?.user.disabledAt === null ? session.user : undefined;
		},
	};
}

export type Accounts = ReturnType<typeof createAccounts>;

type Api = Awaited<ReturnType<typeof loadBetterAuth>>['api'];

const sessionResponse = z.nullable(
	z.object({
		user: z.object({
			id: z.string(),
			email: z.string(),
			role: z.enum(['user', 'admin']),
			disabledAt: z.nullable(z.string()),
		}),
	}),
);

const signUpRefused = 'Sign-up is closed. Ask the operator for an account.';

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
