// src/accounts/better-auth.ts
// src/accounts/hashed-tokens.ts
import { createHash, randomBytes } from 'node:crypto';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { betterAuth } from 'better-auth/minimal';
import { newId, sessionCookie } from './chunk-VPZLPGDZ.js';

function withHashedTokens(createAdapter) {
	return (options) => {
		const adapter = createAdapter(options);
		return {
			...adapter,
			create: async ({ data, ...request }) => {
				const made = await adapter.create({
					...request,
					data: request.model === 'session' ? { ...data, token: hash(data.token) } : data,
				});
				return withToken(made, request.model === 'session' ? data.token : void 0);
			},
			findOne: async (request) => {
				const found = await adapter.findOne({ ...request, where: hashed(request) });
				return found && withToken(found, tokenSought(request));
			},
			findMany: ({ where = [], ...request }) =>
				adapter.findMany({ ...request, where: hashed({ ...request, where }) }),
			update: (request) => adapter.update({ ...request, where: hashed(request) }),
			delete: (request) => adapter.delete({ ...request, where: hashed(request) }),
			deleteMany: (request) => adapter.deleteMany({ ...request, where: hashed(request) }),
		};
	};
}
function hash(token) {
	return createHash('sha256').update(String(token)).digest('hex');
}
function isToken({ field }) {
	return field === 'token';
}
function tokenSought({ model, where }) {
	return model === 'session' ? where.find(isToken)?.value : void 0;
}
function hashed({ model, where }) {
	return where.map((condition) =>
		model === 'session' && isToken(condition)
			? { ...condition, value: hash(condition.value) }
			: condition,
	);
}
function withToken(row, token) {
	return token === void 0 ? row : { ...row, token };
}

// src/accounts/better-auth.ts
var sessionSeconds = 14 * 24 * 60 * 60;
async function loadBetterAuth({ query }, settings) {
	const { prefix, secure, domain } = sessionCookie(settings);
	return betterAuth({
		// Told SQLite on both databases, it keeps to text and whole numbers, as the schema does.
		database: withHashedTokens(kyselyAdapter(query, { type: 'sqlite' })),
		baseURL: settings.webUrl,
		secret: await sharedSecret(query),
		telemetry: { enabled: false },
		logger: { disabled: true },
		rateLimit: { enabled: false },
		emailAndPassword: { enabled: true, disableSignUp: true },
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
			// The prefix says so already.
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
async function isEnabled(query, id) {
	const account = await query
		.selectFrom('accounts')
		.select('disabled_at')
		.where('id', '=', id)
		.executeTakeFirst();
	return account?.disabled_at === null;
}
async function sharedSecret(query) {
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

export { loadBetterAuth };
