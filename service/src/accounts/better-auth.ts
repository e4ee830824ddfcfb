// better-auth over our tables, for what it does well: log-in, sessions, password change.
// It is loaded by the first request that carries a cookie or logs in, not at start.
import { randomBytes } from 'node:crypto';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { betterAuth } from 'better-auth/minimal';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import { newId } from '../database/identifier.ts';
import type { Schema } from '../database/schema.ts';
import type { Settings } from '../env.ts';
import { sessionCookie } from './cookie.ts';
import { withHashedTokens } from './hashed-tokens.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

const sessionSeconds = 14 * 24 * 60 * 60;

export async function loadBetterAuth({ query }: Database, settings: Settings) {
	const { prefix, secure, domain } = sessionCookie(settings);
	return betterAuth({
		// Configured for SQLite on both databases, it uses only text and integers, as the schema does.
		database: withHashedTokens(kyselyAdapter(query, { type: 'sqlite' })),
		baseURL: settings.webUrl,
		secret: await sharedSecret(query),
		telemetry: { enabled: false },
		logger: { disabled: true },
		rateLimit: { enabled: false },
		emailAndPassword: {
			enabled: true,
			disableSignUp: true,
			password: { hash: hashPassword, verify: verifyPassword },
		},
		session: {
			modelName: 'sessions',
			expiresIn: sessionSeconds,
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
		},
		user: {
			modelName: 'accounts',
			fields: { createdAt: 'created_at', updatedAt: 'updated_at' },
			additionalFields: {
				role: { type: 'string', input: false },
				disabledAt: { type: 'string', input: false, required: false, fieldName: 'disabled_at' },
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
			database: { generateId: () => newId('acc') },
		},
		databaseHooks: {
			session: { create: { before: async ({ userId }) => isEnabled(query, userId) } },
		},
	});
}

async function isEnabled(query: Kysely<Schema>, id: string) {
	const account = await query
		.selectFrom('accounts')
		.select('disabled_at')
		.where('id', '=', id)
		.executeTakeFirst();
	return account?.disabled_at === null;
}

/** The key that signs cookies: created by the first replica that needs it, shared by all. */
async function sharedSecret(query: Kysely<Schema>) {
	const name = 'session signature';
	await query
		.insertInto('service_secrets')
		.values({ name, value: randomBytes(32).toString('base64url') })
		.onConflict((conflict) => conflict.column('name').doNothing())
		.execute();
	const { value } = await query
		.selectFrom('service_secrets')
		.select('value')
		.where('name', '=', name)
		.executeTakeFirstOrThrow();
	return value;
}
