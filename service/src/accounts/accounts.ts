// Signing up, logging in and out, changing a password: what the web pages call.
// Each answers the Set-Cookie headers that the page has to pass on.
import * as z from 'zod/mini';
import type { Database } from '../database/database.ts';
import type { Settings } from '../env.ts';
import { ApiFault } from '../http/fault.ts';
import { invalid } from '../http/request.ts';
import type { Limits } from '../limits.ts';
import type { loadBetterAuth } from './better-auth.ts';
import { mayHoldSession } from './cookie.ts';
import { type Account, createAccount, EmailTakenError } from './store.ts';

/** Whom a request comes from, as far as that is known before a log-in. */
export interface Visitor {
	headers: Headers;
	address: string;
}

export interface Credentials {
	email: string;
	password: string;
}

const passwordRule = z
	.string()
	.check(
		z.minLength(8, 'must be at least 8 characters long'),
		z.maxLength(128, 'must be at most 128 characters long'),
	);
const emailRule = z.email('must be an email address').check(z.maxLength(254));

export const createAccounts = ({
	database,
	settings,
	limits,
}: {
	database: Database;
	settings: Settings;
	limits: Limits;
}) => {
	let loading: ReturnType<typeof loadBetterAuth> | undefined;
	const betterAuth = () => {
		loading ??= import('./better-auth.ts').then((module) =>
			module.loadBetterAuth(database, settings),
		);
		// A database that was away must not be remembered for ever.
		loading.catch(() => (loading = undefined));
		return loading;
	};

	const logIn = async (visitor: Visitor, { email, password }: Credentials) => {
		const tried = [visitor.address, email.toLowerCase()];
		await limits.attempt(...tried);
		const { api } = await betterAuth();
		const { headers } = visitor;
		const answer = await api.signInEmail({ body: { email, password }, headers, asResponse: true });
		if (!answer.ok)
			throw refused(
				answer,
				'The email address or the password is wrong, or the account is disabled.',
			);
		await limits.forgive(...tried);
		return { cookies: answer.headers.getSetCookie() };
	};

	return {
		logIn,

		/** Makes an account on the free tier and logs it in. */
		async signUp(visitor: Visitor, credentials: Credentials) {
			checkFields({ email: emailRule, password: passwordRule }, credentials);
			await limits.attempt(visitor.address);
			await createAccount(database.query, credentials).catch(tellTaken);
			return logIn(visitor, credentials);
		},

		async logOut({ headers }: Visitor) {
			const { api } = await betterAuth();
			const answer = await api.signOut({ headers, asResponse: true });
			return { cookies: answer.headers.getSetCookie() };
		},

		/** Changes the password and ends every other session of the account. */
		async changePassword(visitor: Visitor, { current, next }: { current: string; next: string }) {
			checkFields({ next: passwordRule }, { next });
			await limits.attempt(visitor.address);
			const { api } = await betterAuth();
			const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
			const answer = await api.changePassword({ body, headers: visitor.headers, asResponse: true });
			if (!answer.ok) throw refused(answer, 'The current password is wrong.', 'current');
			await limits.forgive(visitor.address);
			return { cookies: answer.headers.getSetCookie() };
		},

		/** The account whose session the cookie holds, if there is one. */
		async current(headers: Headers): Promise<Account | undefined> {
			if (!mayHoldSession(headers.get('cookie') ?? undefined)) return undefined;
			const { api } = await betterAuth();
			const session = await api.getSession({ headers });
			if (!session || session.user.disabledAt) return undefined;
			const { id, email, role } = session.user;
			return { id, email, role: role === 'admin' ? 'admin' : 'user' };
		},
	};
};

export type Accounts = ReturnType<typeof createAccounts>;

const refused = (answer: Response, message: string, param?: string) => {
	if (answer.status >= 500) return new Error(`better-auth answered ${answer.status}`);
	return new ApiFault('invalid_request', message, param === undefined ? {} : { param });
};

const tellTaken = (error: unknown): never => {
	if (!(error instanceof EmailTakenError)) throw error;
	throw invalid([{ path: 'email', message: 'belongs to an account already' }]);
};

const checkFields = (rules: Record<string, z.ZodMiniType>, values: object) => {
	const result = z.object(rules).safeParse(values);
	if (result.success) return;
	throw invalid(
		result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
	);
};
