// Browser sessions: better-auth opens, confirms and ends them, and every request reads them.
// Each step returns the Set-Cookie headers that the page has to pass on.
import * as z from 'zod/mini';
import { currentActor, identify } from '../../activity/actor.ts';
import { record } from '../../activity/record.ts';
import { type Database, ping } from '../../database/database.ts';
import type { Settings } from '../../env.ts';
import { ApiError } from '../../errors.ts';
import type { Alerts } from '../mail/alerts.ts';
import type { Account } from '../store.ts';
import type { loadBetterAuth } from './better-auth.ts';
import { mayHoldSession, ownCookie } from './cookie.ts';
import { deviceDays, rememberDevice } from './devices.ts';
import {
	endOldestSessions,
	endSession,
	isIdle,
	type Member,
	noteUse,
	userAgentLength,
} from './sessions.ts';

/** Who sent a request, as far as that is known before login. */
export interface Visitor {
	headers: Headers;
	address: string;
}

export function createBrowserSessions({
	database,
	settings,
	alerts,
}: {
	database: Database;
	settings: Settings;
	alerts: Alerts | undefined;
}) {
	const { query } = database;
	const ask = createAsk(database, settings);
	const device = ownCookie(settings, 'device', deviceDays * 24 * 60 * 60);
	return {
		/** The cookie that a browser keeps when its session has ended. */
		device,

		/** Opens a session for an account whose password, and code if required, have been checked. */
		async open({ address, headers }: Visitor, { id }: Pick<Account, 'id'>) {
			const userAgent = (headers.get('user-agent') ?? '').slice(0, userAgentLength);
			const body = { accountId: id, ipAddress: address, userAgent };
			const response = await ask((api) => api.openSession({ body, headers, asResponse: true }));
			const { sessionId } = openedSession.parse(await response.json());
			if (!sessionId) throw logInRefused();
			// The browser drops its old session, so a copy of that cookie must stop working too.
			if (mayHoldSession(headers.get('cookie'))) {
				await ask((api) => api.signOut({ headers, asResponse: true }));
			}
			await endOldestSessions(query, id);
			const remembered = await rememberDevice(query, id, device.read(headers));
			identify({ accountId: id, sessionId });
			// Nobody has the token yet, so a session without an entry is never used.
			await record(query, { kind: 'session.created' });
			if (remembered.isNew) alerts?.newDevice(id, userAgent);
			const cookies = [...cookiesOf(response), device.write(remembered.device)];
			return { cookies, newDevice: remembered.isNew };
		},

		/** Records that the password was entered again, and gives the session a new token. */
		async confirm({ headers }: Visitor) {
			const response = await ask((api) => api.confirmSession({ headers, asResponse: true }));
			return { cookies: cookiesOf(response) };
		},

		async end({ headers }: Visitor) {
			const { accountId, sessionId } = currentActor();
			if (accountId && sessionId) await endSession(query, accountId, sessionId);
			const response = await ask((api) => api.signOut({ headers, asResponse: true }));
			return { cookies: cookiesOf(response) };
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

export function logInRefused() {
	return new ApiError(
		'invalid_request',
		'The email address or the password is incorrect, or the account is disabled.',
	);
}

type Api = Awaited<ReturnType<typeof loadBetterAuth>>['api'];

/** Returns a function that sends a request to better-auth. The first request loads better-auth. */
function createAsk(database: Database, settings: Settings) {
	let loading: ReturnType<typeof loadBetterAuth> | undefined;
	const betterAuth = () => {
		loading ??= import('./better-auth.ts').then((module) =>
			module.loadBetterAuth(database, settings),
		);
		// A database outage must not be remembered forever.
		loading.catch(() => (loading = undefined));
		return loading;
	};
	return async (request: (api: Api) => Promise<Response>) => {
		const response = await request((await betterAuth()).api);
		if (response.status < 500) return response;
		// better-auth hides the cause; if it was the database, this throws.
		await ping(database);
		throw new Error(`better-auth responded with ${response.status}`);
	};
}

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

function cookiesOf(response: Response) {
	return response.headers.getSetCookie();
}
