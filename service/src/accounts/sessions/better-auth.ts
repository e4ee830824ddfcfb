// better-auth over our tables, for what it does well: sessions and their signed cookies.
// It is loaded by the first request that carries a cookie or logs in, not at start.
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { createAuthEndpoint, getSessionFromCtx } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { generateRandomString } from 'better-auth/crypto';
import { betterAuth } from 'better-auth/minimal';
import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { newId } from '../../database/identifier.ts';
import type { Schema } from '../../database/schema.ts';
import { now } from '../../database/time.ts';
import type { Settings } from '../../env.ts';
import { serviceSecret } from '../service-secret.ts';
import { sessionCookie } from './cookie.ts';
import { withHashedTokens } from './hashed-tokens.ts';

export async function loadBetterAuth({ query }: Database, settings: Settings) {
	const { prefix, secure, domain } = sessionCookie(settings);
	return betterAuth({
		// Configured for SQLite on both databases, it uses only text and integers, as the schema does.
		database: withHashedTokens(kyselyAdapter(query, { type: 'sqlite' })),
		baseURL: settings.webUrl,
		secret: await serviceSecret(query, 'session signature'),
		telemetry: { enabled: false },
		logger: { disabled: true },
		rateLimit: { enabled: false },
		plugins: [sessionOpener],
		session: {
			modelName: 'sessions',
			expiresIn: settings.sessionMaxDays * 24 * 60 * 60,
			disableSessionRefresh: true,
			fields: {
				token: 'token_hash',
				userId: 'account_id',
				expiresAt: 'expires_at',
				ipAddress: 'ip_address',
				userAgent: 'user_agent',
				createdAt: 'created_at',
				updatedAt: 'updated_at',
			},
			additionalFields: {
				lastUsedAt: { type: 'string', input: false, fieldName: 'last_used_at' },
				confirmedAt: { type: 'string', input: false, fieldName: 'confirmed_at' },
			},
		},
		user: {
			modelName: 'accounts',
			fields: { createdAt: 'created_at', updatedAt: 'updated_at' },
			additionalFields: {
				role: { type: 'string', input: false },
				disabledAt: { type: 'string', input: false, required: false, fieldName: 'disabled_at' },
				twoFactorAt: {
					type: 'string',
					input: false,
					required: false,
					fieldName: 'two_factor_at',
				},
			},
		},
		account: {
			modelName: 'credentials',
			fields: {
				accountId: 'subject',
				providerId: 'provider',
				userId: 'account_id',
				password: 'password_hash',
				createdAt: 'created_at',
				updatedAt: 'updated_at',
			},
		},
		advanced: {
			cookiePrefix: prefix,
			// The cookie prefix already contains `__Host-` or `__Secure-`.
			useSecureCookies: false,
			defaultCookieAttributes: { secure },
			...(domain && { crossSubDomainCookies: { enabled: true, domain } }),
			ipAddress: { disableIpTracking: true },
			database: { generateId: ({ model }) => newId(model === 'session' ? 'ses' : 'acc') },
		},
		databaseHooks: {
			session: { create: { before: async ({ userId }) => isEnabled(query, userId) } },
		},
	});
}

/** Opens a session for an account whose password, and code if it has one, were checked; confirms one. */
const sessionOpener = {
	id: 'session-opener',
	endpoints: {
		openSession: createAuthEndpoint.serverOnly(
			{
				method: 'POST',
				body: z.object({ accountId: z.string(), ipAddress: z.string(), userAgent: z.string() }),
			},
			async (c) => {
				const { accountId, ...origin } = c.body;
				const { internalAdapter } = c.context;
				const user = await internalAdapter.findUserById(accountId);
				const time = now();
				const details = { ...origin, lastUsedAt: time, confirmedAt: time };
				const session = user && (await internalAdapter.createSession(accountId, false, details));
				if (!session) return c.json({});
				await setSessionCookie(c, { session, user }, false);
				return c.json({ sessionId: session.id });
			},
		),
		/** A token that somebody copied before the password was entered again stops working. */
		confirmSession: createAuthEndpoint.serverOnly(
			{ method: 'POST', requireHeaders: true },
			async (c) => {
				const found = await getSessionFromCtx(c);
				if (!found) return c.json({});
				const { session, user } = found;
				const token = generateRandomString(32);
				const change = { token, confirmedAt: now() };
				await c.context.internalAdapter.updateSession(session.token, change);
				await setSessionCookie(c, { session: { ...session, token }, user }, false);
				return c.json({ sessionId: session.id });
			},
		),
	},
} as const;

async function isEnabled(query: Kysely<Schema>, id: string) {
	const account = await query
		.selectFrom('accounts')
		.select('disabled_at')
		.where('id', '=', id)
		.executeTakeFirst();
	return account?.disabled_at === null;
}
