// Signing up, logging in and out, changing a password: what the web pages call.
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
import { createHashingQueue, refreshHash } from './password-hash.ts';
import { type Account, createAccount, EmailTakenError } from './store.ts';

/** Whom a request comes from, as far as that is known before a log-in. */
export interface Visitor {
	headers: Headers;
	address: string;
}

export function createAccounts({
	database,
	settings,
	limits,
}: {
	database: Database;
	settings: Settings;
	limits: Limits;
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

	const enter = async ({ headers }: Visitor, { email, password }: Credentials) => {
		const body = { email, password };
		const response = await ask((api) => api.signInEmail({ body, headers, asResponse: true }));
		if (!response.ok) throw new ApiError('invalid_request', logInRefused);
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
			checkCredentials(credentials);
			await limits.attempt({ address: visitor.address });
			return hashing(async () => {
				await createAccount(database.query, credentials).catch(refuseTaken);
				return enter(visitor, credentials);
			});
		},

		async logOut({ headers }: Visitor) {
			return cookiesOf(await ask((api) => api.signOut({ headers, asResponse: true })));
		},

		/** Changes the password and ends every other session of the account. */
		async changePassword(
			{ address, headers }: Visitor,
			{ current, next }: { current: string; next: string },
		) {
			checkNextPassword(next);
			await limits.attempt({ address });
			const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
			const response = await hashing(() =>
				ask((api) => api.changePassword({ body, headers, asResponse: true })),
			);
			if (!response.ok) throw invalid([{ path: 'current', message: 'is incorrect' }]);
			return cookiesOf(response);
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

const logInRefused = 'The email address or the password is incorrect, or the account is disabled.';

function cookiesOf(response: Response) {
	return { cookies: response.headers.getSetCookie() };
}

function refuseTaken(error: unknown): never {
	if (!(error instanceof EmailTakenError)) throw error;
	throw invalid([{ path: 'email', message: 'is already in use' }]);
}
