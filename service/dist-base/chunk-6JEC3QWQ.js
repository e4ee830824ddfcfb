// ../src/contract/api-key.ts
import * as z from 'zod/mini';
import { mayHoldSession, newId, sessionCookie } from './chunk-VPZLPGDZ.js';

var apiKeyPattern = /^key_[0-9a-f]{48}$/i;
function redact(text) {
	return text.replace(/(key|agt)_[0-9a-f]{48}/gi, '$1_[redacted]');
}
var apiKeyIdPattern = /^key_[0-9a-f]{24}$/;
var apiKey = z.object({
	id: z.string(),
	label: z.nullable(z.string()),
	hint: z.string(),
	created_at: z.string(),
	last_used_at: z.nullable(z.string()),
	revoked_at: z.nullable(z.string()),
});
var createdApiKey = z.object({ ...apiKey.shape, key: z.string() });

// ../src/contract/lease.ts
import * as z2 from 'zod/mini';

var leaseStatuses = ['queued', 'preparing', 'active', 'ended'];
var leaseEndReasons = [
	'released',
	'expired',
	'cancelled',
	'no_board',
	'prepare_failed',
	'agent_lost',
	'admin',
];
var lease = z2.object({
	id: z2.string(),
	status: z2.enum(leaseStatuses),
	board_id: z2.nullable(z2.string()),
	board_type: z2.string(),
	label: z2.nullable(z2.string()),
	/** 1 is next. Null unless the lease is queued. */
	queue_position: z2.nullable(z2.number()),
	minutes: z2.number(),
	created_at: z2.string(),
	started_at: z2.nullable(z2.string()),
	expires_at: z2.nullable(z2.string()),
	ended_at: z2.nullable(z2.string()),
	end_reason: z2.nullable(z2.enum(leaseEndReasons)),
	end_message: z2.nullable(z2.string()),
	/** Credits booked for the lease; null until it has ended. */
	credits: z2.nullable(z2.number()),
});
var boardActions = ['flash', 'erase', 'reset', 'power_on', 'power_off', 'power_cycle'];
var leaseActionStatuses = ['queued', 'running', 'done', 'failed'];
var leaseActionPhases = ['prepare', 'use'];
var leaseAction = z2.object({
	id: z2.string(),
	action: z2.enum(boardActions),
	phase: z2.enum(leaseActionPhases),
	/** The base image that the action comes from, or null. */
	name: z2.nullable(z2.string()),
	status: z2.enum(leaseActionStatuses),
	message: z2.string(),
	created_at: z2.string(),
	ended_at: z2.nullable(z2.string()),
});
var firmwareFormats = ['hex', 'uf2', 'elf', 'raw'];
var maxFileSize = 16 * 1024 * 1024;
var firmwareFile = z2.object({
	id: z2.string(),
	size: z2.number(),
	sha256: z2.string(),
	format: z2.enum(firmwareFormats),
});

// ../src/contract/base-image.ts
import * as z3 from 'zod/mini';

var baseImageActions = ['flash', 'erase'];
var highestPosition = 2147483647;
var baseImage = z3.object({
	id: z3.string(),
	action: z3.enum(baseImageActions),
	board_type: z3.string(),
	name: z3.string(),
	description: z3.string(),
	url: z3.string(),
	flash_offset: z3.string(),
	position: z3.number(),
	enabled: z3.boolean(),
	created_at: z3.string(),
});

// ../src/contract/board.ts
import * as z4 from 'zod/mini';

var boardStatuses = ['available', 'in_use', 'offline', 'maintenance'];
var board = z4.object({
	id: z4.string(),
	name: z4.string(),
	board_type: z4.string(),
	status: z4.enum(boardStatuses),
	description: z4.string(),
	tags: z4.record(z4.string(), z4.string()),
	/** Why the board is in maintenance or offline; empty otherwise. */
	status_reason: z4.string(),
	credits_per_minute: z4.number(),
	/** The lease that holds the board, for the account that has it; null for everyone else. */
	lease_id: z4.nullable(z4.string()),
	created_at: z4.string(),
	updated_at: z4.string(),
});

// ../src/contract/error.ts
import * as z5 from 'zod/mini';

var errorStatuses = {
	invalid_request: 400,
	invalid_json: 400,
	secret_in_path: 400,
	invalid_firmware: 400,
	credentials_missing: 401,
	api_key_malformed: 401,
	api_key_invalid: 401,
	api_key_revoked: 401,
	api_key_expired: 401,
	agent_token_invalid: 401,
	paid_tier_required: 402,
	credits_exhausted: 402,
	admin_required: 403,
	origin_refused: 403,
	scope_insufficient: 403,
	not_found: 404,
	key_not_found: 404,
	board_not_found: 404,
	board_type_not_found: 404,
	base_image_not_found: 404,
	lease_not_found: 404,
	action_not_found: 404,
	file_not_found: 404,
	agent_not_found: 404,
	method_not_allowed: 405,
	idempotency_in_progress: 409,
	idempotency_delivered: 409,
	no_board_available: 409,
	lease_not_active: 409,
	lease_ended: 409,
	lease_limit: 409,
	board_has_no_agent: 409,
	board_in_use: 409,
	fence_outdated: 409,
	console_gap: 409,
	body_too_large: 413,
	unsupported_media_type: 415,
	idempotency_mismatch: 422,
	rate_limited: 429,
	internal: 500,
	unavailable: 503,
};
var errorBody = z5.object({
	error: z5.object({
		code: z5.string(),
		message: z5.string(),
		hint: z5.optional(z5.string()),
		param: z5.optional(z5.string()),
		errors: z5.optional(z5.array(z5.object({ path: z5.string(), message: z5.string() }))),
		request_id: z5.string(),
	}),
});

// ../src/contract/list.ts
import * as z6 from 'zod/mini';

function pageOf(item) {
	return z6.object({ data: z6.array(item), next_cursor: z6.nullable(z6.string()) });
}

// ../src/contract/requests.ts
import * as z7 from 'zod/mini';

var listQuery = z7.strictObject({
	limit: z7.optional(
		z7
			.string()
			.check(
				z7.refine(
					(text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 200,
					'must be a whole number from 1 to 200',
				),
			),
	),
	cursor: z7.optional(z7.string().check(z7.minLength(1), z7.maxLength(500))),
});
var label = z7.string().check(
	z7.trim(),
	z7.regex(/^\P{Cc}*$/u, 'must not contain control characters'),
	z7.refine((text) => [...text].length <= 200, 'must be at most 200 characters long'),
);
var apiKeyInput = z7.strictObject({ label: z7.optional(label) });
var apiKeyQuery = z7.extend(listQuery, {
	include_revoked: z7.optional(z7.enum(['true', 'false'])),
});
var boardQuery = z7.extend(listQuery, {
	board_type: z7.optional(z7.string()),
	status: z7.optional(z7.enum(boardStatuses)),
});
function line(most) {
	return z7
		.string()
		.check(
			z7.trim(),
			z7.minLength(1, 'must not be empty'),
			z7.maxLength(most, `must be at most ${most} characters long`),
			z7.regex(/^\P{Cc}*$/u, 'must not contain control characters'),
		);
}
function isOffset(text) {
	return /^(0x[0-9a-f]{1,8}|0|[1-9]\d{0,9})$/i.test(text) && Number(text) <= 4294967295;
}
var flashOffset = z7
	.string()
	.check(
		z7.refine(
			isOffset,
			'must be 0x and 1 to 8 hex digits, or a decimal without leading zeros, at most 4294967295',
		),
	);
var webAddress = /^https?:\/\/[^\s\p{Cc}/\\?#@]+([/?#][^\s\p{Cc}]*)?$/iu;
function isWebAddress(text) {
	return webAddress.test(text) && URL.canParse(text);
}
var baseImageInput = z7
	.strictObject({
		action: z7.enum(baseImageActions, "must be 'flash' or 'erase'"),
		board_type: line(100),
		name: line(200),
		description: z7._default(
			z7.string().check(z7.maxLength(2e3, 'must be at most 2,000 characters long')),
			'',
		),
		url: z7._default(
			z7.string().check(
				z7.maxLength(2048, 'must be at most 2,048 characters long'),
				z7.refine(
					(text) => text === '' || isWebAddress(text),
					'must be an absolute http or https address, without white space or a user name',
				),
			),
			'',
		),
		flash_offset: z7._default(flashOffset, '0x0'),
		position: z7.optional(
			z7.int().check(z7.minimum(0, 'must be 0 or more'), z7.maximum(highestPosition)),
		),
		enabled: z7._default(z7.boolean(), true),
		// The server assigns these two; a record that is sent back whole is welcome.
		id: z7.optional(z7.unknown()),
		created_at: z7.optional(z7.unknown()),
	})
	.check(
		z7.refine((image) => image.action !== 'flash' || image.url !== '', {
			path: ['url'],
			error: "is required when action is 'flash'",
			// Told together with the other faults, not only once those are mended.
			when: ({ value }) => typeof value === 'object' && value !== null,
		}),
	);
function wholeNumber(least, most) {
	return z7
		.string()
		.check(
			z7.refine(
				(text) => /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most,
				`must be a whole number from ${least} to ${most}`,
			),
		);
}
var maxWaitSeconds = 60;
var minutes = z7.int().check(z7.minimum(1), z7.maximum(1440));
var leaseInput = z7
	.strictObject({
		board_type: z7.optional(line(100)),
		board_id: z7.optional(line(100)),
		minutes: z7._default(minutes, 10),
		wait_seconds: z7._default(z7.int().check(z7.minimum(0), z7.maximum(86400)), 0),
		label: z7.optional(label),
	})
	.check(
		z7.refine((wanted) => (wanted.board_type === void 0) !== (wanted.board_id === void 0), {
			path: ['board_type'],
			error: 'or board_id is required, and not both',
			when: ({ value }) => typeof value === 'object' && value !== null,
		}),
	);
var leaseListQuery = z7.extend(listQuery, { status: z7.optional(z7.enum(leaseStatuses)) });
var leaseQuery = z7.strictObject({
	wait: z7.optional(wholeNumber(0, maxWaitSeconds)),
	status: z7.optional(z7.enum(leaseStatuses)),
});
var leaseRenewal = z7.strictObject({ minutes });
var leaseActionInput = z7
	.strictObject({
		action: z7.enum(boardActions),
		file_id: z7.optional(line(100)),
		flash_offset: z7.optional(flashOffset),
	})
	.check(
		z7.refine((wanted) => (wanted.action === 'flash') === (wanted.file_id !== void 0), {
			path: ['file_id'],
			error: 'is required to flash, and for nothing else',
			when: ({ value }) => typeof value === 'object' && value !== null,
		}),
	);
var leaseActionQuery = z7.strictObject({
	wait: z7.optional(wholeNumber(0, maxWaitSeconds)),
});
var consoleQuery = z7.strictObject({
	from: z7.optional(z7.string().check(z7.regex(/^\d{1,12}$/, 'must be a whole number'))),
});
var maxConsoleInput = 4 * 1024;
var agentInput = z7.strictObject({
	name: line(200),
	board_ids: z7._default(z7.array(line(100)).check(z7.maxLength(1e3)), []),
});
var agentUpdate = z7.strictObject({
	name: z7.optional(line(200)),
	board_ids: z7.optional(z7.array(line(100)).check(z7.maxLength(1e3))),
});
var maintenanceInput = z7.strictObject({
	on: z7.boolean(),
	reason: z7._default(z7.string().check(z7.maxLength(500)), ''),
});

// src/database/database.ts
import { Kysely, PostgresDialect, sql } from 'kysely';
// src/accounts/accounts.ts
import * as z9 from 'zod/mini';

// src/database/location.ts
function isPostgres(location) {
	return /^postgres(ql)?:\/\//i.test(location);
}
function isPath(location) {
	return !isPostgres(location) && !/^(:memory:$|file:)/.test(location);
}

// src/database/sqlite.ts
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect } from 'kysely';

var mostStatements = 200;
function sqliteDialect(file) {
	makePrivate(file);
	const database = new DatabaseSync(file, { timeout: 5e3 });
	database.exec('pragma journal_mode = wal; pragma synchronous = full');
	return new LockingSqliteDialect({ database: withCachedStatements(database) });
}
function makePrivate(file) {
	if (isPath(file)) closeSync(openSync(file, 'a', 384));
}
var LockingSqliteDialect = class extends SqliteDialect {
	createAdapter() {
		return new LockingSqliteAdapter();
	}
};
var LockingSqliteAdapter = class extends SqliteAdapter {
	get supportsTransactionalDdl() {
		return true;
	}
};
function withCachedStatements(database) {
	const statements = /* @__PURE__ */ new Map();
	return {
		close: () => database.close(),
		prepare(sql7) {
			const known = statements.get(sql7);
			if (known) return known;
			if (statements.size >= mostStatements) statements.clear();
			const statement = asStatement(database.prepare(sql7 === 'begin' ? 'begin immediate' : sql7));
			statements.set(sql7, statement);
			return statement;
		},
	};
}
function asStatement(statement) {
	return {
		reader: statement.columns().length > 0,
		all: (parameters) => statement.all(...bindable(parameters)),
		run: (parameters) => statement.run(...bindable(parameters)),
		iterate: (parameters) => statement.iterate(...bindable(parameters)),
	};
}
function bindable(parameters) {
	return parameters;
}

// src/database/database.ts
async function openDatabase(location) {
	if (isPostgres(location)) return openPostgres(location);
	const query = new Kysely({ dialect: sqliteDialect(location) });
	return { query, close: () => query.destroy() };
}
async function openPostgres(connectionString) {
	const { default: postgres } = await import('pg');
	const pool = new postgres.Pool({
		connectionString,
		max: 20,
		connectionTimeoutMillis: 3e3,
		query_timeout: 1e4,
		keepAlive: true,
	});
	pool.on('error', () => {});
	pool.on('connect', (client) => client.on('error', () => {}));
	const query = new Kysely({ dialect: new PostgresDialect({ pool }) });
	return { query, pool, close: () => query.destroy() };
}
async function ping(database) {
	await sql`select 1`.execute(database.query);
}
var postgresAway = /^(08...|53...|57P0[1-3]|58...|40001|40P01|25006)$/;
var networkAway = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/;
var poolAway =
	/timeout exceeded when trying to connect|connection terminated|query read timeout|not queryable|cached plan must not change/i;
var sqliteAway = /* @__PURE__ */ new Set([5, 6, 7, 8, 10, 13, 14]);
function isDatabaseAway(error) {
	if (!(error instanceof Error)) return false;
	if (error instanceof AggregateError && error.errors.some(isDatabaseAway)) return true;
	const { code = '', errcode } = error;
	if (code === 'ERR_SQLITE_ERROR')
		return typeof errcode === 'number' && sqliteAway.has(errcode & 255);
	return (
		(typeof code === 'string' && (postgresAway.test(code) || networkAway.test(code))) ||
		poolAway.test(error.message)
	);
}

// src/errors.ts
var ApiError = class extends Error {
	code;
	details;
	constructor(code, message, details = {}) {
		super(message);
		this.code = code;
		this.details = details;
	}
};

// src/validation.ts
function validate(schema, value) {
	const result = schema.safeParse(value, { error: explain });
	if (!result.success) throw invalid(result.error.issues.flatMap(issuesOf));
	refuseNul(result.data);
	return result.data;
}
function refuseNul(values) {
	const holding = Object.entries(Object(values)).filter(
		([, value]) => typeof value === 'string' && value.includes('\0'),
	);
	if (holding.length === 0) return;
	throw invalid(holding.map(([path]) => ({ path, message: 'must not contain NUL' })));
}
function invalid(errors) {
	const [first] = errors;
	const message = errors
		.map(({ path, message: message2 }) => `${path || 'The body'} ${message2}`)
		.join('; ');
	return new ApiError('invalid_request', `${message}.`, {
		...(first && { param: first.path }),
		errors,
	});
}
function explain(issue) {
	switch (issue.code) {
		case 'invalid_value':
			return `must be one of ${issue.values.join(', ')}`;
		case 'invalid_type':
			return issue.input === void 0 ? 'is required' : `must be of type ${issue.expected}`;
		case 'too_small':
			return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters long' : ''}`;
		case 'too_big':
			return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
		default:
			return 'is not valid';
	}
}
function issuesOf(issue) {
	const path = issue.path.join('.');
	if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
	return issue.keys.map((key) => ({ path: printableName(key), message: 'is not known here' }));
}
function printableName(name) {
	return redact(name).slice(0, 100);
}

// src/accounts/credentials.ts
import * as z8 from 'zod/mini';

var password = z8
	.string()
	.check(
		z8.minLength(8, 'must be at least 8 characters long'),
		z8.maxLength(128, 'must be at most 128 characters long'),
	);
var credentials = z8.object({
	email: z8.email('must be an email address').check(z8.maxLength(254)),
	password,
});
function checkCredentials(given) {
	validate(credentials, given);
}
function checkNextPassword(next) {
	validate(z8.object({ next: password }), { next });
}

// src/accounts/store.ts
import { hashPassword } from '@better-auth/utils/password';

// src/database/time.ts
function now() {
	return /* @__PURE__ */ new Date().toISOString();
}

// src/accounts/store.ts
var EmailTakenError = class extends Error {
	name = 'EmailTakenError';
	message = 'There is an account with this email address already.';
};
async function createAccount(db, { email: email3, password: password2, role = 'user' }) {
	const password_hash = await hashPassword(password2);
	const id = newId('acc');
	const times = { created_at: now(), updated_at: now() };
	const account = { id, email: email3.toLowerCase(), role };
	await db.transaction().execute(async (transaction) => {
		const { numInsertedOrUpdatedRows } = await transaction
			.insertInto('accounts')
			.values({ ...account, disabled_at: null, ...times })
			.onConflict((conflict) => conflict.column('email').doNothing())
			.executeTakeFirstOrThrow();
		if (numInsertedOrUpdatedRows === 0n) throw new EmailTakenError();
		const credential = { provider: 'credential', issuer: 'local:credential', subject: id };
		await transaction
			.insertInto('credentials')
			.values({ id: newId('acc'), account_id: id, ...credential, password_hash, ...times })
			.execute();
	});
	return account;
}
function findAccount(db, email3) {
	return db
		.selectFrom('accounts')
		.selectAll()
		.where('email', '=', email3.toLowerCase())
		.executeTakeFirst();
}
async function setRole(db, id, role) {
	await db.updateTable('accounts').set({ role, updated_at: now() }).where('id', '=', id).execute();
}
function disableAccount(db, id) {
	return db.transaction().execute(async (transaction) => {
		await transaction
			.updateTable('accounts')
			.set({ disabled_at: now(), updated_at: now() })
			.where('id', '=', id)
			.where('disabled_at', 'is', null)
			.execute();
		await transaction.deleteFrom('sessions').where('account_id', '=', id).execute();
	});
}
async function enableAccount(db, id) {
	await db
		.updateTable('accounts')
		.set({ disabled_at: null, updated_at: now() })
		.where('id', '=', id)
		.execute();
}
function forgetOldSessions(db) {
	return db.deleteFrom('sessions').where('expires_at', '<', now()).execute();
}

// src/accounts/accounts.ts
function createAccounts({ database, settings, limits }) {
	let loading;
	const betterAuth = () => {
		loading ??= import('./better-auth-75VLUNJG.js').then((module) =>
			module.loadBetterAuth(database, settings),
		);
		loading.catch(() => (loading = void 0));
		return loading;
	};
	const ask = async (request) => {
		const answer2 = await request((await betterAuth()).api);
		if (answer2.status < 500) return answer2;
		await ping(database);
		throw new Error(`better-auth answered ${answer2.status}`);
	};
	const enter = async ({ headers }, { email: email3, password: password2 }) => {
		const body = { email: email3, password: password2 };
		const answer2 = await ask((api) => api.signInEmail({ body, headers, asResponse: true }));
		if (!answer2.ok) throw new ApiError('invalid_request', logInRefused);
		return cookiesOf(answer2);
	};
	return {
		async logIn(visitor, credentials2) {
			const { email: email3 } = credentials2;
			await limits.attempt({ address: visitor.address, email: email3 });
			const entered = await enter(visitor, credentials2);
			await limits.forgive(email3);
			return entered;
		},
		/** Makes an account on the free tier and logs it in. */
		async signUp(visitor, credentials2) {
			checkCredentials(credentials2);
			await limits.attempt({ address: visitor.address });
			await createAccount(database.query, credentials2).catch(tellTaken);
			return enter(visitor, credentials2);
		},
		async logOut({ headers }) {
			return cookiesOf(await ask((api) => api.signOut({ headers, asResponse: true })));
		},
		/** Changes the password and ends every other session of the account. */
		async changePassword({ address, headers }, { current, next }) {
			checkNextPassword(next);
			await limits.attempt({ address });
			const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
			const answer2 = await ask((api) => api.changePassword({ body, headers, asResponse: true }));
			if (!answer2.ok) throw invalid([{ path: 'current', message: 'is wrong' }]);
			return cookiesOf(answer2);
		},
		/** The account whose session the cookie holds, if there is one. */
		async current(headers) {
			if (!mayHoldSession(headers.get('cookie'))) return void 0;
			const answer2 = await ask((api) => api.getSession({ headers, asResponse: true }));
			const session = sessionAnswer.parse(await answer2.json());
			return session?.user.disabledAt === null ? session.user : void 0;
		},
	};
}
var sessionAnswer = z9.nullable(
	z9.object({
		user: z9.object({
			id: z9.string(),
			email: z9.string(),
			role: z9.enum(['user', 'admin']),
			disabledAt: z9.nullable(z9.string()),
		}),
	}),
);
var logInRefused = 'The email address or the password is wrong, or the account is disabled.';
function cookiesOf(answer2) {
	return { cookies: answer2.headers.getSetCookie() };
}
function tellTaken(error) {
	if (!(error instanceof EmailTakenError)) throw error;
	throw invalid([{ path: 'email', message: 'belongs to an account already' }]);
}

// src/app.ts
import { Hono } from 'hono';

// src/database/prepared.ts
var compiled = /* @__PURE__ */ new WeakMap();
async function runPrepared({ query: db, pool }, { shape, build, parameters }) {
	const known = compiled.get(db) ?? /* @__PURE__ */ new Map();
	compiled.set(db, known);
	const query = known.get(shape) ?? build(db).compile();
	known.set(shape, query);
	const { rows } = pool
		? await pool.query({ name: shape, text: query.sql, values: [...parameters] })
		: await db.executeQuery({ ...query, parameters });
	return rows;
}

// src/keys/secret.ts
import { createHash, randomBytes } from 'node:crypto';

function generateKey() {
	return `key_${randomBytes(24).toString('hex')}`;
}
function hashKey(key) {
	return createHash('sha256').update(key).digest('hex');
}
function keyIdFrom(hash2) {
	return `key_${hash2.slice(0, 24)}`;
}
function keyHint(key) {
	return `${key.slice(0, 8)}\u2026${key.slice(-4)}`;
}

// src/keys/lookup.ts
async function findKeyOwner(database, key) {
	const [owner] = await runPrepared(database, {
		shape: 'key owner',
		build: (db) =>
			db
				.selectFrom('api_keys')
				.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
				.select([
					'api_keys.id as keyId',
					'api_keys.revoked_at as revokedAt',
					'api_keys.last_used_at as lastUsedAt',
					'accounts.id as accountId',
					'accounts.role',
					'accounts.disabled_at as disabledAt',
				])
				.where('api_keys.hash', '=', ''),
		parameters: [hashKey(key)],
	});
	return owner;
}

// src/http/address.ts
import { isIPv6 } from 'node:net';

function callerAddress(c, { trustProxy }) {
	const forwarded = trustProxy && c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
	return networkOf(forwarded || (c.env?.incoming?.socket.remoteAddress ?? 'in-process'));
}
function networkOf(given) {
	const address = withoutPort(given);
	const [plain = ''] = address.split('%');
	if (!isIPv6(plain)) return address;
	const shortest = new URL(`http://[${plain}]`).hostname.slice(1, -1);
	if (shortest.startsWith('::ffff:')) return shortest;
	const [before, after] = shortest.split('::').map((part) => part.split(':').filter(Boolean));
	const left = 8 - (before?.length ?? 0) - (after?.length ?? 0);
	const groups = [...(before ?? []), ...Array(left).fill('0'), ...(after ?? [])];
	return `${groups.slice(0, 4).join(':')}::/64`;
}
function withoutPort(address) {
	return address.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
}

// src/http/origin.ts
import { isIP } from 'node:net';

var harmless = /* @__PURE__ */ new Set(['GET', 'HEAD', 'OPTIONS']);
function requireOwnOrigin(c, { baseUrl, webUrl }) {
	if (harmless.has(c.req.method)) return;
	const site = c.req.header('sec-fetch-site');
	if (site === 'same-origin') return;
	const configured = [baseUrl, webUrl];
	const own = configured.some(isNamed) ? configured : [...configured, c.req.url];
	const origins = own.map((url) => new URL(url).origin);
	if (site !== 'cross-site' && origins.includes(c.req.header('origin') ?? '')) return;
	throw new ApiError(
		'origin_refused',
		'A request with a session cookie must come from this site.',
		{
			hint: 'Programs use an API key instead of the cookie.',
		},
	);
}
function isNamed(url) {
	const { hostname } = new URL(url);
	return hostname !== 'localhost' && isIP(hostname.replace(/[[\]]/g, '')) === 0;
}

// src/http/authenticate.ts
function createAuthenticate(needs) {
	const byCookie = createByCookie(needs);
	const byKey = createByKey(needs);
	return async (c) => {
		const caller = (await byCookie(c)) ?? (await byKey(c));
		await needs.limits.request(caller);
		return caller;
	};
}
function requireAdmin({ role }) {
	if (role !== 'admin') throw new ApiError('admin_required', 'This needs an administrator.');
}
function createByCookie({ accounts, settings }) {
	return async (c) => {
		if (!mayHoldSession(c.req.header('cookie'))) return void 0;
		const account = await accounts.current(c.req.raw.headers);
		if (!account) return void 0;
		requireOwnOrigin(c, settings);
		return { accountId: account.id, role: account.role };
	};
}
function createByKey({ database, lastUsed, limits, settings }) {
	return async (c) => {
		const refuse = async (fault) => {
			await limits.refusedKey(callerAddress(c, settings));
			throw fault;
		};
		const header = c.req.header('authorization');
		if (!header) throw missing();
		const key = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
		if (!apiKeyPattern.test(key)) return refuse(malformed());
		const found = await findKeyOwner(database, key.toLowerCase());
		if (!found) return refuse(unknown2());
		if (found.revokedAt || found.disabledAt) return refuse(revoked());
		lastUsed.touch(found.keyId, { first: found.lastUsedAt === null });
		return { accountId: found.accountId, role: found.role, keyId: found.keyId };
	};
}
function missing() {
	return new ApiError('credentials_missing', 'This needs an API key.', {
		hint: 'Send it as Authorization: Bearer key_\u2026',
	});
}
function malformed() {
	return new ApiError('api_key_malformed', 'The Authorization header does not hold an API key.', {
		hint: 'Send Authorization: Bearer and then key_ with 48 hexadecimal characters.',
	});
}
function unknown2() {
	return new ApiError('api_key_invalid', 'This service has not issued this API key.');
}
function revoked() {
	return new ApiError('api_key_revoked', 'This API key was revoked, or its account was disabled.');
}

// src/http/read.ts
import { createHash as createHash2 } from 'node:crypto';
import * as z10 from 'zod/mini';

var mostBytes = 64 * 1024;
var noQuery = z10.strictObject({});
function readQuery(c, schema) {
	const values = {};
	for (const [name, value] of new URL(c.req.url).searchParams) {
		if (Object.hasOwn(values, name)) {
			throw invalid([{ path: printableName(name), message: 'must be given once' }]);
		}
		if (name === '__proto__') throw invalid([{ path: name, message: 'is not known here' }]);
		values[name] = value;
	}
	return validate(schema, values);
}
async function readBody(c, schema, emptyAs) {
	const bytes = await readBytes(c.req.raw);
	if (bytes.length === 0 && emptyAs !== void 0) return validate(schema, emptyAs);
	requireJson(c.req.header('content-type'));
	return validate(schema, parseJson(bytes));
}
function requestDigest(c, body) {
	return createHash2('sha256')
		.update(JSON.stringify([c.req.method, c.req.path, body]))
		.digest('hex');
}
async function readBytes(request) {
	if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge();
	const chunks = [];
	let size = 0;
	for await (const chunk of arriving(request)) {
		size += chunk.length;
		if (size > mostBytes) throw tooLarge();
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
async function* arriving({ body }) {
	try {
		yield* body ?? [];
	} catch {
		throw new ApiError('invalid_json', 'The request body did not arrive whole.');
	}
}
function tooLarge() {
	return new ApiError('body_too_large', 'The request body is larger than 64 KiB.', {
		headers: { connection: 'close' },
	});
}
function requireJson(contentType) {
	if (/^application\/json\s*(;|$)/i.test(contentType ?? '')) return;
	throw new ApiError('unsupported_media_type', 'The request body must be application/json.');
}
var utf8 = new TextDecoder('utf-8', { fatal: true });
function parseJson(bytes) {
	try {
		return JSON.parse(utf8.decode(bytes));
	} catch {
		throw new ApiError('invalid_json', 'The request body is not valid JSON.');
	}
}

// src/http/respond.ts
function answer(c, body, { status = 200, headers } = {}) {
	return new Response(JSON.stringify(body), {
		status,
		headers: {
			'content-type': 'application/json',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
			'x-request-id': c.get('requestId'),
			...headers,
		},
	});
}
function respondCreated(c, { result, replayed }) {
	return answer(c, result, { status: 201, ...(replayed && { headers: replayedHeaders }) });
}
var replayedHeaders = { 'idempotent-replayed': 'true' };

// src/http/idempotency.ts
import { sql as sql2 } from 'kysely';

var keptMilliseconds = 24 * 60 * 60 * 1e3;
async function once({ query, pool }, { key, accountId, digest: digest2, create, replay }) {
	if (key === void 0) return { result: await create(query), replayed: false };
	if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
		throw invalid([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' }]);
	}
	if (redact(key) !== key) {
		throw invalid([{ path: 'Idempotency-Key', message: 'must not hold an API key' }]);
	}
	return query.transaction().execute(async (db) => {
		if (pool) await sql2`set local lock_timeout = '5s'`.execute(db);
		const note = await takeNote(db, { accountId, key, digest: digest2 });
		if (note.request_hash !== digest2) throw mismatch();
		const replayed = note.resource_id !== null;
		const result =
			note.resource_id === null ? await create(db) : await replay(db, note.resource_id);
		await db
			.updateTable('idempotency')
			.set({ resource_id: result.id })
			.where('account_id', '=', accountId)
			.where('idempotency_key', '=', key)
			.execute();
		return { result, replayed };
	});
}
function forgetOldNotes(db) {
	return db.deleteFrom('idempotency').where('created_at', '<', oldest()).execute();
}
function oldest() {
	return new Date(Date.now() - keptMilliseconds).toISOString();
}
async function takeNote(db, { accountId, key, digest: digest2 }) {
	await db
		.deleteFrom('idempotency')
		.where('account_id', '=', accountId)
		.where('idempotency_key', '=', key)
		.where('created_at', '<', oldest())
		.execute()
		.catch(rethrowLock);
	return db
		.insertInto('idempotency')
		.values({
			account_id: accountId,
			idempotency_key: key,
			request_hash: digest2,
			resource_id: null,
			created_at: now(),
		})
		.onConflict((conflict) =>
			conflict.columns(['account_id', 'idempotency_key']).doUpdateSet({ account_id: accountId }),
		)
		.returningAll()
		.executeTakeFirstOrThrow()
		.catch(rethrowLock);
}
function rethrowLock(error) {
	const lockNotAvailable = '55P03';
	if (error instanceof Error && 'code' in error && error.code === lockNotAvailable) {
		throw new ApiError(
			'idempotency_in_progress',
			'The first request with this key is still running.',
			{
				headers: { 'retry-after': '1' },
			},
		);
	}
	throw error;
}
function mismatch() {
	return new ApiError(
		'idempotency_mismatch',
		'This Idempotency-Key was used for another request.',
		{
			hint: 'Use a new key for a new request.',
		},
	);
}

// src/base-images/store.ts
async function createBaseImage(db, input) {
	const { action, board_type, name, description, url, flash_offset, enabled, position } = input;
	const row = await db
		.insertInto('base_images')
		.values((eb) => ({
			id: newId('img'),
			action,
			board_type,
			name,
			description,
			url,
			flash_offset,
			position:
				position ??
				eb
					.selectFrom('base_images')
					.select(({ fn, val }) => eb(fn.coalesce(fn.max('position'), val(-1)), '+', 1).as('next'))
					.where('board_type', '=', board_type)
					.where('position', '<', highestPosition),
			enabled: enabled ? 1 : 0,
			created_at: now(),
		}))
		.returningAll()
		.executeTakeFirstOrThrow();
	return baseImageRecord(row);
}
async function findBaseImage(db, id) {
	return baseImageRecord(
		await db.selectFrom('base_images').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
	);
}
async function listBaseImages(db) {
	const rows = await db
		.selectFrom('base_images')
		.selectAll()
		.orderBy('board_type')
		.orderBy('position')
		.orderBy('created_at')
		.orderBy('id')
		.execute();
	return rows.map(baseImageRecord);
}
function baseImageRecord(row) {
	return { ...row, enabled: row.enabled === 1 };
}

// src/base-images/create.ts
function createBaseImageOnce(c, database, { key, accountId, image }) {
	const { id: _id, created_at: _createdAt, ...input } = image;
	return once(database, {
		key,
		accountId,
		digest: requestDigest(c, input),
		create: (db) => createBaseImage(db, input),
		replay: findBaseImage,
	});
}

// src/base-images/routes.ts
function baseImageRoutes(app, { database, authenticate }) {
	app.post('/v1/admin/base-images', async (c) => {
		const caller = await authenticate(c);
		requireAdmin(caller);
		readQuery(c, noQuery);
		const created = await createBaseImageOnce(c, database, {
			key: c.req.header('idempotency-key'),
			accountId: caller.accountId,
			image: await readBody(c, baseImageInput),
		});
		return respondCreated(c, created);
	});
}

// src/database/pagination.ts
import { createHash as createHash3 } from 'node:crypto';

var defaultLimit = 100;
function pageRequest(list, query) {
	const limit = query.limit === void 0 ? defaultLimit : Number(query.limit);
	if (query.cursor === void 0) return { limit };
	return { limit, after: readCursor(list, query.cursor) };
}
function pageFrom(rows, { list, limit, place }) {
	const data = rows.slice(0, limit);
	const last = data.at(-1);
	const more = rows.length > limit && last !== void 0;
	return { data, next_cursor: more ? writeCursor(list, place(last)) : null };
}
function writeCursor(list, place) {
	return Buffer.from(JSON.stringify([fingerprint(list), ...place])).toString('base64url');
}
function readCursor(list, cursor) {
	const parts = parse(Buffer.from(cursor, 'base64url').toString());
	if (Array.isArray(parts) && parts.length === 3 && parts.every(isText)) {
		const [of, first, second] = parts;
		if (of === fingerprint(list) && first !== void 0 && second !== void 0) {
			return [first, second];
		}
	}
	throw invalid([{ path: 'cursor', message: 'does not belong to this list' }]);
}
function fingerprint(list) {
	return createHash3('sha256').update(list).digest('base64url').slice(0, 8);
}
function isText(part) {
	return typeof part === 'string' && !part.includes('\0');
}
function parse(text) {
	try {
		return JSON.parse(text);
	} catch {
		return void 0;
	}
}

// src/boards/store.ts
var boardColumns = [
	'id',
	'name',
	'board_type',
	'status',
	'status_reason',
	'description',
	'tags',
	'credits_per_minute',
	'created_at',
	'updated_at',
];
async function listBoards(database, filter, { limit, after }) {
	const { board_type, status } = filter;
	const parameters = [board_type, status, ...(after ?? [])].filter((value) => value !== void 0);
	const rows = await runPrepared(database, {
		shape: `boards ${board_type !== void 0} ${status !== void 0} ${after !== void 0}`,
		build: (db) => boardPage(db, filter, after),
		parameters: [...parameters, limit + 1],
	});
	const page = pageFrom(rows, {
		list: boardList(filter),
		limit,
		place: ({ name, id }) => [name, id],
	});
	return { ...page, data: page.data.map(boardRecord) };
}
function boardPage(db, filter, after) {
	let query = filteredBoards(db, filter).select(boardColumns);
	if (after) {
		query = query.where(({ eb, refTuple, tuple }) =>
			eb(refTuple('name', 'id'), '>', tuple(...after)),
		);
	}
	return query.orderBy('name').orderBy('id').limit(1);
}
function filteredBoards(db, { board_type, status }) {
	let query = db.selectFrom('boards');
	if (board_type !== void 0) query = query.where('board_type', '=', board_type);
	if (status !== void 0) query = query.where('status', '=', status);
	return query;
}
function boardList({ board_type, status }) {
	return JSON.stringify(['boards', board_type, status]);
}
async function listBoardTypes(db) {
	const rows = await db
		.selectFrom('boards')
		.select('board_type')
		.distinct()
		.orderBy('board_type')
		.execute();
	return rows.map((row) => row.board_type);
}
function boardRecord({
	id,
	name,
	board_type,
	status,
	status_reason,
	description,
	tags,
	credits_per_minute,
	created_at,
	updated_at,
}) {
	return {
		id,
		name,
		board_type,
		status,
		status_reason,
		description,
		// Written by this service, as a JSON object of strings.
		tags: JSON.parse(tags),
		credits_per_minute,
		lease_id: null,
		// filled in for the account that holds the board
		created_at,
		updated_at,
	};
}

// src/boards/routes.ts
function boardRoutes(app, { database, authenticate }) {
	app.get('/v1/boards', async (c) => {
		await authenticate(c);
		const query = readQuery(c, boardQuery);
		const page = pageRequest(boardList(query), query);
		return answer(c, await listBoards(database, query, page));
	});
}

// src/http/cors.ts
import { cors } from 'hono/cors';

function allowWebPages(app, { baseUrl, webUrl }) {
	const origin = new URL(webUrl).origin;
	if (origin === new URL(baseUrl).origin) return;
	const allowMethods = ['GET', 'POST', 'DELETE'];
	app.use('/v1/*', cors({ origin, credentials: true, allowMethods, exposeHeaders }));
}
var exposeHeaders = [
	'X-Request-Id',
	'Retry-After',
	'RateLimit',
	'RateLimit-Policy',
	'Idempotent-Replayed',
];

// src/http/error-response.ts
var fixedHeaders = {
	credentials_missing: { 'www-authenticate': 'Bearer' },
	api_key_malformed: { 'www-authenticate': 'Bearer error="invalid_token"' },
	api_key_invalid: { 'www-authenticate': 'Bearer error="invalid_token"' },
	api_key_revoked: { 'www-authenticate': 'Bearer error="invalid_token"' },
	unavailable: { 'retry-after': '2' },
};
function errorResponse(error, request, requestId2) {
	const { code, message, details } = error;
	const { headers, ...rest } = details;
	const status = errorStatuses[code];
	const problem = request.headers.get('accept')?.includes('application/problem+json') ?? false;
	const body = problem
		? {
				type: 'about:blank',
				title: code,
				status,
				detail: message,
				code,
				...rest,
				request_id: requestId2,
			}
		: { error: { code, message, ...rest, request_id: requestId2 } };
	return new Response(JSON.stringify(body), {
		status,
		headers: {
			'content-type': problem ? 'application/problem+json' : 'application/json',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
			'x-request-id': requestId2,
			...fixedHeaders[code],
			...headers,
		},
	});
}

// src/http/health.ts
function healthRoutes(app, { database, metrics }) {
	app.get('/healthz', (c) => answer(c, { status: 'ok' }));
	app.get('/readyz', async (c) => {
		await ping(database);
		return answer(c, { status: 'ok' });
	});
	app.get('/metrics', async (c) =>
		c.body(await metrics.text(), 200, { 'content-type': metrics.contentType }),
	);
}

// src/http/watch.ts
import { randomUUID } from 'node:crypto';
import { routePath } from 'hono/route';

var wellFormed = /^[\w.:-]{1,128}$/;
function watchRequests(app, { log, metrics, stopping }, respondToError2) {
	app.use(async (c, next) => {
		const started = performance.now();
		c.set('requestId', requestId(c));
		if (stopping.aborted) throw new ApiError('unavailable', 'The service is stopping.');
		await next();
		const milliseconds = performance.now() - started;
		const { method } = c.req;
		const { status } = c.res;
		const route = routePath(c, -1);
		metrics.observe({ method, route, status }, milliseconds / 1e3);
		log.info({ request: c.get('requestId'), method, route, status, milliseconds });
	});
	app.onError((error, c) => {
		const known = asApiError(error);
		if (known.code === 'internal' || known.code === 'unavailable') {
			log.error({ request: c.get('requestId'), error }, known.message);
		}
		return respondToError2(known, c.req.raw, c.get('requestId'));
	});
}
function requestId(c) {
	const given = c.req.header('x-request-id');
	return given && wellFormed.test(given) && redact(given) === given ? given : randomUUID();
}
function asApiError(error) {
	if (error instanceof ApiError) return error;
	if (isDatabaseAway(error)) return new ApiError('unavailable', 'The database cannot be reached.');
	return new ApiError('internal', 'Something went wrong on our side.');
}

// src/credits/tier.ts
async function isPaidTier(db, accountId) {
	const entry = await db
		.selectFrom('credit_entries')
		.select('id')
		.where('account_id', '=', accountId)
		.where('amount', '>', 0)
		.limit(1)
		.executeTakeFirst();
	return entry !== void 0;
}
async function requirePaidTier(db, accountId, webUrl) {
	if (await isPaidTier(db, accountId)) return;
	throw new ApiError('paid_tier_required', 'Creating API keys needs the paid tier.', {
		hint: `Top up credits at ${webUrl}/credits`,
	});
}

// src/keys/store.ts
var record2 = ['id', 'label', 'hint', 'created_at', 'last_used_at', 'revoked_at'];
async function createKey(db, { accountId, label: label2 }) {
	const key = generateKey();
	const hash2 = hashKey(key);
	const row = await db
		.insertInto('api_keys')
		.values({
			id: keyIdFrom(hash2),
			account_id: accountId,
			hash: hash2,
			hint: keyHint(key),
			label: label2 || null,
			created_at: now(),
			last_used_at: null,
			revoked_at: null,
		})
		.returning(record2)
		.executeTakeFirstOrThrow();
	return { ...row, key };
}
async function listKeys(db, { accountId, includeRevoked }, { limit, after }) {
	let query = db.selectFrom('api_keys').select(record2).where('account_id', '=', accountId);
	if (!includeRevoked) query = query.where('revoked_at', 'is', null);
	if (after) {
		query = query.where(({ eb, refTuple, tuple }) =>
			eb(refTuple('created_at', 'id'), '<', tuple(...after)),
		);
	}
	const rows = await query
		.orderBy('created_at', 'desc')
		.orderBy('id', 'desc')
		.limit(limit + 1)
		.execute();
	const list = keyList(accountId, includeRevoked);
	return pageFrom(rows, { list, limit, place: (row) => [row.created_at, row.id] });
}
function keyList(accountId, includeRevoked) {
	return `keys ${accountId} ${includeRevoked}`;
}
function findKey(db, { accountId, id }) {
	return db
		.selectFrom('api_keys')
		.select(record2)
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
}
function noSuchKey() {
	return new ApiError('key_not_found', 'There is no such API key.');
}
async function revokeKey(db, { accountId, id }) {
	return db
		.updateTable('api_keys')
		.set(({ fn, val, ref }) => ({ revoked_at: fn.coalesce(ref('revoked_at'), val(now())) }))
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.returning(record2)
		.executeTakeFirst();
}
function revokeUnusedKey(db, { accountId, id }) {
	return db
		.updateTable('api_keys')
		.set({ revoked_at: now() })
		.where('id', '=', id)
		.where('account_id', '=', accountId)
		.where('last_used_at', 'is', null)
		.where('revoked_at', 'is', null)
		.returning(record2)
		.executeTakeFirst();
}

// src/keys/replace.ts
async function replaceUnusedKey(db, { accountId, id, used }) {
	const first = used ? void 0 : await revokeUnusedKey(db, { accountId, id });
	if (!first) {
		const told3 = 'The key of this request was delivered, and has been used or revoked.';
		throw new ApiError('idempotency_delivered', told3, {
			hint: 'Use another Idempotency-Key to create another API key.',
		});
	}
	return createKey(db, { accountId, label: first.label ?? void 0 });
}

// src/keys/routes.ts
function keyRoutes(app, { database, settings, authenticate, lastUsed }) {
	app.get('/v1/auth/keys', async (c) => {
		const { accountId } = await authenticate(c);
		const query = readQuery(c, apiKeyQuery);
		const includeRevoked = query.include_revoked === 'true';
		const page = pageRequest(keyList(accountId, includeRevoked), query);
		return answer(c, await listKeys(database.query, { accountId, includeRevoked }, page));
	});
	app.post('/v1/auth/keys', async (c) => {
		const { accountId } = await authenticate(c);
		readQuery(c, noQuery);
		const input = await readBody(c, apiKeyInput, {});
		await requirePaidTier(database.query, accountId, settings.webUrl);
		const created = await once(database, {
			key: c.req.header('idempotency-key'),
			accountId,
			digest: requestDigest(c, input),
			create: (db) => createKey(db, { accountId, label: input.label }),
			replay: (db, id) => replaceUnusedKey(db, { accountId, id, used: lastUsed.holds(id) }),
		});
		return respondCreated(c, created);
	});
	app.delete('/v1/auth/keys/:id', async (c) => {
		const { accountId } = await authenticate(c);
		readQuery(c, noQuery);
		const id = keyId(c.req.param('id'));
		const revoked2 = id && (await revokeKey(database.query, { accountId, id }));
		if (!revoked2) throw noSuchKey();
		return answer(c, revoked2);
	});
}
function keyId(text) {
	if (apiKeyPattern.test(text)) {
		throw new ApiError(
			'secret_in_path',
			'The path holds an API key; give the identifier of the key.',
			{
				hint: 'An address is often logged on its way here. Revoke this key by its id.',
			},
		);
	}
	return apiKeyIdPattern.test(text) ? text : void 0;
}

// src/openapi/document.ts
import * as z11 from 'zod/mini';

// src/openapi/operations.ts
var creation = [
	'invalid_json',
	'origin_refused',
	'idempotency_in_progress',
	'body_too_large',
	'unsupported_media_type',
	'idempotency_mismatch',
];
var idempotencyKey = {
	name: 'Idempotency-Key',
	in: 'header',
	description: 'Makes it safe to send the request again; kept for 24 hours.',
	schema: { type: 'string', minLength: 1, maxLength: 255 },
};
var keyId2 = {
	name: 'id',
	in: 'path',
	required: true,
	description: 'The identifier of the key, not the key.',
	schema: { type: 'string', pattern: '^key_[0-9a-f]{24}$' },
};
var operations = {
	'/v1/auth/keys': {
		get: {
			operationId: 'listKeys',
			summary: 'List the API keys of the account',
			description: 'Newest first. Revoked keys are left out unless they are asked for.',
			tag: 'API keys',
			query: apiKeyQuery,
			success: { status: 200, schema: 'ApiKeyPage', description: 'A page of keys' },
			errors: [],
		},
		post: {
			operationId: 'createKey',
			summary: 'Create an API key',
			description:
				'Needs the paid tier. The key is in this answer and nowhere else: only its hash is kept. A request that is sent again with the same Idempotency-Key replaces a first key that was never used.',
			tag: 'API keys',
			parameters: [idempotencyKey],
			input: { schema: 'ApiKeyInput', required: false },
			success: { status: 201, schema: 'CreatedApiKey', description: 'The key, shown this once' },
			errors: [...creation, 'paid_tier_required', 'idempotency_delivered'],
		},
	},
	'/v1/auth/keys/{id}': {
		delete: {
			operationId: 'revokeKey',
			summary: 'Revoke an API key',
			description: 'It stops working at once. Revoking it again answers the same.',
			tag: 'API keys',
			parameters: [keyId2],
			success: { status: 200, schema: 'ApiKey', description: 'The revoked key' },
			errors: ['secret_in_path', 'origin_refused', 'key_not_found'],
		},
	},
	'/v1/boards': {
		get: {
			operationId: 'listBoards',
			summary: 'List the boards',
			tag: 'Boards',
			query: boardQuery,
			success: { status: 200, schema: 'BoardPage', description: 'A page of boards, by name' },
			errors: [],
		},
	},
	'/v1/admin/base-images': {
		post: {
			operationId: 'createBaseImage',
			summary: 'Create a base image',
			description:
				'For administrators. `flash` needs `url`. Without a position it goes after the last of its board type. `id` and `created_at` are assigned, whatever is sent.',
			tag: 'Base images',
			parameters: [idempotencyKey],
			input: { schema: 'BaseImageInput', required: true },
			success: { status: 201, schema: 'BaseImage', description: 'The base image' },
			errors: [...creation, 'admin_required'],
		},
	},
};

// src/openapi/document.ts
var common = [
	'invalid_request',
	'credentials_missing',
	'api_key_malformed',
	'api_key_invalid',
	'api_key_revoked',
	'rate_limited',
	'internal',
	'unavailable',
];
var schemas = {
	ApiKey: apiKey,
	CreatedApiKey: createdApiKey,
	Board: board,
	BaseImage: z11.extend(baseImage, { position: z11.int() }),
	Error: errorBody,
};
var inputs = { ApiKeyInput: apiKeyInput, BaseImageInput: baseImageInput };
function openapiDocument(addresses) {
	return {
		openapi: '3.1.0',
		info: {
			title: 'Board Access Service',
			version: '1',
			summary: 'Boards, API keys and base images',
			description:
				'Send an API key as `Authorization: Bearer key_\u2026`. Every answer carries `X-Request-Id`. Lists are paged: follow `next_cursor` until it is null.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: addresses.baseUrl }],
		security: [{ apiKey: [] }, { session: [] }],
		tags: [
			{ name: 'Boards', description: 'What can be used' },
			{ name: 'API keys', description: 'Credentials of the account' },
			{ name: 'Base images', description: 'What can be flashed or erased' },
		],
		paths: mapValues(operations, (methods) => mapValues(methods, describeOperation)),
		components: {
			securitySchemes: {
				apiKey: {
					type: 'http',
					scheme: 'bearer',
					bearerFormat: 'key_ and 48 hexadecimal characters',
				},
				session: {
					type: 'apiKey',
					in: 'cookie',
					name: `${sessionCookie(addresses).prefix}.session_token`,
				},
			},
			schemas: {
				...mapValues(schemas, (schema) => jsonSchema(schema, 'output')),
				ApiKeyPage: pageSchema('ApiKey'),
				BoardPage: pageSchema('Board'),
				...mapValues(inputs, (schema) => jsonSchema(schema, 'input')),
			},
		},
	};
}
function describeOperation({ tag, input, success, errors, query, parameters, ...rest }) {
	return {
		...rest,
		parameters: parametersOf({ query, parameters }),
		tags: [tag],
		...(input && { requestBody: { required: input.required, ...content(input.schema) } }),
		responses: {
			[success.status]: { description: success.description, ...content(success.schema) },
			...errorResponses([...common, ...errors]),
		},
	};
}
var queryHelp = {
	limit: 'How many to answer at most, 1 to 200; 100 by default.',
	cursor: 'The next_cursor of the page before.',
	include_revoked: 'Lists revoked keys too.',
	board_type: 'Boards of this type only.',
	status: 'Boards in this status only.',
};
function parametersOf({ query, parameters = [] }) {
	return [
		...parameters,
		...Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
			name,
			in: 'query',
			description: queryHelp[name],
			schema: jsonSchema(schema, 'input'),
		})),
	];
}
function content(schema, type = 'application/json') {
	return {
		content: { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } },
	};
}
function errorResponses(codes) {
	const byStatus = Object.groupBy(codes, (code) => String(errorStatuses[code]));
	return mapValues(byStatus, (same = []) => ({
		description: same.map((code) => `\`${code}\``).join(', '),
		...content('Error'),
	}));
}
function pageSchema(item) {
	const { properties, ...rest } = jsonSchema(pageOf(z11.unknown()), 'output');
	const data = { type: 'array', items: { $ref: `#/components/schemas/${item}` } };
	return { ...rest, properties: { ...Object(properties), data } };
}
function jsonSchema(schema, io) {
	const { $schema: _$schema, ...rest } = z11.toJSONSchema(schema, {
		io,
		// An answer may gain fields; a request may not bring unknown ones.
		override: ({ jsonSchema: jsonSchema2 }) => {
			if (io === 'output') delete jsonSchema2.additionalProperties;
		},
	});
	return rest;
}
function mapValues(values, change) {
	return Object.fromEntries(
		Object.entries(values).flatMap(([name, value]) =>
			value === void 0 ? [] : [[name, change(value)]],
		),
	);
}

// src/openapi/page.tsx
import { createHash as createHash4 } from 'node:crypto';
import { raw } from 'hono/html';
import { jsx, jsxs } from 'hono/jsx/jsx-runtime';

var style = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
body { max-width: 52rem; margin: 0 auto; padding: 1.5rem }
pre { overflow-x: auto; padding: .8rem 1rem; border-radius: .4rem; background: #8882 }
code { font-family: ui-monospace, monospace; font-size: .9em }
h2 { margin-top: 2.5rem; border-top: 1px solid #8886; padding-top: 1rem }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .3rem .8rem .3rem 0; vertical-align: top }
`;
var styleHash = createHash4('sha256').update(style).digest('base64');
var docsPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`;
function DocsPage({ baseUrl, schemas: schemas2 }) {
	return /* @__PURE__ */ jsxs('html', {
		lang: 'en',
		children: [
			/* @__PURE__ */ jsxs('head', {
				children: [
					/* @__PURE__ */ jsx('meta', { charset: 'utf-8' }),
					/* @__PURE__ */ jsx('meta', { name: 'viewport', content: 'width=device-width' }),
					/* @__PURE__ */ jsx('title', { children: 'Board Access Service: the HTTP API' }),
					/* @__PURE__ */ jsx('style', { children: raw(style) }),
				],
			}),
			/* @__PURE__ */ jsx('body', {
				children: /* @__PURE__ */ jsxs('main', {
					children: [
						/* @__PURE__ */ jsx('h1', { children: 'Board Access Service: the HTTP API' }),
						/* @__PURE__ */ jsxs('p', {
							children: [
								'Send an API key with every request. Lists are paged: follow ',
								/* @__PURE__ */ jsx('code', { children: 'next_cursor' }),
								' ',
								'until it is null. The same as a machine reads it:',
								' ',
								/* @__PURE__ */ jsx('a', { href: '/openapi.json', children: 'openapi.json' }),
								'.',
							],
						}),
						Object.entries(operations).flatMap(([path, methods]) =>
							Object.entries(methods).map(([method, operation]) =>
								/* @__PURE__ */ jsxs('section', {
									children: [
										/* @__PURE__ */ jsx('h2', {
											id: operation.operationId,
											children: operation.summary,
										}),
										/* @__PURE__ */ jsx('p', { children: operation.description }),
										/* @__PURE__ */ jsx('pre', {
											tabindex: 0,
											children: /* @__PURE__ */ jsx('code', {
												children: curl(baseUrl, path, method, operation.input !== void 0),
											}),
										}),
										/* @__PURE__ */ jsx(Parameters, { parameters: parametersOf(operation) }),
										operation.input &&
											/* @__PURE__ */ jsx(Schema, {
												title: 'Body',
												schema: schemas2[operation.input.schema],
											}),
										/* @__PURE__ */ jsx(Schema, {
											title: `Answer, ${operation.success.status}`,
											schema: schemas2[operation.success.schema],
										}),
									],
								}),
							),
						),
						/* @__PURE__ */ jsx('h2', { id: 'errors', children: 'Errors' }),
						/* @__PURE__ */ jsx('table', {
							children: Object.entries(errorStatuses).map(([code, status]) =>
								/* @__PURE__ */ jsxs('tr', {
									children: [
										/* @__PURE__ */ jsx('td', { children: status }),
										/* @__PURE__ */ jsx('td', {
											children: /* @__PURE__ */ jsx('code', { children: code }),
										}),
									],
								}),
							),
						}),
						/* @__PURE__ */ jsx(Schema, { title: 'Body of every error', schema: schemas2.Error }),
					],
				}),
			}),
		],
	});
}
function curl(baseUrl, path, method, body) {
	return [
		`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${baseUrl}${path}`,
		'-H "Authorization: Bearer $SERVICE_API_KEY"',
		...(body ? ['-H "Content-Type: application/json" -d @body.json'] : []),
	].join(' \\\n  ');
}
function Parameters({ parameters }) {
	return /* @__PURE__ */ jsx('table', {
		children: parameters.map(({ name, description }) =>
			/* @__PURE__ */ jsxs('tr', {
				children: [
					/* @__PURE__ */ jsx('td', {
						children: /* @__PURE__ */ jsx('code', { children: String(name) }),
					}),
					/* @__PURE__ */ jsx('td', { children: String(description) }),
				],
			}),
		),
	});
}
function Schema({ title, schema }) {
	return /* @__PURE__ */ jsxs('details', {
		children: [
			/* @__PURE__ */ jsx('summary', { children: title }),
			/* @__PURE__ */ jsx('pre', {
				tabindex: 0,
				children: /* @__PURE__ */ jsx('code', { children: JSON.stringify(schema, null, 2) }),
			}),
		],
	});
}

// src/openapi/routes.tsx
import { jsx as jsx2 } from 'hono/jsx/jsx-runtime';

function docsRoutes(app, { settings }) {
	let json;
	let page;
	const schemas2 = () => openapiDocument(settings).components.schemas;
	app.get('/openapi.json', (c) => {
		json ??= JSON.stringify(openapiDocument(settings));
		c.header('content-type', 'application/json');
		c.header('x-content-type-options', 'nosniff');
		return c.body(json);
	});
	app.get('/docs', (c) => {
		page ??= `<!doctype html>${/* @__PURE__ */ jsx2(DocsPage, { baseUrl: settings.baseUrl, schemas: schemas2() })}`;
		c.header('content-security-policy', docsPolicy);
		return c.html(page);
	});
}

// src/web/assets.ts
import { createHash as createHash5 } from 'node:crypto';
import { readFileSync } from 'node:fs';
// src/web/elements/document.tsx
import { html } from 'hono/html';

var styles = ['tokens', 'base', 'frame', 'boxes', 'controls', 'tables', 'code', 'pages'];
var assets = {
	'app.css': {
		type: 'text/css; charset=utf-8',
		content: Buffer.concat(styles.map((name) => read(`styles/${name}.css`))),
	},
	'confirm.js': script('confirm.js'),
	'copy.js': script('copy.js'),
	'forms.js': script('forms.js'),
	'live-filter.js': script('live-filter.js'),
	'one-time.js': script('one-time.js'),
	'icon.svg': { type: 'image/svg+xml', content: read('icon.svg') },
};
var hash = createHash5('sha256');
for (const { content: content2 } of Object.values(assets)) hash.update(content2);
var folder = `/assets/${hash.digest('hex').slice(0, 12)}`;
function assetPath(name) {
	return `${folder}/${name}`;
}
function assetRoutes(app) {
	for (const [name, { content: content2, type }] of Object.entries(assets)) {
		app.get(`${folder}/${name}`, (c) => {
			const headers = {
				'content-type': type,
				'cache-control': 'public, max-age=31536000, immutable',
				'x-content-type-options': 'nosniff',
			};
			return c.body(new Uint8Array(content2), 200, headers);
		});
	}
}
function read(name) {
	return readFileSync(new URL(`./assets/${name}`, import.meta.url));
}
function script(name) {
	return { type: 'text/javascript; charset=utf-8', content: read(name) };
}

// src/web/elements/icon.tsx
import { jsx as jsx3 } from 'hono/jsx/jsx-runtime';

var paths = {
	board:
		'M7 7h10v10H7zM10 10h4v4h-4zM9 7V4M12 7V4M15 7V4M9 20v-3M12 20v-3M15 20v-3M7 9H4M7 12H4M7 15H4M20 9h-3M20 12h-3M20 15h-3',
	check: 'M5 12.5l4.5 4.5L19 7.5',
	alert: 'M12 8v5M12 16.5v.5M12 3.5L21.5 20h-19z',
	down: 'M7 10l5 5 5-5',
	left: 'M14 7l-5 5 5 5',
	right: 'M10 7l5 5-5 5',
	key: 'M14.5 9.5a4.5 4.5 0 1 0-3.6 4.4l1.6 1.6h2v2h2v2h3v-3.2l-5.2-5.2c.1-.5.2-1 .2-1.6zM9 8.5v.5',
	plus: 'M12 5v14M5 12h14',
	search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM15.5 15.5L20 20',
	terminal: 'M5 7l5 5-5 5M12 17h7',
	browser: 'M4 5h16v14H4zM4 9h16M7 7h.01',
	code: 'M9 8l-4 4 4 4M15 8l4 4-4 4',
	coins:
		'M12 9c4 0 7-1.3 7-3s-3-3-7-3-7 1.3-7 3 3 3 7 3zM5 6v6c0 1.7 3 3 7 3s7-1.3 7-3V6M5 12v6c0 1.7 3 3 7 3s7-1.3 7-3v-6',
};
function Icon({ name }) {
	return /* @__PURE__ */ jsx3('svg', {
		class: 'icon',
		viewBox: '0 0 24 24',
		width: '20',
		height: '20',
		'aria-hidden': 'true',
		children: /* @__PURE__ */ jsx3('path', { d: paths[name] }),
	});
}

// src/web/elements/navigation.tsx
import { Fragment, jsx as jsx4, jsxs as jsxs2 } from 'hono/jsx/jsx-runtime';

var places = [
	['/boards', 'Boards'],
	['/keys', 'API keys'],
	['/credits', 'Credits'],
];
var adminPlaces = [
	['/admin/base-images', 'Base images'],
	['/admin/boards', 'Inventory'],
	['/admin/accounts', 'Accounts'],
];
function Navigation({ path, account, quiet }) {
	return /* @__PURE__ */ jsxs2('header', {
		class: 'bar',
		children: [
			/* @__PURE__ */ jsxs2('a', {
				class: 'brand',
				href: '/',
				children: [/* @__PURE__ */ jsx4(Icon, { name: 'board' }), 'Board Access'],
			}),
			account && /* @__PURE__ */ jsx4(MemberLinks, { path, account }),
			!account && !quiet && /* @__PURE__ */ jsx4(StrangerLinks, { path }),
		],
	});
}
function MemberLinks({ path, account }) {
	return /* @__PURE__ */ jsxs2(Fragment, {
		children: [
			/* @__PURE__ */ jsxs2('nav', {
				class: 'places',
				'aria-label': 'Main',
				children: [
					places.map(([href, label2]) =>
						/* @__PURE__ */ jsx4(Place, { href, label: label2, path }),
					),
					account.role === 'admin' &&
						/* @__PURE__ */ jsxs2('div', {
							class: 'places-admin',
							children: [
								/* @__PURE__ */ jsx4('span', { children: 'Admin' }),
								adminPlaces.map(([href, label2]) =>
									/* @__PURE__ */ jsx4(Place, { href, label: label2, path }),
								),
							],
						}),
				],
			}),
			/* @__PURE__ */ jsxs2('details', {
				class: 'menu',
				children: [
					/* @__PURE__ */ jsxs2('summary', {
						children: [
							/* @__PURE__ */ jsx4('span', { class: 'menu-name', children: account.email }),
							/* @__PURE__ */ jsx4(Icon, { name: 'down' }),
						],
					}),
					/* @__PURE__ */ jsxs2('div', {
						class: 'menu-body',
						children: [
							/* @__PURE__ */ jsx4('p', { class: 'muted small', children: account.email }),
							/* @__PURE__ */ jsx4('a', { href: '/account', children: 'Account and password' }),
							/* @__PURE__ */ jsx4('form', {
								method: 'post',
								action: '/logout',
								children: /* @__PURE__ */ jsx4('button', { type: 'submit', children: 'Log out' }),
							}),
						],
					}),
				],
			}),
		],
	});
}
function StrangerLinks({ path }) {
	return /* @__PURE__ */ jsxs2('nav', {
		class: 'entrance',
		'aria-label': 'Account',
		children: [
			/* @__PURE__ */ jsx4(Place, { href: '/login', label: 'Log in', path }),
			/* @__PURE__ */ jsx4('a', { class: 'button primary', href: '/signup', children: 'Sign up' }),
		],
	});
}
function Place({ href, label: label2, path }) {
	return /* @__PURE__ */ jsx4('a', {
		href,
		'aria-current': isAt(path, href) ? 'page' : void 0,
		children: label2,
	});
}
function isAt(path, href) {
	return path === href || path.startsWith(`${href}/`);
}

// src/web/elements/document.tsx
import { jsx as jsx5, jsxs as jsxs3 } from 'hono/jsx/jsx-runtime';

var scripts = ['copy.js', 'confirm.js', 'forms.js', 'live-filter.js', 'one-time.js'];
function Document(props) {
	return html`<!doctype html>${/* @__PURE__ */ jsx5(Frame, { ...props })}`;
}
function Frame({ title, path, account, notice, quiet, children }) {
	return /* @__PURE__ */ jsxs3('html', {
		lang: 'en',
		children: [
			/* @__PURE__ */ jsxs3('head', {
				children: [
					/* @__PURE__ */ jsx5('meta', { charset: 'utf-8' }),
					/* @__PURE__ */ jsx5('meta', {
						name: 'viewport',
						content: 'width=device-width, initial-scale=1',
					}),
					/* @__PURE__ */ jsx5('meta', { name: 'color-scheme', content: 'light dark' }),
					/* @__PURE__ */ jsx5('title', {
						children: title === 'Board Access' ? title : `${title} \xB7 Board Access`,
					}),
					/* @__PURE__ */ jsx5('link', {
						rel: 'icon',
						href: assetPath('icon.svg'),
						type: 'image/svg+xml',
					}),
					/* @__PURE__ */ jsx5('link', { rel: 'stylesheet', href: assetPath('app.css') }),
					scripts.map((name) =>
						/* @__PURE__ */ jsx5('script', { type: 'module', src: assetPath(name) }),
					),
				],
			}),
			/* @__PURE__ */ jsxs3('body', {
				children: [
					/* @__PURE__ */ jsx5('a', { class: 'skip', href: '#main', children: 'Skip to content' }),
					/* @__PURE__ */ jsx5(Navigation, { path, account, quiet }),
					/* @__PURE__ */ jsxs3('main', {
						id: 'main',
						children: [
							notice &&
								/* @__PURE__ */ jsxs3('output', {
									class: 'notice',
									children: [/* @__PURE__ */ jsx5(Icon, { name: 'check' }), notice],
								}),
							children,
						],
					}),
					/* @__PURE__ */ jsxs3('footer', {
						class: 'footer',
						children: [
							/* @__PURE__ */ jsx5('p', { children: 'Board Access Service' }),
							/* @__PURE__ */ jsx5('p', {
								children: /* @__PURE__ */ jsx5('a', { href: '/docs', children: 'API reference' }),
							}),
						],
					}),
				],
			}),
		],
	});
}

// src/web/headers.ts
function pageHeaders(apiOrigin = '') {
	return {
		'content-security-policy': [
			"default-src 'none'",
			"script-src 'self'",
			"style-src 'self'",
			"img-src 'self' data:",
			`connect-src 'self' ${apiOrigin}`.trim(),
			"form-action 'self'",
			"frame-ancestors 'none'",
			"base-uri 'none'",
		].join('; '),
		'cache-control': 'no-store',
		'cross-origin-opener-policy': 'same-origin',
		'referrer-policy': 'same-origin',
		'x-content-type-options': 'nosniff',
	};
}

// src/web/error-page.tsx
import { jsx as jsx6, jsxs as jsxs4 } from 'hono/jsx/jsx-runtime';

function wantsPage(request) {
	return (
		(request.headers.get('accept') ?? '').includes('text/html') &&
		!new URL(request.url).pathname.startsWith('/v1/')
	);
}
function errorPage(fault, request, requestId2) {
	const status = errorStatuses[fault.code];
	const { title, advice } = words[fault.code] ?? unexpected;
	const page = /* @__PURE__ */ jsx6(Document, {
		title,
		path: new URL(request.url).pathname,
		quiet: true,
		children: /* @__PURE__ */ jsxs4('section', {
			class: 'fault',
			children: [
				/* @__PURE__ */ jsx6('p', { class: 'fault-status', children: status }),
				/* @__PURE__ */ jsx6('h1', { children: title }),
				/* @__PURE__ */ jsx6('p', { class: 'lead', children: advice }),
				/* @__PURE__ */ jsx6('p', {
					class: 'actions',
					children: /* @__PURE__ */ jsx6('a', {
						class: 'button primary',
						href: '/',
						children: 'Go to the start page',
					}),
				}),
				/* @__PURE__ */ jsxs4('p', {
					class: 'muted small',
					children: ['Request ', /* @__PURE__ */ jsx6('code', { children: requestId2 })],
				}),
			],
		}),
	});
	return new Response(`${page}`, {
		status,
		headers: {
			...pageHeaders(),
			'content-type': 'text/html; charset=utf-8',
			'x-request-id': requestId2,
			...fault.details.headers,
		},
	});
}
var unexpected = {
	title: 'Something went wrong on our side',
	advice: 'Try again in a moment. If it stays, tell the operator the request identifier below.',
};
var words = {
	not_found: {
		title: 'There is no such page',
		advice: 'The address may be mistyped, or what it named is gone.',
	},
	key_not_found: {
		title: 'There is no such key',
		advice:
			'It is not one of yours, or the address is mistyped. Your keys are on the API keys page.',
	},
	method_not_allowed: {
		title: 'This address takes no such request',
		advice: 'Go back to the page you came from and use the form on it.',
	},
	admin_required: {
		title: 'This page is for administrators',
		advice: 'Your account works, but this part needs the administrator role. Ask your operator.',
	},
	origin_refused: {
		title: 'This request came from another site',
		advice: 'Nothing was changed. Open the page here and send the form from it.',
	},
	rate_limited: {
		title: 'Too many requests',
		advice: 'Wait a minute, then load the page again.',
	},
	body_too_large: {
		title: 'That is too much at once',
		advice: 'A form may hold 64 KiB. Go back and send less at a time.',
	},
	unsupported_media_type: {
		title: 'This address takes a form',
		advice: 'Go back to the page you came from and use the form on it.',
	},
	invalid_request: {
		title: 'This address asks for something we do not know',
		advice: 'Part of it is mistyped or out of date. Start again from the list.',
	},
	unavailable: {
		title: 'We cannot answer just now',
		advice: 'The database is away or the service restarts. Nothing is lost; try again in a moment.',
	},
};

// src/credits/store.ts
import { randomUUID as randomUUID2 } from 'node:crypto';

async function addCredits(db, entry) {
	const booked = await db
		.insertInto('credit_entries')
		.values({ id: newId('crd'), created_at: now(), ...entry })
		.onConflict((conflict) => conflict.column('reference').doNothing())
		.returning('id')
		.executeTakeFirst();
	if (booked) return true;
	const { account_id, amount } = await entryNamed(db, entry.reference);
	if (account_id !== entry.account_id) {
		throw invalid([{ path: 'reference', message: 'names an entry of another account' }]);
	}
	if (amount !== entry.amount) {
		throw invalid([
			{ path: 'amount', message: `is booked as ${amount} already; nothing is added` },
		]);
	}
	return false;
}
function entryNamed(db, reference) {
	return db
		.selectFrom('credit_entries')
		.select(['account_id', 'amount'])
		.where('reference', '=', reference)
		.executeTakeFirstOrThrow();
}
function readAmount(text) {
	if (/^[1-9]\d{0,8}$/.test(text.trim())) return Number(text);
	throw invalid([{ path: 'amount', message: 'must be a whole number above 0' }]);
}
function grantCredits(db, { name = randomUUID2(), ...entry }) {
	return addCredits(db, { ...entry, reason: 'grant', reference: `grant ${name}` });
}
async function creditBalance(db, accountId) {
	const { balance } = await db
		.selectFrom('credit_entries')
		.select(({ fn }) => fn.sum('amount').as('balance'))
		.where('account_id', '=', accountId)
		.executeTakeFirstOrThrow();
	return Number(balance ?? 0);
}
function listCredits(db, accountId, limit = 100) {
	return db
		.selectFrom('credit_entries')
		.selectAll()
		.where('account_id', '=', accountId)
		.orderBy('created_at', 'desc')
		.orderBy('id', 'desc')
		.limit(limit)
		.execute();
}

// src/web/form.ts
async function readForm(c, names) {
	if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
		throw new ApiError('unsupported_media_type', 'This page takes a form.');
	}
	const sent = new URLSearchParams((await readBytes(c.req.raw)).toString());
	const values = names.map((name) => [name, sent.get(name)?.replaceAll('\r\n', '\n') ?? '']);
	const fields = Object.fromEntries(values);
	refuseNul(fields);
	return fields;
}
function refusal(error) {
	if (error instanceof ApiError && error.code !== 'internal' && error.code !== 'unavailable') {
		return error;
	}
	throw error;
}
function faultOf(fault, name) {
	return fault?.details.errors?.find(({ path }) => path === name)?.message;
}
function readLine(c, name) {
	return (c.req.query(name) ?? '')
		.replace(/\p{Cc}/gu, '')
		.trim()
		.slice(0, 200);
}

// src/web/local-path.ts
function localPath(text, otherwise) {
	const here = 'http://here.invalid';
	if (!text?.startsWith('/') || !URL.canParse(text, here)) return otherwise;
	const { origin, pathname, search } = new URL(text, here);
	return origin === here && !pathname.startsWith('//') ? pathname + search : otherwise;
}
function withQuery(path, query) {
	const given = Object.entries(query).filter(([, value]) => value);
	const text = new URLSearchParams(given).toString();
	return text ? `${path}?${text}` : path;
}

// src/web/notices.ts
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

var sentences = {
	welcome: 'Welcome. Your account is ready, on the free tier.',
	'logged-out': 'You are logged out.',
	'password-changed': 'Your password is changed. Every other session was logged out.',
	'key-revoked': 'The key is revoked. It stopped working at once.',
	'key-shown': 'That key was created and shown already. It cannot be shown a second time.',
	'topped-up': 'The credits are on your account, and you are on the paid tier.',
	'image-created': 'The base image entry is created.',
	'boards-imported': 'The boards are imported.',
	'credits-granted': 'The credits are granted.',
	'account-changed': 'The account is changed.',
};
var cookie = 'board_access_notice';
function leaveNotice(c, name) {
	return setCookie(c, cookie, name, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 30 });
}
function takeNotice(c) {
	const name = getCookie(c, cookie);
	if (name === void 0) return void 0;
	deleteCookie(c, cookie, { path: '/' });
	return Object.entries(sentences).find(([key]) => key === name)?.[1];
}

// src/web/page.tsx
import { jsx as jsx7 } from 'hono/jsx/jsx-runtime';

function createPages({ accounts, limits, settings }) {
	const apiOrigin = new URL(settings.baseUrl).origin;
	const webOrigin = new URL(settings.webUrl).origin;
	const render = (c, account, page) => {
		const document = /* @__PURE__ */ jsx7(Document, {
			title: page.title,
			path: c.req.path,
			account,
			notice: takeNotice(c),
			children: page.main,
		});
		return c.html(document, page.status ?? 200, {
			...pageHeaders(apiOrigin),
			'x-request-id': c.get('requestId'),
			...page.headers,
		});
	};
	const forAnyone = (handle) => {
		return async (c) => {
			const { host, pathname, search } = new URL(c.req.url);
			if (webOrigin !== apiOrigin && host === new URL(apiOrigin).host) {
				return c.redirect(webOrigin + pathname + search, 308);
			}
			if (c.req.url.includes('%00')) {
				throw new ApiError('invalid_request', 'The address must not contain NUL.');
			}
			requireOwnOrigin(c, settings);
			const account = await accounts.current(c.req.raw.headers);
			if (account && pathname !== '/logout') await limits.request({ accountId: account.id });
			const answer2 = await handle({ c, account });
			return answer2 instanceof Response ? answer2 : render(c, account, answer2);
		};
	};
	const forMembers = (handle) =>
		forAnyone(({ c, account }) => (account ? handle({ c, account }) : toLogIn(c)));
	const forAdmins = (handle) =>
		forMembers((visit) => {
			requireAdmin(visit.account);
			return handle(visit);
		});
	return { forAnyone, forMembers, forAdmins };
}
function refused(page, { code, details }) {
	return {
		...page,
		status: errorStatuses[code],
		headers: details.headers ?? {},
	};
}
function goTo(c, path, notice) {
	if (notice) leaveNotice(c, notice);
	c.header('cache-control', 'no-store');
	return c.redirect(path, 303);
}
function toLogIn(c) {
	const wanted = c.req.method === 'GET' ? c.req.url : (c.req.header('referer') ?? c.req.url);
	const { pathname, search } = URL.parse(wanted) ?? new URL(c.req.url);
	return goTo(c, withQuery('/login', { next: pathname + search }));
}

// src/web/elements/field.tsx
import { Fragment as Fragment2, jsx as jsx8, jsxs as jsxs5 } from 'hono/jsx/jsx-runtime';

function Field({ name, label: label2, value, fault, help, optional: optional5, input }) {
	return /* @__PURE__ */ jsxs5('div', {
		class: 'field',
		children: [
			/* @__PURE__ */ jsx8(FieldLabel, { name, label: label2, optional: optional5 }),
			/* @__PURE__ */ jsx8('input', {
				id: name,
				name,
				value,
				required: !optional5,
				...described(name, { fault, help }),
				...input,
			}),
			/* @__PURE__ */ jsx8(FieldNotes, { name, fault, help }),
		],
	});
}
function TextArea({ name, label: label2, value, fault, help, optional: optional5, input }) {
	return /* @__PURE__ */ jsxs5('div', {
		class: 'field',
		children: [
			/* @__PURE__ */ jsx8(FieldLabel, { name, label: label2, optional: optional5 }),
			/* @__PURE__ */ jsx8('textarea', {
				id: name,
				name,
				required: !optional5,
				...described(name, { fault, help }),
				...input,
				children: value,
			}),
			/* @__PURE__ */ jsx8(FieldNotes, { name, fault, help }),
		],
	});
}
function FieldLabel({ name, label: label2, optional: optional5 }) {
	return /* @__PURE__ */ jsxs5('label', {
		for: name,
		children: [
			label2,
			optional5 && /* @__PURE__ */ jsx8('span', { class: 'muted', children: ' (optional)' }),
		],
	});
}
function FieldNotes({ name, fault, help }) {
	const wrong = faultOf(fault, name);
	return /* @__PURE__ */ jsxs5(Fragment2, {
		children: [
			help && /* @__PURE__ */ jsx8('p', { class: 'help', id: `${name}-help`, children: help }),
			wrong &&
				/* @__PURE__ */ jsx8('p', {
					class: 'wrong',
					id: `${name}-wrong`,
					children: sentence(wrong),
				}),
		],
	});
}
function described(name, { fault, help }) {
	const wrong = faultOf(fault, name) !== void 0;
	const notes = [help && `${name}-help`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
	return { 'aria-invalid': wrong ? 'true' : void 0, 'aria-describedby': notes || void 0 };
}
function FormAlert({ fault, labels: labels2 = {} }) {
	if (!fault) return null;
	const { errors = [], hint } = fault.details;
	const named = errors.filter(({ path }) => labels2[path]);
	return /* @__PURE__ */ jsx8('div', {
		class: 'alert',
		role: 'alert',
		tabindex: -1,
		autofocus: true,
		children:
			named.length === 0
				? /* @__PURE__ */ jsx8('p', { children: [fault.message, hint].filter(Boolean).join(' ') })
				: /* @__PURE__ */ jsx8('ul', {
						children: named.map(({ path, message }) =>
							/* @__PURE__ */ jsx8('li', {
								children: /* @__PURE__ */ jsx8('a', {
									href: `#${path}`,
									children: `${labels2[path]} ${message}`,
								}),
							}),
						),
					}),
	});
}
function sentence(text) {
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

// src/web/elements/page-head.tsx
import { jsx as jsx9, jsxs as jsxs6 } from 'hono/jsx/jsx-runtime';

function PageHead({ title, lead, children }) {
	return /* @__PURE__ */ jsxs6('div', {
		class: 'page-head',
		children: [
			/* @__PURE__ */ jsxs6('div', {
				children: [
					/* @__PURE__ */ jsx9('h1', { children: title }),
					lead && /* @__PURE__ */ jsx9('p', { class: 'lead', children: lead }),
				],
			}),
			children && /* @__PURE__ */ jsx9('div', { class: 'actions', children }),
		],
	});
}

// src/web/elements/tier.tsx
import { jsx as jsx10 } from 'hono/jsx/jsx-runtime';

function TierBadge({ paid }) {
	return /* @__PURE__ */ jsx10('span', {
		class: paid ? 'badge tier-paid' : 'badge',
		children: paid ? 'Paid tier' : 'Free tier',
	});
}
function Credits({ amount }) {
	return /* @__PURE__ */ jsx10('span', {
		class: 'number',
		children: `${amount.toLocaleString('en')} ${Math.abs(amount) === 1 ? 'credit' : 'credits'}`,
	});
}

// src/web/accounts/account.tsx
import { Fragment as Fragment3, jsx as jsx11, jsxs as jsxs7 } from 'hono/jsx/jsx-runtime';

function AccountView({ account, paid, balance, fault }) {
	return /* @__PURE__ */ jsxs7(Fragment3, {
		children: [
			/* @__PURE__ */ jsx11(PageHead, { title: 'Account' }),
			/* @__PURE__ */ jsxs7('div', {
				class: 'columns',
				children: [
					/* @__PURE__ */ jsxs7('section', {
						class: 'card',
						children: [
							/* @__PURE__ */ jsx11('h2', { children: 'You' }),
							/* @__PURE__ */ jsxs7('dl', {
								class: 'facts',
								children: [
									/* @__PURE__ */ jsx11('dt', { children: 'Email address' }),
									/* @__PURE__ */ jsx11('dd', { children: account.email }),
									/* @__PURE__ */ jsx11('dt', { children: 'Role' }),
									/* @__PURE__ */ jsx11('dd', {
										children: account.role === 'admin' ? 'Administrator' : 'User',
									}),
									/* @__PURE__ */ jsx11('dt', { children: 'Tier' }),
									/* @__PURE__ */ jsx11('dd', {
										children: /* @__PURE__ */ jsx11(TierBadge, { paid }),
									}),
									/* @__PURE__ */ jsx11('dt', { children: 'Balance' }),
									/* @__PURE__ */ jsx11('dd', {
										children: /* @__PURE__ */ jsx11('a', {
											href: '/credits',
											children: /* @__PURE__ */ jsx11(Credits, { amount: balance }),
										}),
									}),
									/* @__PURE__ */ jsx11('dt', { children: 'Identifier' }),
									/* @__PURE__ */ jsx11('dd', {
										children: /* @__PURE__ */ jsx11('code', { children: account.id }),
									}),
								],
							}),
							/* @__PURE__ */ jsx11('form', {
								method: 'post',
								action: '/logout',
								children: /* @__PURE__ */ jsx11('button', {
									type: 'submit',
									class: 'button',
									children: 'Log out',
								}),
							}),
						],
					}),
					/* @__PURE__ */ jsxs7('section', {
						class: 'card',
						children: [
							/* @__PURE__ */ jsx11('h2', { children: 'Change password' }),
							/* @__PURE__ */ jsxs7('form', {
								method: 'post',
								action: '/account/password',
								children: [
									/* @__PURE__ */ jsx11(FormAlert, {
										fault,
										labels: { current: 'Current password', next: 'New password' },
									}),
									/* @__PURE__ */ jsx11('input', {
										type: 'hidden',
										name: 'email',
										autocomplete: 'username',
										value: account.email,
									}),
									/* @__PURE__ */ jsx11(Field, {
										name: 'current',
										label: 'Current password',
										fault,
										input: { type: 'password', autocomplete: 'current-password', maxlength: 128 },
									}),
									/* @__PURE__ */ jsx11(Field, {
										name: 'next',
										label: 'New password',
										fault,
										help: 'At least 8 characters. Every other session is logged out.',
										input: { type: 'password', autocomplete: 'new-password', maxlength: 128 },
									}),
									/* @__PURE__ */ jsx11('button', {
										type: 'submit',
										class: 'button primary',
										children: 'Change password',
									}),
								],
							}),
						],
					}),
				],
			}),
		],
	});
}

// src/web/accounts/entrance.tsx
import { jsx as jsx12, jsxs as jsxs8 } from 'hono/jsx/jsx-runtime';

var words2 = {
	'sign-up': {
		title: 'Create your account',
		lead: 'The free tier lets you see every board. Top up credits when you want API keys.',
		action: '/signup',
		submit: 'Sign up',
		passwords: 'new-password',
		other: { question: 'Have an account already?', path: '/login', name: 'Log in' },
	},
	'log-in': {
		title: 'Log in',
		lead: 'Welcome back.',
		action: '/login',
		submit: 'Log in',
		passwords: 'current-password',
		other: { question: 'New here?', path: '/signup', name: 'Sign up' },
	},
};
function Entrance({ kind, next, email: email3, fault }) {
	const { title, lead, action, submit, passwords, other } = words2[kind];
	return /* @__PURE__ */ jsxs8('section', {
		class: 'card narrow',
		children: [
			/* @__PURE__ */ jsx12('h1', { children: title }),
			/* @__PURE__ */ jsx12('p', { class: 'lead', children: lead }),
			/* @__PURE__ */ jsxs8('form', {
				method: 'post',
				action,
				children: [
					/* @__PURE__ */ jsx12(FormAlert, {
						fault,
						labels: { email: 'Email address', password: 'Password' },
					}),
					/* @__PURE__ */ jsx12('input', { type: 'hidden', name: 'next', value: next }),
					/* @__PURE__ */ jsx12(Field, {
						name: 'email',
						label: 'Email address',
						value: email3,
						fault,
						input: { type: 'email', autocomplete: 'username', maxlength: 254 },
					}),
					/* @__PURE__ */ jsx12(Field, {
						name: 'password',
						label: 'Password',
						fault,
						help: kind === 'sign-up' ? 'At least 8 characters. A long sentence is best.' : void 0,
						input: { type: 'password', autocomplete: passwords, maxlength: 128 },
					}),
					/* @__PURE__ */ jsx12('button', {
						type: 'submit',
						class: 'button primary wide',
						children: submit,
					}),
				],
			}),
			/* @__PURE__ */ jsxs8('p', {
				class: 'muted',
				children: [
					other.question,
					' ',
					/* @__PURE__ */ jsx12('a', {
						href: withQuery(other.path, { next }),
						children: other.name,
					}),
				],
			}),
		],
	});
}

// src/web/accounts/routes.tsx
import { jsx as jsx13 } from 'hono/jsx/jsx-runtime';

function accountPages(app, { accounts, database, settings }, { forAnyone, forMembers }) {
	const visitor = (c) => ({
		headers: c.req.raw.headers,
		address: callerAddress(c, settings),
	});
	const showEntrance = (kind) =>
		forAnyone(({ c, account }) => {
			const next = localPath(c.req.query('next'), '/boards');
			if (account) return goTo(c, next);
			return { title: titles[kind], main: /* @__PURE__ */ jsx13(Entrance, { kind, next }) };
		});
	const enter = (kind) =>
		forAnyone(async ({ c }) => {
			const {
				email: email3,
				password: password2,
				next: wish,
			} = await readForm(c, ['email', 'password', 'next']);
			const next = localPath(wish, '/boards');
			const act = kind === 'sign-up' ? accounts.signUp : accounts.logIn;
			const done = await act(visitor(c), { email: email3.trim(), password: password2 }).catch(
				refusal,
			);
			if (done instanceof ApiError) {
				const main = /* @__PURE__ */ jsx13(Entrance, { kind, next, email: email3, fault: done });
				return refused({ title: titles[kind], main }, done);
			}
			passOn(c, done.cookies);
			return goTo(c, next, kind === 'sign-up' ? 'welcome' : void 0);
		});
	app.get('/signup', showEntrance('sign-up'));
	app.post('/signup', enter('sign-up'));
	app.get('/login', showEntrance('log-in'));
	app.post('/login', enter('log-in'));
	app.post(
		'/logout',
		forAnyone(async ({ c }) => {
			passOn(c, (await accounts.logOut(visitor(c))).cookies);
			return goTo(c, '/', 'logged-out');
		}),
	);
	const standing = async (accountId) => ({
		paid: await isPaidTier(database.query, accountId),
		balance: await creditBalance(database.query, accountId),
	});
	app.get(
		'/account',
		forMembers(async ({ account }) => ({
			title: 'Account',
			main: /* @__PURE__ */ jsx13(AccountView, { account, ...(await standing(account.id)) }),
		})),
	);
	app.post(
		'/account/password',
		forMembers(async ({ c, account }) => {
			const passwords = await readForm(c, ['current', 'next']);
			const done = await accounts.changePassword(visitor(c), passwords).catch(refusal);
			if (done instanceof ApiError) {
				const main = /* @__PURE__ */ jsx13(AccountView, {
					account,
					...(await standing(account.id)),
					fault: done,
				});
				return refused({ title: 'Account', main }, done);
			}
			passOn(c, done.cookies);
			return goTo(c, '/account', 'password-changed');
		}),
	);
}
var titles = { 'sign-up': 'Sign up', 'log-in': 'Log in' };
function passOn(c, cookies) {
	for (const cookie2 of cookies) c.header('set-cookie', cookie2, { append: true });
}

// src/web/admin/account-routes.tsx
import { randomUUID as randomUUID3 } from 'node:crypto';
// src/accounts/search.ts
// src/database/containing.ts
import { sql as sql3, sql as sql4 } from 'kysely';

function containing(lowerCase, sought) {
	const pattern = `%${sought.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
	return sql3`${lowerCase} like ${pattern} escape '\\'`;
}

// src/accounts/search.ts
var accountSorts = ['email', 'created_at', 'credits'];
async function searchAccounts(db, text, { by, descending, limit, offset }) {
	const rows = await withCredits(db)
		.where(containing(sql4.ref('email'), text))
		.orderBy(by, descending ? 'desc' : 'asc')
		.orderBy('accounts.id')
		.limit(limit)
		.offset(offset)
		.execute();
	return rows.map(accountRecord);
}
async function listAccounts(db) {
	return (await withCredits(db).orderBy('email').execute()).map(accountRecord);
}
async function countAccounts(db, text) {
	const { accounts } = await db
		.selectFrom('accounts')
		.select(({ fn }) => fn.countAll().as('accounts'))
		.where(containing(sql4.ref('email'), text))
		.executeTakeFirstOrThrow();
	return Number(accounts);
}
async function accountWithCredits(db, id) {
	const row = await withCredits(db).where('accounts.id', '=', id).executeTakeFirst();
	return row && accountRecord(row);
}
function accountRecord({ credits, additions, ...row }) {
	return {
		...row,
		credits: Number(credits ?? 0),
		paid: Number(additions ?? 0) > 0,
	};
}
function withCredits(db) {
	return db.selectFrom('accounts').select(({ selectFrom }) => [
		'accounts.id',
		'accounts.email',
		'accounts.role',
		'accounts.disabled_at',
		'accounts.created_at',
		selectFrom('credit_entries')
			.select(({ fn }) => fn.sum('amount').as('sum'))
			.whereRef('credit_entries.account_id', '=', 'accounts.id')
			.as('credits'),
		selectFrom('credit_entries')
			.select(({ fn }) => fn.countAll().as('count'))
			.whereRef('credit_entries.account_id', '=', 'accounts.id')
			.where('amount', '>', 0)
			.as('additions'),
	]);
}

// src/web/elements/pager.tsx
import { jsx as jsx14, jsxs as jsxs9 } from 'hono/jsx/jsx-runtime';

function readPage(text, { total, pageSize: pageSize4 }) {
	const wanted = /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1;
	const page = Math.min(wanted, Math.max(1, Math.ceil(total / pageSize4)));
	return { page, slice: { limit: pageSize4, offset: (page - 1) * pageSize4 } };
}
function Pager({ page, pageSize: pageSize4, total, hrefOf: hrefOf2 }) {
	const first = (page - 1) * pageSize4 + 1;
	const last = Math.min(page * pageSize4, total);
	if (total <= pageSize4) return null;
	return /* @__PURE__ */ jsxs9('nav', {
		class: 'pager',
		'aria-label': 'Pages',
		children: [
			/* @__PURE__ */ jsx14('p', {
				children: `${first.toLocaleString('en')}\u2013${last.toLocaleString('en')} of ${total.toLocaleString('en')}`,
			}),
			page > 1 &&
				/* @__PURE__ */ jsxs9('a', {
					class: 'button',
					rel: 'prev',
					href: hrefOf2(page - 1),
					children: [/* @__PURE__ */ jsx14(Icon, { name: 'left' }), 'Previous'],
				}),
			last < total &&
				/* @__PURE__ */ jsxs9('a', {
					class: 'button',
					rel: 'next',
					href: hrefOf2(page + 1),
					children: ['Next', /* @__PURE__ */ jsx14(Icon, { name: 'right' })],
				}),
		],
	});
}

// src/web/elements/sort.ts
function readSort(text, names) {
	const by = names.find((name) => name === text?.replace(/^-/, ''));
	return { by: by ?? names[0], descending: by !== void 0 && text?.startsWith('-') === true };
}
function sortText({ by, descending }, names) {
	return by === names[0] && !descending ? void 0 : `${descending ? '-' : ''}${by}`;
}
function sortLink(name, now2, hrefOf2) {
	const active = now2.by === name;
	const direction = now2.descending ? 'descending' : 'ascending';
	return {
		direction: active ? direction : void 0,
		href: hrefOf2(active && !now2.descending ? `-${name}` : name),
	};
}

// src/web/elements/table.tsx
import { jsx as jsx15, jsxs as jsxs10 } from 'hono/jsx/jsx-runtime';

function Table({ caption, columns, rows }) {
	return /* @__PURE__ */ jsx15('div', {
		class: 'table-box',
		children: /* @__PURE__ */ jsxs10('table', {
			children: [
				/* @__PURE__ */ jsx15('caption', { class: 'unseen', children: caption }),
				/* @__PURE__ */ jsx15('thead', {
					children: /* @__PURE__ */ jsx15('tr', {
						children: columns.map((column) =>
							/* @__PURE__ */ jsx15('th', {
								scope: 'col',
								class: column.class,
								'aria-sort': column.sort?.direction,
								children: column.sort
									? /* @__PURE__ */ jsx15('a', { href: column.sort.href, children: column.label })
									: column.label,
							}),
						),
					}),
				}),
				/* @__PURE__ */ jsx15('tbody', {
					children: rows.map((row) =>
						/* @__PURE__ */ jsx15('tr', {
							children: columns.map(({ label: label2, cell, class: name }) =>
								/* @__PURE__ */ jsx15('td', {
									class: name,
									'data-label': label2,
									children: cell(row),
								}),
							),
						}),
					),
				}),
			],
		}),
	});
}

// src/web/elements/time.tsx
import { jsx as jsx16 } from 'hono/jsx/jsx-runtime';

var units = [
	['year', 365 * 24 * 60 * 60],
	['month', 30 * 24 * 60 * 60],
	['week', 7 * 24 * 60 * 60],
	['day', 24 * 60 * 60],
	['hour', 60 * 60],
	['minute', 60],
];
var format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
function relativeTime(moment, now2 = Date.now()) {
	const seconds = Math.round((Date.parse(moment) - now2) / 1e3);
	const unit = units.find(([, length]) => Math.abs(seconds) >= length);
	return unit ? format.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now';
}
function Time({ at }) {
	return /* @__PURE__ */ jsx16('time', {
		datetime: at,
		title: `${at.slice(0, 19).replace('T', ' ')} UTC`,
		children: relativeTime(at),
	});
}

// src/web/credits/ledger.tsx
import { jsx as jsx17 } from 'hono/jsx/jsx-runtime';

var reasons = { top_up: 'Top-up', lease: 'Lease', grant: 'Grant by the operator' };
function Ledger({ entries }) {
	return /* @__PURE__ */ jsx17(Table, {
		caption: 'Ledger',
		rows: entries,
		columns: [
			{ label: 'Entry', cell: ({ reason }) => reasons[reason], class: 'main-cell' },
			{ label: 'When', cell: ({ created_at }) => /* @__PURE__ */ jsx17(Time, { at: created_at }) },
			{
				label: 'Reference',
				cell: ({ reference }) =>
					/* @__PURE__ */ jsx17('code', { class: 'small', children: reference }),
			},
			{
				label: 'Amount',
				cell: ({ amount }) => /* @__PURE__ */ jsx17(Credits, { amount }),
				class: 'end',
			},
		],
	});
}

// src/web/admin/account-state.tsx
import { jsx as jsx18, jsxs as jsxs11 } from 'hono/jsx/jsx-runtime';

function AccountBadges({ role, paid, disabled_at }) {
	return /* @__PURE__ */ jsxs11('span', {
		class: 'badges',
		children: [
			/* @__PURE__ */ jsx18(TierBadge, { paid }),
			role === 'admin' &&
				/* @__PURE__ */ jsx18('span', { class: 'badge role-admin', children: 'Administrator' }),
			disabled_at &&
				/* @__PURE__ */ jsx18('span', { class: 'badge status-offline', children: 'Disabled' }),
		],
	});
}

// src/web/admin/account-detail.tsx
import { Fragment as Fragment4, jsx as jsx19, jsxs as jsxs12 } from 'hono/jsx/jsx-runtime';

function AccountDetail({ account, entries, self, token, amount, fault }) {
	return /* @__PURE__ */ jsxs12(Fragment4, {
		children: [
			/* @__PURE__ */ jsx19('p', {
				class: 'back',
				children: /* @__PURE__ */ jsx19('a', { href: '/admin/accounts', children: 'Accounts' }),
			}),
			/* @__PURE__ */ jsx19(PageHead, {
				title: account.email,
				lead: /* @__PURE__ */ jsx19(AccountBadges, { ...account }),
			}),
			/* @__PURE__ */ jsx19(FormAlert, { fault, labels: { amount: 'Amount', change: 'This' } }),
			/* @__PURE__ */ jsxs12('div', {
				class: 'columns',
				children: [
					/* @__PURE__ */ jsxs12('section', {
						class: 'card',
						children: [
							/* @__PURE__ */ jsx19('h2', { children: 'Facts' }),
							/* @__PURE__ */ jsxs12('dl', {
								class: 'facts',
								children: [
									/* @__PURE__ */ jsx19('dt', { children: 'Balance' }),
									/* @__PURE__ */ jsx19('dd', {
										children: /* @__PURE__ */ jsx19(Credits, { amount: account.credits }),
									}),
									/* @__PURE__ */ jsx19('dt', { children: 'Created' }),
									/* @__PURE__ */ jsx19('dd', {
										children: /* @__PURE__ */ jsx19(Time, { at: account.created_at }),
									}),
									/* @__PURE__ */ jsx19('dt', { children: 'Identifier' }),
									/* @__PURE__ */ jsx19('dd', {
										children: /* @__PURE__ */ jsx19('code', { children: account.id }),
									}),
								],
							}),
							self
								? /* @__PURE__ */ jsx19('p', {
										class: 'muted small',
										id: 'change',
										children:
											'This is your own account. Another administrator can change its role or disable it.',
									})
								: /* @__PURE__ */ jsx19(StandingForms, { ...account }),
						],
					}),
					/* @__PURE__ */ jsxs12('section', {
						class: 'card',
						children: [
							/* @__PURE__ */ jsx19('h2', { children: 'Grant credits' }),
							/* @__PURE__ */ jsx19('p', {
								class: 'muted',
								children: 'The first grant lifts the account to the paid tier.',
							}),
							/* @__PURE__ */ jsxs12('form', {
								method: 'post',
								action: `/admin/accounts/${account.id}/credits`,
								children: [
									/* @__PURE__ */ jsx19('input', { type: 'hidden', name: 'token', value: token }),
									/* @__PURE__ */ jsx19(Field, {
										name: 'amount',
										label: 'Amount',
										value: amount,
										fault,
										input: { inputmode: 'numeric', maxlength: 9, autocomplete: 'off' },
									}),
									/* @__PURE__ */ jsx19('button', {
										type: 'submit',
										class: 'button primary',
										children: 'Grant',
									}),
								],
							}),
						],
					}),
				],
			}),
			entries.length > 0 &&
				/* @__PURE__ */ jsxs12('section', {
					children: [
						/* @__PURE__ */ jsx19('h2', { children: 'Ledger' }),
						/* @__PURE__ */ jsx19(Ledger, { entries }),
					],
				}),
		],
	});
}
function StandingForms({ id, role, disabled_at }) {
	return /* @__PURE__ */ jsxs12('form', {
		method: 'post',
		action: `/admin/accounts/${id}/standing`,
		class: 'actions',
		children: [
			/* @__PURE__ */ jsx19('button', {
				type: 'submit',
				class: 'button',
				name: 'change',
				value: role === 'admin' ? 'demote' : 'promote',
				children: role === 'admin' ? 'Make a user' : 'Make an administrator',
			}),
			/* @__PURE__ */ jsx19('button', {
				type: 'submit',
				class: disabled_at ? 'button' : 'button danger',
				name: 'change',
				value: disabled_at ? 'enable' : 'disable',
				children: disabled_at ? 'Enable' : 'Disable',
			}),
		],
	});
}

// src/web/elements/code-block.tsx
import { jsx as jsx20, jsxs as jsxs13 } from 'hono/jsx/jsx-runtime';

function CodeBlock({ id, what, text }) {
	return /* @__PURE__ */ jsxs13('div', {
		class: 'code',
		children: [
			/* @__PURE__ */ jsx20('pre', {
				tabindex: 0,
				children: /* @__PURE__ */ jsx20('code', { id, children: text }),
			}),
			/* @__PURE__ */ jsx20('button', {
				type: 'button',
				class: 'button copy',
				'data-copy': id,
				'aria-label': `Copy ${what}`,
				hidden: true,
				children: 'Copy',
			}),
		],
	});
}

// src/web/elements/empty-state.tsx
import { jsx as jsx21, jsxs as jsxs14 } from 'hono/jsx/jsx-runtime';

function EmptyState({ icon, title, children }) {
	return /* @__PURE__ */ jsxs14('section', {
		class: 'empty',
		children: [
			/* @__PURE__ */ jsx21(Icon, { name: icon }),
			/* @__PURE__ */ jsx21('h2', { children: title }),
			children,
		],
	});
}

// src/web/elements/search-box.tsx
import { jsx as jsx22, jsxs as jsxs15 } from 'hono/jsx/jsx-runtime';

function SearchBox({ label: label2, placeholder, text }) {
	return /* @__PURE__ */ jsxs15('div', {
		class: 'search',
		children: [
			/* @__PURE__ */ jsx22(Icon, { name: 'search' }),
			/* @__PURE__ */ jsx22('label', { class: 'unseen', for: 'q', children: label2 }),
			/* @__PURE__ */ jsx22('input', {
				id: 'q',
				name: 'q',
				type: 'search',
				value: text,
				placeholder,
				maxlength: 200,
			}),
		],
	});
}

// src/web/admin/account-list.tsx
import { Fragment as Fragment5, jsx as jsx23, jsxs as jsxs16 } from 'hono/jsx/jsx-runtime';

function AccountList({ text, sort, accounts, total, page, pageSize: pageSize4 }) {
	const order = sortText(sort, accountSorts);
	const hrefOf2 = (change) => withQuery('/admin/accounts', { q: text, sort: order, ...change });
	const sorted = (name) => sortLink(name, sort, (wish) => hrefOf2({ sort: wish }));
	return /* @__PURE__ */ jsxs16(Fragment5, {
		children: [
			/* @__PURE__ */ jsx23(PageHead, {
				title: 'Accounts',
				lead: 'Who may use this service, and on which tier.',
			}),
			/* @__PURE__ */ jsxs16('div', {
				'data-live-filter': true,
				children: [
					/* @__PURE__ */ jsx23('search', {
						children: /* @__PURE__ */ jsxs16('form', {
							class: 'toolbar',
							method: 'get',
							action: '/admin/accounts',
							children: [
								/* @__PURE__ */ jsx23(SearchBox, {
									label: 'Search accounts',
									placeholder: 'Email address\u2026',
									text,
								}),
								/* @__PURE__ */ jsx23('button', {
									type: 'submit',
									class: 'button',
									children: 'Search',
								}),
							],
						}),
					}),
					/* @__PURE__ */ jsxs16('div', {
						'data-live-results': true,
						children: [
							/* @__PURE__ */ jsx23('output', {
								class: 'unseen',
								children: `${total.toLocaleString('en')} accounts match`,
							}),
							accounts.length === 0
								? /* @__PURE__ */ jsx23(EmptyState, {
										icon: 'search',
										title: 'No account matches',
										children: /* @__PURE__ */ jsxs16('p', {
											children: [
												'Search for less, or ',
												/* @__PURE__ */ jsx23('a', {
													href: '/admin/accounts',
													children: 'show all accounts',
												}),
												'.',
											],
										}),
									})
								: /* @__PURE__ */ jsx23(Table, {
										caption: 'Accounts',
										rows: accounts,
										columns: [
											{
												label: 'Account',
												cell: AccountName,
												sort: sorted('email'),
												class: 'main-cell',
											},
											{ label: 'Standing', cell: AccountBadges, class: 'bare' },
											{
												label: 'Credits',
												cell: ({ credits }) => /* @__PURE__ */ jsx23(Credits, { amount: credits }),
												sort: sorted('credits'),
											},
											{
												label: 'Created',
												cell: ({ created_at }) => /* @__PURE__ */ jsx23(Time, { at: created_at }),
												sort: sorted('created_at'),
											},
										],
									}),
							/* @__PURE__ */ jsx23(Pager, {
								page,
								pageSize: pageSize4,
								total,
								hrefOf: (number4) => hrefOf2({ page: String(number4) }),
							}),
						],
					}),
				],
			}),
			/* @__PURE__ */ jsxs16('details', {
				class: 'same-call',
				children: [
					/* @__PURE__ */ jsx23('summary', {
						children: 'The same from the machine that runs the service',
					}),
					/* @__PURE__ */ jsx23(CodeBlock, {
						id: 'account-commands',
						what: 'the commands',
						text: commands,
					}),
				],
			}),
		],
	});
}
var commands = `board-access-service account list
board-access-service account create ann@example.com
board-access-service account credit ann@example.com 100
board-access-service account promote ann@example.com
board-access-service account disable ann@example.com`;
function AccountName({ id, email: email3 }) {
	return /* @__PURE__ */ jsxs16(Fragment5, {
		children: [
			/* @__PURE__ */ jsx23('a', {
				href: `/admin/accounts/${id}`,
				children: /* @__PURE__ */ jsx23('strong', { children: email3 }),
			}),
			' ',
			/* @__PURE__ */ jsx23('code', { class: 'muted small', children: id }),
		],
	});
}

// src/web/admin/account-routes.tsx
import { jsx as jsx24 } from 'hono/jsx/jsx-runtime';

var pageSize = 50;
function accountAdminPages(app, { database: { query } }, { forAdmins }) {
	app.get(
		'/admin/accounts',
		forAdmins(async ({ c }) => {
			const text = readLine(c, 'q');
			const sort = readSort(c.req.query('sort'), accountSorts);
			const total = await countAccounts(query, text);
			const { page, slice } = readPage(c.req.query('page'), { total, pageSize });
			const accounts = await searchAccounts(query, text, { ...sort, ...slice });
			const view = { text, sort, total, page, pageSize, accounts };
			return { title: 'Accounts', main: /* @__PURE__ */ jsx24(AccountList, { ...view }) };
		}),
	);
	const existing = async (c) => {
		const account = await accountWithCredits(query, c.req.param('id') ?? '');
		if (!account) throw new ApiError('not_found', 'There is no such account.');
		return account;
	};
	const detail = async ({ c, account: admin }, amount, fault) => {
		const account = await existing(c);
		const main = /* @__PURE__ */ jsx24(AccountDetail, {
			account,
			entries: await listCredits(query, account.id),
			self: account.id === admin.id,
			token: randomUUID3(),
			amount,
			fault,
		});
		return { title: account.email, main };
	};
	app.get(
		'/admin/accounts/:id',
		forAdmins((visit) => detail(visit, '')),
	);
	app.post(
		'/admin/accounts/:id/credits',
		forAdmins(async (visit) => {
			const { id } = await existing(visit.c);
			const { amount, token } = await readForm(visit.c, ['amount', 'token']);
			const grant = async () =>
				// The form's own token as the name: sent twice, it is booked once.
				grantCredits(query, {
					account_id: id,
					amount: readAmount(amount),
					name: token || void 0,
				});
			const done = await grant().catch(refusal);
			if (done instanceof ApiError) return refused(await detail(visit, amount, done), done);
			return goTo(visit.c, `/admin/accounts/${id}`, 'credits-granted');
		}),
	);
	app.post(
		'/admin/accounts/:id/standing',
		forAdmins(async (visit) => {
			const { id } = await existing(visit.c);
			const { change } = await readForm(visit.c, ['change']);
			const act = isStanding(change) ? standings[change] : void 0;
			if (!act) throw invalid([{ path: 'change', message: 'is not known here' }]);
			if (id === visit.account.id) {
				const fault = invalid([{ path: 'change', message: 'is not possible on your own account' }]);
				return refused(await detail(visit, '', fault), fault);
			}
			await act(id);
			return goTo(visit.c, `/admin/accounts/${id}`, 'account-changed');
		}),
	);
	const standings = {
		promote: (id) => setRole(query, id, 'admin'),
		demote: (id) => setRole(query, id, 'user'),
		disable: (id) => disableAccount(query, id),
		enable: (id) => enableAccount(query, id),
	};
	const isStanding = (text) => Object.hasOwn(standings, text);
}

// src/web/admin/base-image-routes.tsx
import { randomUUID as randomUUID4 } from 'node:crypto';

// src/web/elements/calls.ts
function callOf({ baseUrl, method = 'GET', path, json, cli, typescript }) {
	return {
		curl: `curl ${[
			...(method === 'GET' ? [] : [`-X ${method}`]),
			...(json ? ["-H 'Content-Type: application/json'", `-d ${shell(JSON.stringify(json))}`] : []),
			'-H "Authorization: Bearer $SERVICE_API_KEY"',
			shell(baseUrl + path),
		].join(' \\\n  ')}`,
		cli: `export SERVICE_BASE_URL=${shell(baseUrl)}
board-access ${cli.map(shell).join(' ')}`,
		typescript: `import { BoardAccess } from 'board-access';

// Reads SERVICE_API_KEY from the environment.
const client = new BoardAccess({ baseUrl: ${literal(baseUrl)} });
${typescript}`,
	};
}
function shell(text) {
	if (/^[\w@%+=:,./-]+$/.test(text)) return text;
	if (/\p{Cc}/u.test(text)) return `$'${text.replace(/[\p{Cc}'\\]/gu, octal)}'`;
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
function octal(character) {
	return [...Buffer.from(character)]
		.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
		.join('');
}
function literal(value) {
	if (typeof value === 'string') {
		const quoted = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
		return `'${quoted.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16)}`)}'`;
	}
	if (typeof value !== 'object' || value === null) return String(value);
	const entries = Object.entries(value).filter(([, entry]) => entry !== void 0);
	return `{ ${entries.map(([name, entry]) => `${name}: ${literal(entry)}`).join(', ')} }`;
}

// src/web/elements/same-call.tsx
import { Fragment as Fragment6, jsx as jsx25, jsxs as jsxs17 } from 'hono/jsx/jsx-runtime';

var languages = [
	['curl', 'curl'],
	['cli', 'Command line'],
	['typescript', 'TypeScript'],
];
function SameCall({ call, summary = 'The same call from code', note }) {
	return /* @__PURE__ */ jsxs17('details', {
		class: 'same-call',
		children: [
			/* @__PURE__ */ jsx25('summary', { children: summary }),
			/* @__PURE__ */ jsxs17('fieldset', {
				class: 'tabs',
				children: [
					/* @__PURE__ */ jsx25('legend', { class: 'unseen', children: 'Language' }),
					languages.map(([name, label2], index) =>
						/* @__PURE__ */ jsxs17(Fragment6, {
							children: [
								/* @__PURE__ */ jsx25('input', {
									type: 'radio',
									name: 'language',
									id: `tab-${name}`,
									checked: index === 0,
								}),
								/* @__PURE__ */ jsx25('label', { for: `tab-${name}`, children: label2 }),
							],
						}),
					),
					languages.map(([name, label2]) =>
						/* @__PURE__ */ jsx25('div', {
							class: `tab tab-${name}`,
							children: /* @__PURE__ */ jsx25(CodeBlock, {
								id: `call-${name}`,
								what: `the ${label2} call`,
								text: call[name],
							}),
						}),
					),
				],
			}),
			note && /* @__PURE__ */ jsx25('p', { class: 'muted small', children: note }),
		],
	});
}

// src/web/admin/offset-help.tsx
import { jsx as jsx26, jsxs as jsxs18 } from 'hono/jsx/jsx-runtime';

var usual = [
	['ESP32, ESP32-S2', '0x1000', '0x8000', '0x10000'],
	['ESP32-S3, C3, C6, H2', '0x0', '0x8000', '0x10000'],
	['ESP32-P4, C5', '0x2000', '0x8000', '0x10000'],
];
function OffsetHelp() {
	return /* @__PURE__ */ jsxs18('details', {
		class: 'hint',
		children: [
			/* @__PURE__ */ jsx26('summary', { children: 'Which offset do I need?' }),
			/* @__PURE__ */ jsxs18('p', {
				children: [
					'The build prints it: ESP-IDF writes every offset into ',
					/* @__PURE__ */ jsx26('code', { children: 'build/flasher_args.json' }),
					'. The usual ones of Espressif chips, as long as the partition table was not changed:',
				],
			}),
			/* @__PURE__ */ jsx26('section', {
				class: 'table-scroll',
				tabindex: 0,
				'aria-label': 'Usual offsets',
				children: /* @__PURE__ */ jsxs18('table', {
					children: [
						/* @__PURE__ */ jsx26('thead', {
							children: /* @__PURE__ */ jsxs18('tr', {
								children: [
									/* @__PURE__ */ jsx26('th', { scope: 'col', children: 'Chip' }),
									/* @__PURE__ */ jsx26('th', { scope: 'col', children: 'Bootloader' }),
									/* @__PURE__ */ jsx26('th', { scope: 'col', children: 'Partition table' }),
									/* @__PURE__ */ jsx26('th', { scope: 'col', children: 'Application' }),
								],
							}),
						}),
						/* @__PURE__ */ jsx26('tbody', {
							children: usual.map(([chip, ...offsets]) =>
								/* @__PURE__ */ jsxs18('tr', {
									children: [
										/* @__PURE__ */ jsx26('th', { scope: 'row', children: chip }),
										offsets.map((offset) =>
											/* @__PURE__ */ jsx26('td', {
												children: /* @__PURE__ */ jsx26('code', { children: offset }),
											}),
										),
									],
								}),
							),
						}),
					],
				}),
			}),
			/* @__PURE__ */ jsxs18('p', {
				children: [
					/* @__PURE__ */ jsx26('code', { children: '.hex' }),
					', ',
					/* @__PURE__ */ jsx26('code', { children: '.elf' }),
					' and ',
					/* @__PURE__ */ jsx26('code', { children: '.uf2' }),
					' files carry their addresses inside: leave ',
					/* @__PURE__ */ jsx26('code', { children: '0x0' }),
					'. A whole build at once:',
					' ',
					/* @__PURE__ */ jsx26('code', { children: 'board-access admin base-images import' }),
					' reads ',
					/* @__PURE__ */ jsx26('code', { children: 'flasher_args.json' }),
					' ',
					'itself.',
				],
			}),
		],
	});
}

// src/web/admin/base-image-form.tsx
import { Fragment as Fragment7, jsx as jsx27, jsxs as jsxs19 } from 'hono/jsx/jsx-runtime';

var baseImageFields = [
	'action',
	'board_type',
	'name',
	'description',
	'url',
	'flash_offset',
	'position',
	'enabled',
];
var labels = {
	action: 'Action',
	board_type: 'Board type',
	name: 'Name',
	description: 'Description',
	url: 'Image address',
	flash_offset: 'Flash offset',
	position: 'Position',
};
function BaseImageForm({ values, fault, token, types, baseUrl }) {
	return /* @__PURE__ */ jsxs19(Fragment7, {
		children: [
			/* @__PURE__ */ jsxs19('section', {
				class: 'card medium',
				children: [
					/* @__PURE__ */ jsx27('h1', { children: 'Add a base image' }),
					/* @__PURE__ */ jsx27('p', {
						class: 'lead',
						children: 'A flash or an erase action for one board type, at its place in the order.',
					}),
					/* @__PURE__ */ jsxs19('form', {
						method: 'post',
						action: '/admin/base-images',
						children: [
							/* @__PURE__ */ jsx27(FormAlert, { fault, labels }),
							/* @__PURE__ */ jsx27('input', { type: 'hidden', name: 'token', value: token }),
							/* @__PURE__ */ jsx27(ActionChoice, { action: values.action }),
							/* @__PURE__ */ jsxs19('div', {
								class: 'pair',
								children: [
									/* @__PURE__ */ jsx27(Field, {
										name: 'board_type',
										label: labels.board_type,
										value: values.board_type,
										fault,
										help: 'The type as your boards carry it.',
										input: { list: 'board-types', maxlength: 100, autocomplete: 'off' },
									}),
									/* @__PURE__ */ jsx27('datalist', {
										id: 'board-types',
										children: types.map((type) => /* @__PURE__ */ jsx27('option', { value: type })),
									}),
									/* @__PURE__ */ jsx27(Field, {
										name: 'name',
										label: labels.name,
										value: values.name,
										fault,
										help: 'What people call it, for example \u201CBootloader\u201D.',
										input: { maxlength: 200, autocomplete: 'off' },
									}),
								],
							}),
							/* @__PURE__ */ jsx27(Field, {
								name: 'url',
								label: labels.url,
								value: values.url,
								fault,
								help: 'An http or https address. Needed to flash; an erase may leave it out.',
								optional: true,
								input: { type: 'url', maxlength: 2048, autocomplete: 'off' },
							}),
							/* @__PURE__ */ jsxs19('div', {
								class: 'pair',
								children: [
									/* @__PURE__ */ jsx27(Field, {
										name: 'flash_offset',
										label: labels.flash_offset,
										value: values.flash_offset,
										fault,
										help: 'Where the image begins: 0x and hex digits, or a decimal.',
										input: { maxlength: 12, autocomplete: 'off', spellcheck: 'false' },
									}),
									/* @__PURE__ */ jsx27(Field, {
										name: 'position',
										label: labels.position,
										value: values.position,
										fault,
										help: '0 comes first. Left empty, it goes after the last.',
										optional: true,
										input: { inputmode: 'numeric', maxlength: 10, autocomplete: 'off' },
									}),
								],
							}),
							/* @__PURE__ */ jsx27(OffsetHelp, {}),
							/* @__PURE__ */ jsx27(TextArea, {
								name: 'description',
								label: labels.description,
								value: values.description,
								fault,
								optional: true,
								input: { rows: 2, maxlength: 2e3 },
							}),
							/* @__PURE__ */ jsxs19('label', {
								class: 'check',
								children: [
									/* @__PURE__ */ jsx27('input', {
										type: 'checkbox',
										name: 'enabled',
										value: 'on',
										checked: values.enabled === 'on',
									}),
									'Enabled',
								],
							}),
							/* @__PURE__ */ jsxs19('div', {
								class: 'actions',
								children: [
									/* @__PURE__ */ jsx27('button', {
										type: 'submit',
										class: 'button primary',
										children: 'Add base image',
									}),
									/* @__PURE__ */ jsx27('a', {
										class: 'button',
										href: '/admin/base-images',
										children: 'Cancel',
									}),
								],
							}),
						],
					}),
				],
			}),
			/* @__PURE__ */ jsx27(SameCall, { call: createImageCall(baseUrl) }),
		],
	});
}
function ActionChoice({ action }) {
	return /* @__PURE__ */ jsxs19('fieldset', {
		class: 'choice',
		id: 'action',
		children: [
			/* @__PURE__ */ jsx27('legend', { children: labels.action }),
			/* @__PURE__ */ jsxs19('label', {
				children: [
					/* @__PURE__ */ jsx27('input', {
						type: 'radio',
						name: 'action',
						value: 'flash',
						checked: action !== 'erase',
					}),
					/* @__PURE__ */ jsxs19('span', {
						children: [
							/* @__PURE__ */ jsx27('strong', { children: 'Flash' }),
							' writes an image at the offset',
						],
					}),
				],
			}),
			/* @__PURE__ */ jsxs19('label', {
				children: [
					/* @__PURE__ */ jsx27('input', {
						type: 'radio',
						name: 'action',
						value: 'erase',
						checked: action === 'erase',
					}),
					/* @__PURE__ */ jsxs19('span', {
						children: [/* @__PURE__ */ jsx27('strong', { children: 'Erase' }), ' clears the flash'],
					}),
				],
			}),
		],
	});
}
function createImageCall(baseUrl) {
	const url = 'https://images.example.com/app.bin';
	return callOf({
		baseUrl,
		method: 'POST',
		path: '/v1/admin/base-images',
		json: { action: 'flash', board_type: 'esp32-s3', name: 'App', url, flash_offset: '0x10000' },
		cli: [
			...['admin', 'base-images', 'create', '--action', 'flash', '--board-type', 'esp32-s3'],
			...['--name', 'App', '--url', url, '--flash-offset', '0x10000'],
		],
		typescript: `const image = await client.admin.baseImages.create({
  action: 'flash',
  boardType: 'esp32-s3',
  name: 'App',
  url: '${url}',
  flashOffset: '0x10000',
});`,
	});
}

// src/web/admin/base-image-list.tsx
import { Fragment as Fragment8, jsx as jsx28, jsxs as jsxs20 } from 'hono/jsx/jsx-runtime';

function BaseImageList({ images, baseUrl }) {
	return /* @__PURE__ */ jsxs20(Fragment8, {
		children: [
			/* @__PURE__ */ jsx28(PageHead, {
				title: 'Base images',
				lead: 'The flash and erase actions of each board type, in their order.',
				children: /* @__PURE__ */ jsxs20('a', {
					class: 'button primary',
					href: '/admin/base-images/new',
					children: [/* @__PURE__ */ jsx28(Icon, { name: 'plus' }), 'Add base image'],
				}),
			}),
			images.length === 0 &&
				/* @__PURE__ */ jsx28(EmptyState, {
					icon: 'board',
					title: 'There are no base images yet',
					children: /* @__PURE__ */ jsxs20('p', {
						children: [
							'An entry flashes or erases the boards of one type. Add the first one, or import a whole build with ',
							/* @__PURE__ */ jsx28('code', {
								children: 'board-access admin base-images import build/flasher_args.json',
							}),
							'.',
						],
					}),
				}),
			[...Map.groupBy(images, ({ board_type }) => board_type)].map(([type, entries]) =>
				/* @__PURE__ */ jsxs20('section', {
					class: 'group',
					children: [
						/* @__PURE__ */ jsxs20('div', {
							class: 'group-head',
							children: [
								/* @__PURE__ */ jsx28('h2', {
									children: /* @__PURE__ */ jsx28('code', { children: type }),
								}),
								/* @__PURE__ */ jsx28('a', {
									href: withQuery('/admin/base-images/new', { board_type: type }),
									children: 'Add for this type',
								}),
							],
						}),
						/* @__PURE__ */ jsx28(ImageTable, { type, images: entries }),
					],
				}),
			),
			/* @__PURE__ */ jsx28(SameCall, {
				call: createImageCall(baseUrl),
				summary: 'Add an entry from code',
			}),
		],
	});
}
function ImageTable({ type, images }) {
	return /* @__PURE__ */ jsx28(Table, {
		caption: `Base images of ${type}`,
		rows: images,
		columns: [
			{
				label: 'Position',
				cell: ({ position }) =>
					/* @__PURE__ */ jsx28('span', { class: 'number', children: position }),
				class: 'narrow-cell',
			},
			{ label: 'Name', cell: ImageName, class: 'main-cell' },
			{
				label: 'Action',
				cell: ({ action }) =>
					/* @__PURE__ */ jsx28('span', { class: `badge action-${action}`, children: action }),
			},
			{
				label: 'Offset',
				cell: ({ action, flash_offset }) =>
					action === 'erase'
						? /* @__PURE__ */ jsx28('span', { class: 'muted', children: '\u2013' })
						: /* @__PURE__ */ jsx28('code', { children: flash_offset }),
			},
			{ label: 'State', cell: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled') },
			{
				label: 'Added',
				cell: ({ created_at }) => /* @__PURE__ */ jsx28(Time, { at: created_at }),
				class: 'muted',
			},
		],
	});
}
function ImageName({ name, description, url, enabled }) {
	return /* @__PURE__ */ jsxs20(Fragment8, {
		children: [
			/* @__PURE__ */ jsx28('strong', { class: enabled ? void 0 : 'struck', children: name }),
			description && /* @__PURE__ */ jsx28('p', { class: 'muted small', children: description }),
			url &&
				/* @__PURE__ */ jsx28('p', {
					class: 'small',
					children: /* @__PURE__ */ jsx28('code', { class: 'address', children: url }),
				}),
		],
	});
}

// src/web/admin/base-image-routes.tsx
import { jsx as jsx29 } from 'hono/jsx/jsx-runtime';

function baseImagePages(app, { database, settings }, { forAdmins }) {
	const { query } = database;
	const { baseUrl } = settings;
	app.get(
		'/admin/base-images',
		forAdmins(async () => ({
			title: 'Base images',
			main: /* @__PURE__ */ jsx29(BaseImageList, { images: await listBaseImages(query), baseUrl }),
		})),
	);
	const form = async (values, fault) => ({
		title: 'Add a base image',
		main: /* @__PURE__ */ jsx29(BaseImageForm, {
			values,
			fault,
			token: randomUUID4(),
			types: await listBoardTypes(query),
			baseUrl,
		}),
	});
	app.get(
		'/admin/base-images/new',
		forAdmins(({ c }) => form({ ...blank, board_type: readLine(c, 'board_type') })),
	);
	app.post(
		'/admin/base-images',
		forAdmins(async ({ c, account }) => {
			const { token, ...values } = await readForm(c, [...baseImageFields, 'token']);
			const create = async () =>
				createBaseImageOnce(c, database, {
					key: `web ${token || randomUUID4()}`,
					accountId: account.id,
					image: validate(baseImageInput, asInput(values)),
				});
			const done = await create().catch(refusal);
			if (done instanceof ApiError) return refused(await form(values, done), done);
			return goTo(c, '/admin/base-images', 'image-created');
		}),
	);
}
var blank = {
	action: 'flash',
	board_type: '',
	name: '',
	description: '',
	url: '',
	flash_offset: '0x0',
	position: '',
	enabled: 'on',
};
function asInput({ position, enabled, flash_offset, ...texts }) {
	return {
		...texts,
		...(flash_offset.trim() && { flash_offset: flash_offset.trim() }),
		...(position.trim() && {
			position: /^\d+$/.test(position.trim()) ? Number(position) : position,
		}),
		enabled: enabled === 'on',
	};
}

// src/boards/csv.ts
var field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
function parseCsv(text) {
	const rows = [];
	let row = { line: 1, values: [] };
	let line2 = 1;
	field.lastIndex = 0;
	while (field.lastIndex < text.length) {
		const match = fieldIn(text, line2);
		if (!match) throw new Error(`line ${line2}: a quote is not closed or stands inside a field`);
		const [whole, quoted, bare = '', end] = match;
		row.values.push(quoted === void 0 ? bare : quoted.replaceAll('""', '"'));
		line2 += whole.split('\n').length - 1;
		if (end === ',' && field.lastIndex < text.length) continue;
		if (end === ',') row.values.push('');
		if (row.values.some((value) => value !== '')) rows.push(row);
		row = { line: line2, values: [] };
	}
	return rows;
}
function fieldIn(text, line2) {
	try {
		return field.exec(text);
	} catch {
		throw new Error(`line ${line2}: a field is too long`);
	}
}
function writeCsv(rows) {
	return rows
		.map(
			(row) => `${row.map(quote).join(',')}
`,
		)
		.join('');
}
function quote(value) {
	return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

// src/boards/import.ts
import * as z12 from 'zod/mini';

var storable = z12
	.string()
	.check(z12.refine((text) => !text.includes('\0'), 'must not contain NUL'));
var namedTags = z12
	.unknown()
	.check(
		z12.refine(
			(tags) => !Object.hasOwn(Object(tags), '__proto__'),
			'must not have one named __proto__',
		),
	);
var boardInput = z12.strictObject({
	id: z12.optional(
		z12.string().check(z12.regex(/^brd_[\w-]{1,60}$/, 'must be brd_ and letters, digits, _ or -')),
	),
	name: line(200),
	board_type: line(100),
	status: z12._default(z12.enum(boardStatuses), 'available'),
	description: z12._default(storable.check(z12.maxLength(2e3)), ''),
	tags: z12._default(z12.pipe(namedTags, z12.record(storable, storable)), {}),
	// An exported file may come back as it is; these two are the service's to write.
	created_at: z12.optional(z12.string()),
	updated_at: z12.optional(z12.string()),
});
function importBoards(db, boards) {
	return db.transaction().execute(async (transaction) => {
		let added = 0;
		for (const { id = newId('brd'), created_at: _createdAt, tags, ...board3 } of boards) {
			const values = {
				...board3,
				base_status: board3.status,
				tags: JSON.stringify(tags),
				updated_at: now(),
			};
			const { created_at } = await transaction
				.insertInto('boards')
				.values({ ...values, id, created_at: values.updated_at })
				.onConflict((conflict) => conflict.column('id').doUpdateSet(values))
				.returning('created_at')
				.executeTakeFirstOrThrow();
			if (created_at === values.updated_at) added += 1;
		}
		return { added, changed: boards.length - added };
	});
}

// src/boards/files.ts
function readBoards(text, format2) {
	const items = (format2 === 'csv' ? csvItems : jsonItems)(text.replace(/^\uFEFF/, ''));
	if (items.length === 0)
		throw new Error('The file holds no board; in CSV the first line names the columns');
	const checked = items.map(({ place, value }) => ({
		place,
		result: boardInput.safeParse(value, { error: explain }),
	}));
	const faults = checked.flatMap(({ place, result }) =>
		(result.error?.issues ?? [])
			.flatMap(issuesOf)
			.map(({ path, message }) => `${place}: ${path || 'it'} ${message}`),
	);
	faults.push(...repeatedIds(checked));
	if (faults.length > 0) throw new Error(faults.join('\n'));
	return checked.flatMap(({ result }) => (result.success ? [result.data] : []));
}
function repeatedIds(checked) {
	return [...Map.groupBy(checked, ({ result }) => result.data?.id)]
		.filter(([id, same]) => id !== void 0 && same.length > 1)
		.map(([, same]) => `${same.map(({ place }) => place).join(' and ')} have the same id`);
}
function writeBoards(boards, format2) {
	return format2 === 'json'
		? `${JSON.stringify(boards, null, 2)}
`
		: boardsAsCsv(boards);
}
function csvItems(text) {
	const [header, ...rows] = parseCsv(text);
	checkColumns(header?.values ?? []);
	return rows.map(({ line: line2, values }) => {
		const cells = values
			.map((cell, index) => [header?.values[index] ?? `column ${index + 1}`, cell])
			.filter(([, cell]) => cell !== '');
		const tags = cells
			.filter(([name]) => name.startsWith('tags.'))
			.map(([name, cell]) => [name.slice(5), cell]);
		const others = cells.filter(([name]) => !name.startsWith('tags.'));
		const value = { ...Object.fromEntries(others), tags: Object.fromEntries(tags) };
		return { place: `line ${line2}`, value };
	});
}
var plainColumns = ['id', 'name', 'board_type', 'status', 'description'];
var timeColumns = ['created_at', 'updated_at'];
function checkColumns(names) {
	if (names.length === 1 && names[0]?.includes(';')) {
		throw new Error('line 1: columns are separated by commas, not by semicolons');
	}
	const known = /* @__PURE__ */ new Set(['', ...plainColumns, ...timeColumns]);
	const unknown5 = names.filter((name) => !known.has(name) && !name.startsWith('tags.'));
	if (unknown5.length === 0) return;
	throw new Error(unknown5.map((name) => `line 1: ${name} is not known here`).join('\n'));
}
function jsonItems(text) {
	const values = JSON.parse(text.trim() || '[]');
	if (!Array.isArray(values)) throw new Error('The file must hold an array of boards');
	return values.map((value, index) => ({ place: `board ${index + 1}`, value }));
}
function boardsAsCsv(boards) {
	const tags = [...new Set(boards.flatMap((board3) => Object.keys(board3.tags)))].sort();
	const rows = boards.map((board3) => [
		...plainColumns.map((column) => board3[column]),
		...tags.map((tag) => board3.tags[tag] ?? ''),
		...timeColumns.map((column) => board3[column]),
	]);
	return writeCsv([
		[...plainColumns, ...tags.map((tag) => `tags.${tag}`), ...timeColumns],
		...rows,
	]);
}

// src/boards/search.ts
import { sql as sql5 } from 'kysely';

var boardSorts = ['name', 'board_type', 'status', 'updated_at'];
async function searchBoards(db, search, { by, descending, limit, offset }) {
	const direction = descending ? 'desc' : 'asc';
	const rows = await matching(db, search)
		.select(boardColumns)
		.orderBy(by, direction)
		.$if(by !== 'name', (query) => query.orderBy('name'))
		.orderBy('id', direction)
		.limit(limit)
		.offset(offset)
		.execute();
	return rows.map(boardRecord);
}
var none = Object.fromEntries(boardStatuses.map((status) => [status, 0]));
async function countBoardsByStatus(db, { text, board_type }) {
	const rows = await matching(db, { text, board_type })
		.select(['status', ({ fn }) => fn.countAll().as('boards')])
		.groupBy('status')
		.execute();
	const counts = { all: 0, ...none };
	for (const { status, boards } of rows) {
		counts[status] = Number(boards);
		counts.all += Number(boards);
	}
	return counts;
}
async function summariseBoardTypes(db) {
	const rows = await db
		.selectFrom('boards')
		.select(['board_type', 'status', ({ fn }) => fn.countAll().as('boards')])
		.groupBy(['board_type', 'status'])
		.orderBy('board_type')
		.execute();
	const types = /* @__PURE__ */ new Map();
	for (const { board_type, status, boards } of rows) {
		const summary = types.get(board_type) ?? { board_type, ...none };
		types.set(board_type, { ...summary, [status]: Number(boards) });
	}
	return [...types.values()];
}
function matching(db, { text, ...filter }) {
	const boards = filteredBoards(db, filter);
	if (text === '') return boards;
	return boards.where(({ ref }) => {
		const everything = sql5`lower(${ref('name')} || ' ' || ${ref('id')} || ' ' || ${ref('board_type')} || ' ' || ${ref('description')} || ' ' || ${ref('tags')})`;
		return containing(everything, text);
	});
}

// src/web/boards/calls.ts
function boardsCall(baseUrl, { board_type, status } = {}) {
	const filter = board_type || status ? literal({ boardType: board_type, status }) : '';
	return callOf({
		baseUrl,
		path: withQuery('/v1/boards', { board_type, status }),
		cli: [
			...['boards', 'list'],
			...(board_type ? ['--type', board_type] : []),
			...(status ? ['--status', status] : []),
		],
		typescript: `const boards = await client.boards.list(${filter});`,
	});
}

// src/web/boards/status.tsx
import { jsx as jsx30 } from 'hono/jsx/jsx-runtime';

var statusWords = {
	available: 'Available',
	in_use: 'In use',
	maintenance: 'Maintenance',
	offline: 'Offline',
};
var statuses = Object.keys(statusWords);
function StatusBadge({ status }) {
	return /* @__PURE__ */ jsx30('span', {
		class: `badge status-${status}`,
		children: statusWords[status],
	});
}

// src/web/admin/inventory.tsx
import { Fragment as Fragment9, jsx as jsx31, jsxs as jsxs21 } from 'hono/jsx/jsx-runtime';

function Inventory({ types, text, fault, baseUrl }) {
	return /* @__PURE__ */ jsxs21(Fragment9, {
		children: [
			/* @__PURE__ */ jsx31(PageHead, {
				title: 'Inventory',
				lead: 'The boards of this service, type by type.',
			}),
			types.length > 0 && /* @__PURE__ */ jsx31(TypeTable, { types }),
			/* @__PURE__ */ jsxs21('section', {
				class: 'card',
				id: 'import',
				children: [
					/* @__PURE__ */ jsx31('h2', { children: 'Import boards' }),
					/* @__PURE__ */ jsxs21('p', {
						children: [
							'A board with an ',
							/* @__PURE__ */ jsx31('code', { children: 'id' }),
							' that is known is changed, every other one is new. Either all of them are written or none.',
						],
					}),
					/* @__PURE__ */ jsxs21('form', {
						method: 'post',
						action: '/admin/boards',
						children: [
							/* @__PURE__ */ jsx31(FormAlert, { fault, labels: { boards: 'Boards' } }),
							/* @__PURE__ */ jsx31(TextArea, {
								name: 'boards',
								label: 'Boards as CSV or as a JSON array',
								value: text,
								fault,
								help: 'Needed: name and board_type. Up to 64 KiB; for more, use the command below.',
								input: { rows: 6, placeholder: example, spellcheck: 'false', class: 'mono' },
							}),
							/* @__PURE__ */ jsx31('button', {
								type: 'submit',
								class: 'button primary',
								children: 'Import',
							}),
						],
					}),
					/* @__PURE__ */ jsx31('h3', { children: 'From the machine that runs the service' }),
					/* @__PURE__ */ jsx31(CodeBlock, {
						id: 'import-command',
						what: 'the commands',
						text: 'board-access-service boards export --format csv > boards.csv\nboard-access-service boards import boards.csv',
					}),
				],
			}),
			/* @__PURE__ */ jsx31(SameCall, { call: boardsCall(baseUrl) }),
		],
	});
}
var example = `name,board_type,status,description,tags.location
esp32-s3-04,esp32-s3,available,ESP32-S3-DevKitC-1,rack-1`;
function TypeTable({ types }) {
	return /* @__PURE__ */ jsx31(Table, {
		caption: 'Boards of each type',
		rows: types,
		columns: [
			{
				label: 'Type',
				cell: ({ board_type }) =>
					/* @__PURE__ */ jsx31('a', {
						href: withQuery('/boards', { board_type }),
						children: /* @__PURE__ */ jsx31('code', { children: board_type }),
					}),
				class: 'main-cell',
			},
			...statuses.map((status) => ({
				label: statusWords[status],
				class: 'tally',
				cell: (type) =>
					/* @__PURE__ */ jsx31('span', {
						class: type[status] === 0 ? 'number muted' : 'number',
						children: type[status],
					}),
			})),
			{
				label: 'All',
				class: 'tally',
				cell: (type) =>
					/* @__PURE__ */ jsx31('strong', {
						class: 'number',
						children: statuses.reduce((sum, status) => sum + type[status], 0),
					}),
			},
		],
	});
}

// src/web/admin/board-routes.tsx
import { jsx as jsx32 } from 'hono/jsx/jsx-runtime';

function boardAdminPages(app, { database: { query }, settings }, { forAdmins }) {
	const show = async (text, fault) => ({
		title: 'Inventory',
		main: /* @__PURE__ */ jsx32(Inventory, {
			types: await summariseBoardTypes(query),
			text,
			fault,
			baseUrl: settings.baseUrl,
		}),
	});
	const add = async (text) => importBoards(query, boardsIn(text));
	app.get(
		'/admin/boards',
		forAdmins(() => show('')),
	);
	app.post(
		'/admin/boards',
		forAdmins(async ({ c }) => {
			const { boards } = await readForm(c, ['boards']);
			const done = await add(boards).catch(refusal);
			if (done instanceof ApiError) return refused(await show(boards, done), done);
			return goTo(c, '/admin/boards', 'boards-imported');
		}),
	);
}
function boardsIn(text) {
	try {
		return readBoards(text, text.trimStart().startsWith('[') ? 'json' : 'csv');
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		throw invalid([{ path: 'boards', message: `cannot be imported: ${message}` }]);
	}
}

// src/web/boards/filters.tsx
import { Fragment as Fragment10, jsx as jsx33, jsxs as jsxs22 } from 'hono/jsx/jsx-runtime';

function BoardFilters(props) {
	const { text, board_type, status, types } = props;
	return /* @__PURE__ */ jsxs22(Fragment10, {
		children: [
			/* @__PURE__ */ jsx33('search', {
				children: /* @__PURE__ */ jsxs22('form', {
					class: 'toolbar',
					method: 'get',
					action: '/boards',
					children: [
						/* @__PURE__ */ jsx33(SearchBox, {
							label: 'Search boards',
							placeholder: 'Name, identifier, tag\u2026',
							text,
						}),
						/* @__PURE__ */ jsx33('label', {
							class: 'unseen',
							for: 'board_type',
							children: 'Type',
						}),
						/* @__PURE__ */ jsxs22('select', {
							id: 'board_type',
							name: 'board_type',
							children: [
								/* @__PURE__ */ jsx33('option', { value: '', children: 'All types' }),
								types.map((type) =>
									/* @__PURE__ */ jsx33('option', {
										value: type,
										selected: type === board_type,
										children: type,
									}),
								),
							],
						}),
						status &&
							/* @__PURE__ */ jsx33('input', { type: 'hidden', name: 'status', value: status }),
						/* @__PURE__ */ jsx33('button', {
							type: 'submit',
							class: 'button',
							children: 'Search',
						}),
					],
				}),
			}),
			/* @__PURE__ */ jsx33(StatusTabs, { ...props }),
		],
	});
}
function StatusTabs({ status, counts, hrefOf: hrefOf2 }) {
	return /* @__PURE__ */ jsxs22('div', {
		class: 'glance',
		'data-live-results': true,
		children: [
			/* @__PURE__ */ jsxs22('nav', {
				class: 'status-tabs',
				'aria-label': 'Status',
				children: [
					/* @__PURE__ */ jsxs22('a', {
						href: hrefOf2({ status: void 0 }),
						'aria-current': status ? void 0 : 'true',
						children: [
							/* @__PURE__ */ jsx33('span', { children: 'All' }),
							/* @__PURE__ */ jsx33('strong', { children: counts.all.toLocaleString('en') }),
						],
					}),
					statuses.map((name) =>
						/* @__PURE__ */ jsxs22('a', {
							class: `status-${name}`,
							href: hrefOf2({ status: name }),
							'aria-current': status === name ? 'true' : void 0,
							children: [
								/* @__PURE__ */ jsx33('span', { children: statusWords[name] }),
								/* @__PURE__ */ jsx33('strong', { children: counts[name].toLocaleString('en') }),
							],
						}),
					),
				],
			}),
			/* @__PURE__ */ jsx33(FleetBar, { counts }),
		],
	});
}
function FleetBar({ counts }) {
	let start = 0;
	return /* @__PURE__ */ jsx33('svg', {
		class: 'fleet-bar',
		viewBox: '0 0 1000 8',
		preserveAspectRatio: 'none',
		'aria-hidden': 'true',
		children: statuses.map((name) => {
			const width = counts.all === 0 ? 0 : (counts[name] / counts.all) * 1e3;
			const x = start;
			start += width;
			return /* @__PURE__ */ jsx33('rect', {
				class: `status-${name}`,
				x,
				y: '0',
				width,
				height: '8',
			});
		}),
	});
}

// src/web/boards/list.tsx
import { Fragment as Fragment11, jsx as jsx34, jsxs as jsxs23 } from 'hono/jsx/jsx-runtime';

function BoardsPage(view) {
	return /* @__PURE__ */ jsxs23(Fragment11, {
		children: [
			/* @__PURE__ */ jsx34(PageHead, {
				title: 'Boards',
				lead: 'The hardware of this service, and what it is doing right now.',
			}),
			view.types.length === 0
				? /* @__PURE__ */ jsx34(NoBoards, { admin: view.admin })
				: /* @__PURE__ */ jsxs23('div', {
						'data-live-filter': true,
						children: [
							/* @__PURE__ */ jsx34(BoardFilters, {
								...view,
								hrefOf: (change) => hrefOf(view, change),
							}),
							/* @__PURE__ */ jsx34(BoardResults, { ...view }),
						],
					}),
		],
	});
}
function BoardResults(view) {
	return /* @__PURE__ */ jsxs23('div', {
		'data-live-results': true,
		children: [
			/* @__PURE__ */ jsx34('output', {
				class: 'unseen',
				children: `${view.total.toLocaleString('en')} boards match`,
			}),
			view.boards.length === 0
				? /* @__PURE__ */ jsx34(NoMatch, { ...view })
				: /* @__PURE__ */ jsx34(BoardTable, { ...view }),
			/* @__PURE__ */ jsx34(Pager, {
				...view,
				hrefOf: (page) => hrefOf(view, { page: String(page) }),
			}),
			/* @__PURE__ */ jsx34(SameCall, {
				call: boardsCall(view.baseUrl, view),
				note: view.text
					? 'The API filters by type and status. The search is done on this page only.'
					: void 0,
			}),
		],
	});
}
function BoardTable(view) {
	const sorted = (name) => sortLink(name, view.sort, (sort) => hrefOf(view, { sort }));
	return /* @__PURE__ */ jsx34(Table, {
		caption: 'Boards',
		rows: view.boards,
		columns: [
			{ label: 'Board', cell: BoardName, sort: sorted('name'), class: 'main-cell' },
			{
				label: 'Status',
				cell: ({ status }) => /* @__PURE__ */ jsx34(StatusBadge, { status }),
				sort: sorted('status'),
				class: 'bare',
			},
			{
				label: 'Type',
				cell: ({ board_type }) => /* @__PURE__ */ jsx34('code', { children: board_type }),
				sort: sorted('board_type'),
				class: 'bare',
			},
			{ label: 'Tags', cell: Tags, class: 'bare' },
			{
				label: 'Updated',
				cell: ({ updated_at }) => /* @__PURE__ */ jsx34(Time, { at: updated_at }),
				sort: sorted('updated_at'),
				class: 'muted',
			},
		],
	});
}
function NoMatch({ counts }) {
	return /* @__PURE__ */ jsx34(EmptyState, {
		icon: 'search',
		title: 'No board matches',
		children: /* @__PURE__ */ jsxs23('p', {
			children: [
				counts.all > 0
					? 'None with this status just now. '
					: 'Search for less, or for another type. ',
				/* @__PURE__ */ jsx34('a', { href: '/boards', children: 'Show all boards' }),
			],
		}),
	});
}
function BoardName({ id, name, description }) {
	return /* @__PURE__ */ jsxs23(Fragment11, {
		children: [
			/* @__PURE__ */ jsx34('strong', { children: name }),
			' ',
			/* @__PURE__ */ jsx34('code', { class: 'muted small', children: id }),
			description && /* @__PURE__ */ jsx34('p', { class: 'muted small', children: description }),
		],
	});
}
function Tags({ tags }) {
	const entries = Object.entries(tags);
	if (entries.length === 0)
		return /* @__PURE__ */ jsx34('span', { class: 'muted', children: '\u2013' });
	return /* @__PURE__ */ jsx34('ul', {
		class: 'tags',
		children: entries.map(([name, value]) =>
			/* @__PURE__ */ jsxs23('li', {
				children: [/* @__PURE__ */ jsx34('span', { class: 'muted', children: name }), ' ', value],
			}),
		),
	});
}
function NoBoards({ admin }) {
	return /* @__PURE__ */ jsx34(EmptyState, {
		icon: 'board',
		title: 'There are no boards yet',
		children: admin
			? /* @__PURE__ */ jsxs23('p', {
					children: [
						/* @__PURE__ */ jsx34('a', { href: '/admin/boards', children: 'Import your boards' }),
						'; they appear here at once.',
					],
				})
			: /* @__PURE__ */ jsx34('p', {
					children: 'As soon as the operator adds boards, they appear here.',
				}),
	});
}
function hrefOf({ text, board_type, status, sort }, change) {
	return withQuery('/boards', {
		q: text,
		board_type,
		status,
		sort: sortText(sort, boardSorts),
		...change,
	});
}

// src/web/boards/routes.tsx
import { jsx as jsx35 } from 'hono/jsx/jsx-runtime';

var pageSize2 = 50;
function boardPages(app, { database: { query }, limits, settings }, { forMembers }) {
	app.get(
		'/boards',
		forMembers(async ({ c, account }) => {
			const wish = readWish(c);
			if (wish.text) await limits.search(account.id);
			const counts = await countBoardsByStatus(query, wish);
			const total = wish.status ? counts[wish.status] : counts.all;
			const { page, slice } = readPage(c.req.query('page'), { total, pageSize: pageSize2 });
			const view = {
				...wish,
				boards: await searchBoards(query, wish, { ...wish.sort, ...slice }),
				types: await listBoardTypes(query),
				counts,
				total,
				page,
				pageSize: pageSize2,
				baseUrl: settings.baseUrl,
				admin: account.role === 'admin',
			};
			return { title: 'Boards', main: /* @__PURE__ */ jsx35(BoardsPage, { ...view }) };
		}),
	);
}
function readWish(c) {
	return {
		text: readLine(c, 'q'),
		board_type: readLine(c, 'board_type') || void 0,
		status: boardStatuses.find((status) => status === c.req.query('status')),
		sort: readSort(c.req.query('sort'), boardSorts),
	};
}

// src/credits/payment.ts
import { randomUUID as randomUUID5 } from 'node:crypto';

var sandbox = {
	pay: async () => ({ reference: `sandbox ${randomUUID5()}` }),
};

// src/credits/top-up.ts
async function topUp({ query }, payments, payment) {
	const { reference } = await payments.pay(payment);
	const { accountId: account_id, credits: amount } = payment;
	await addCredits(query, { account_id, amount, reason: 'top_up', reference });
}

// src/web/keys/calls.ts
function listKeysCall(baseUrl) {
	return callOf({
		baseUrl,
		path: '/v1/auth/keys',
		cli: ['keys', 'list'],
		typescript: 'const keys = await client.keys.list();',
	});
}
function createKeyCall(baseUrl, label2 = 'ci') {
	return callOf({
		baseUrl,
		method: 'POST',
		path: '/v1/auth/keys',
		json: { label: label2 },
		cli: ['keys', 'create', '--label', label2],
		typescript: `const { key } = await client.keys.create(${literal({ label: label2 })});`,
	});
}
function revokeKeyCall(baseUrl, id) {
	return callOf({
		baseUrl,
		method: 'DELETE',
		path: `/v1/auth/keys/${id}`,
		cli: ['keys', 'revoke', id],
		typescript: `await client.keys.revoke(${literal(id)});`,
	});
}

// src/web/credits/page.tsx
import { Fragment as Fragment12, jsx as jsx36, jsxs as jsxs24 } from 'hono/jsx/jsx-runtime';

function CreditsPage(props) {
	return /* @__PURE__ */ jsxs24(Fragment12, {
		children: [
			/* @__PURE__ */ jsx36(PageHead, {
				title: 'Credits',
				lead: 'Any credits at all put your account on the paid tier.',
			}),
			/* @__PURE__ */ jsxs24('div', {
				class: 'columns',
				children: [
					/* @__PURE__ */ jsxs24('section', {
						class: 'card balance',
						children: [
							/* @__PURE__ */ jsx36('h2', { children: 'Balance' }),
							/* @__PURE__ */ jsx36('p', {
								class: 'figure',
								children: /* @__PURE__ */ jsx36(Credits, { amount: props.balance }),
							}),
							/* @__PURE__ */ jsx36(TierBadge, { paid: props.paid }),
							/* @__PURE__ */ jsx36(Tiers, { paid: props.paid }),
						],
					}),
					/* @__PURE__ */ jsxs24('section', {
						class: 'card',
						children: [
							/* @__PURE__ */ jsx36('h2', { children: 'Top up' }),
							props.canTopUp
								? /* @__PURE__ */ jsx36(TopUpForm, { ...props })
								: /* @__PURE__ */ jsx36(AskOperator, {}),
						],
					}),
				],
			}),
			/* @__PURE__ */ jsxs24('section', {
				children: [
					/* @__PURE__ */ jsx36('h2', { children: 'Ledger' }),
					props.entries.length === 0
						? /* @__PURE__ */ jsx36(EmptyState, {
								icon: 'coins',
								title: 'Nothing on the ledger yet',
								children: /* @__PURE__ */ jsx36('p', {
									children: 'Every top-up and every grant is written here and never changed.',
								}),
							})
						: /* @__PURE__ */ jsx36(Ledger, { entries: props.entries }),
				],
			}),
			/* @__PURE__ */ jsx36(SameCall, {
				summary: 'What the paid tier unlocks, as a call',
				call: createKeyCall(props.baseUrl),
				note: 'On the free tier this is answered with 402 and the address of this page.',
			}),
		],
	});
}
function Tiers({ paid }) {
	return /* @__PURE__ */ jsxs24('ul', {
		class: 'checks',
		children: [
			/* @__PURE__ */ jsxs24('li', {
				children: [
					/* @__PURE__ */ jsx36(Icon, { name: 'check' }),
					'See every board and use the keys you have',
				],
			}),
			/* @__PURE__ */ jsxs24('li', {
				class: paid ? void 0 : 'muted',
				children: [
					/* @__PURE__ */ jsx36(Icon, { name: paid ? 'check' : 'key' }),
					paid ? 'Create API keys' : 'With the paid tier: create API keys',
				],
			}),
		],
	});
}
var amounts = ['25', '100', '500'];
function TopUpForm({ forKey, label: label2, fault, sandbox: sandbox2 }) {
	return /* @__PURE__ */ jsxs24('form', {
		method: 'post',
		action: '/credits/top-up',
		children: [
			/* @__PURE__ */ jsx36(FormAlert, { fault, labels: { credits: 'Amount' } }),
			forKey &&
				/* @__PURE__ */ jsxs24('p', {
					class: 'callout',
					children: [
						'Your new key',
						label2 && /* @__PURE__ */ jsxs24('strong', { children: [' \u201C', label2, '\u201D'] }),
						' waits: after the top-up you go on with it.',
					],
				}),
			forKey && /* @__PURE__ */ jsx36('input', { type: 'hidden', name: 'for', value: 'key' }),
			forKey && /* @__PURE__ */ jsx36('input', { type: 'hidden', name: 'label', value: label2 }),
			/* @__PURE__ */ jsxs24('fieldset', {
				class: 'amounts',
				id: 'credits',
				children: [
					/* @__PURE__ */ jsx36('legend', { children: 'Amount' }),
					amounts.map((amount) =>
						/* @__PURE__ */ jsxs24('label', {
							children: [
								/* @__PURE__ */ jsx36('input', {
									type: 'radio',
									name: 'credits',
									value: amount,
									checked: amount === '100',
								}),
								/* @__PURE__ */ jsxs24('span', {
									children: [/* @__PURE__ */ jsx36('strong', { children: amount }), ' credits'],
								}),
							],
						}),
					),
				],
			}),
			/* @__PURE__ */ jsx36('button', {
				type: 'submit',
				class: 'button primary',
				children: 'Top up',
			}),
			sandbox2 &&
				/* @__PURE__ */ jsx36('p', {
					class: 'muted small',
					children: 'This is a demonstration: no money is taken.',
				}),
		],
	});
}
function AskOperator() {
	return /* @__PURE__ */ jsx36('p', {
		children:
			'This service takes no payments itself. Ask its operator to grant you credits; they appear on the ledger below as soon as that is done.',
	});
}

// src/web/credits/routes.tsx
import { jsx as jsx37 } from 'hono/jsx/jsx-runtime';

function creditPages(app, { database, payments, settings }, { forMembers }) {
	const { query } = database;
	const show = async ({ account }, purpose, fault) => ({
		title: 'Credits',
		main: /* @__PURE__ */ jsx37(CreditsPage, {
			...purpose,
			fault,
			balance: await creditBalance(query, account.id),
			entries: await listCredits(query, account.id),
			paid: await isPaidTier(query, account.id),
			canTopUp: payments !== void 0,
			sandbox: payments === sandbox,
			baseUrl: settings.baseUrl,
		}),
	});
	app.get(
		'/credits',
		forMembers((visit) => {
			const forKey = visit.c.req.query('for') === 'key';
			return show(visit, { forKey, label: readLine(visit.c, 'label') });
		}),
	);
	app.post(
		'/credits/top-up',
		forMembers(async (visit) => {
			if (!payments) throw new ApiError('not_found', 'This service takes no payments.');
			const { c, account } = visit;
			const sent = await readForm(c, ['credits', 'for', 'label']);
			const purpose = { forKey: sent.for === 'key', label: sent.label };
			if (!/^[1-9]\d{0,4}$/.test(sent.credits)) {
				const fault = invalid([{ path: 'credits', message: 'must be one of the amounts below' }]);
				return refused(await show(visit, purpose, fault), fault);
			}
			await topUp(database, payments, { accountId: account.id, credits: Number(sent.credits) });
			const after = purpose.forKey ? withQuery('/keys/new', { label: sent.label }) : '/credits';
			return goTo(c, after, 'topped-up');
		}),
	);
}

// src/web/keys/routes.tsx
import { randomUUID as randomUUID6 } from 'node:crypto';

// src/web/keys/created.tsx
import { Fragment as Fragment13, jsx as jsx38, jsxs as jsxs25 } from 'hono/jsx/jsx-runtime';

function CreatedKey({ apiKey: apiKey2, label: label2, baseUrl }) {
	return /* @__PURE__ */ jsxs25(Fragment13, {
		children: [
			/* @__PURE__ */ jsxs25('section', {
				class: 'card medium',
				'data-one-time': true,
				children: [
					/* @__PURE__ */ jsx38('h1', {
						children: label2 === null ? 'Your new key' : `Your new key \u201C${label2}\u201D`,
					}),
					/* @__PURE__ */ jsxs25('output', {
						class: 'callout important',
						children: [
							/* @__PURE__ */ jsx38(Icon, { name: 'alert' }),
							/* @__PURE__ */ jsxs25('span', {
								children: [
									/* @__PURE__ */ jsx38('strong', { children: 'Copy it now.' }),
									' We keep only a fingerprint of it: this page is the only place that ever shows the key, and it is gone when you leave or reload.',
								],
							}),
						],
					}),
					/* @__PURE__ */ jsx38('h2', { children: 'The key' }),
					/* @__PURE__ */ jsx38(CodeBlock, { id: 'new-key', what: 'the key', text: apiKey2 }),
					/* @__PURE__ */ jsx38('h2', { children: 'Ready for your shell' }),
					/* @__PURE__ */ jsx38(CodeBlock, {
						id: 'new-key-export',
						what: 'the export line',
						text: `export SERVICE_API_KEY=${apiKey2}`,
					}),
					/* @__PURE__ */ jsxs25('p', {
						class: 'muted',
						children: [
							'In CI, store it as a secret with the name ',
							/* @__PURE__ */ jsx38('code', { children: 'SERVICE_API_KEY' }),
							'. Should it ever leak, revoke it on the API keys page: it stops working at once.',
						],
					}),
					/* @__PURE__ */ jsx38('p', {
						class: 'actions',
						children: /* @__PURE__ */ jsx38('a', {
							class: 'button primary',
							href: '/keys',
							children: 'Done, I have stored it',
						}),
					}),
				],
			}),
			/* @__PURE__ */ jsx38(SameCall, {
				summary: 'Try it',
				call: boardsCall(baseUrl, { status: 'available' }),
			}),
		],
	});
}

// src/web/keys/form.tsx
import { Fragment as Fragment14, jsx as jsx39, jsxs as jsxs26 } from 'hono/jsx/jsx-runtime';

function KeyForm(props) {
	const { label: label2, fault, paid, baseUrl } = props;
	return /* @__PURE__ */ jsxs26(Fragment14, {
		children: [
			/* @__PURE__ */ jsxs26('section', {
				class: 'card narrow',
				children: [
					/* @__PURE__ */ jsx39('h1', { children: 'Create a key' }),
					/* @__PURE__ */ jsx39('p', {
						class: 'lead',
						children: 'You see the key once, right after this. Have a safe place ready for it.',
					}),
					/* @__PURE__ */ jsx39(FormAlert, {
						fault: fault?.code === 'paid_tier_required' ? void 0 : fault,
						labels: { label: 'Label' },
					}),
					paid
						? /* @__PURE__ */ jsx39(CreateForm, { ...props })
						: /* @__PURE__ */ jsx39(TierFirst, { ...props }),
				],
			}),
			/* @__PURE__ */ jsx39(SameCall, { call: createKeyCall(baseUrl, label2 || void 0) }),
		],
	});
}
function LabelField({ label: label2, fault }) {
	return /* @__PURE__ */ jsx39(Field, {
		name: 'label',
		label: 'Label',
		value: label2,
		fault,
		help: 'What the key is for, for example \u201Cci\u201D or \u201Cbench laptop\u201D. It cannot be changed later.',
		optional: true,
		input: { maxlength: 200, autocomplete: 'off' },
	});
}
function CreateForm(props) {
	return /* @__PURE__ */ jsxs26('form', {
		method: 'post',
		action: '/keys',
		children: [
			/* @__PURE__ */ jsx39('input', { type: 'hidden', name: 'token', value: props.token }),
			/* @__PURE__ */ jsx39(LabelField, { ...props }),
			/* @__PURE__ */ jsx39(FormActions, { submit: 'Create key' }),
		],
	});
}
function TierFirst(props) {
	const refused2 = props.fault?.code === 'paid_tier_required';
	return /* @__PURE__ */ jsxs26(Fragment14, {
		children: [
			/* @__PURE__ */ jsxs26('div', {
				class: 'callout',
				...(refused2 && { role: 'alert', tabindex: -1, autofocus: true }),
				children: [
					/* @__PURE__ */ jsx39('h2', { children: 'Creating keys needs the paid tier' }),
					/* @__PURE__ */ jsx39('p', {
						children: props.canTopUp
							? 'You are on the free tier. Top up any amount of credits, then you come back here.'
							: 'You are on the free tier. Ask the operator of this service to grant you credits, then come back to this page.',
					}),
				],
			}),
			/* @__PURE__ */ jsxs26('form', {
				method: 'get',
				action: props.canTopUp ? '/credits' : '/keys/new',
				children: [
					props.canTopUp &&
						/* @__PURE__ */ jsx39('input', { type: 'hidden', name: 'for', value: 'key' }),
					/* @__PURE__ */ jsx39(LabelField, { ...props }),
					/* @__PURE__ */ jsx39(FormActions, {
						submit: props.canTopUp ? 'Continue to top-up' : 'Check again',
					}),
				],
			}),
		],
	});
}
function FormActions({ submit }) {
	return /* @__PURE__ */ jsxs26('div', {
		class: 'actions',
		children: [
			/* @__PURE__ */ jsx39('button', {
				type: 'submit',
				class: 'button primary',
				children: submit,
			}),
			/* @__PURE__ */ jsx39('a', { class: 'button', href: '/keys', children: 'Cancel' }),
		],
	});
}

// src/web/keys/list.tsx
import { Fragment as Fragment15, jsx as jsx40, jsxs as jsxs27 } from 'hono/jsx/jsx-runtime';

function KeysPage(props) {
	const { keys, next, includeRevoked, later, baseUrl } = props;
	return /* @__PURE__ */ jsxs27(Fragment15, {
		children: [
			/* @__PURE__ */ jsx40(PageHead, {
				title: 'API keys',
				lead: 'For the command line, your code and your pipelines.',
				children: /* @__PURE__ */ jsxs27('a', {
					class: 'button primary',
					href: '/keys/new',
					children: [/* @__PURE__ */ jsx40(Icon, { name: 'plus' }), 'Create key'],
				}),
			}),
			/* @__PURE__ */ jsx40('p', {
				class: 'filter-line',
				children: includeRevoked
					? /* @__PURE__ */ jsx40('a', { href: '/keys', children: 'Hide revoked keys' })
					: /* @__PURE__ */ jsx40('a', {
							href: '/keys?revoked=true',
							children: 'Show revoked keys too',
						}),
			}),
			keys.length === 0 && !later
				? /* @__PURE__ */ jsx40(NoKeys, { ...props })
				: /* @__PURE__ */ jsx40(KeyTable, { keys }),
			/* @__PURE__ */ jsxs27('nav', {
				class: 'pager',
				'aria-label': 'Pages',
				children: [
					later &&
						/* @__PURE__ */ jsxs27('a', {
							class: 'button',
							href: withQuery('/keys', revokedQuery(includeRevoked)),
							children: [/* @__PURE__ */ jsx40(Icon, { name: 'left' }), 'Newest'],
						}),
					next &&
						/* @__PURE__ */ jsxs27('a', {
							class: 'button',
							rel: 'next',
							href: withQuery('/keys', { ...revokedQuery(includeRevoked), cursor: next }),
							children: ['Older', /* @__PURE__ */ jsx40(Icon, { name: 'right' })],
						}),
				],
			}),
			/* @__PURE__ */ jsx40(SameCall, { call: listKeysCall(baseUrl) }),
		],
	});
}
function revokedQuery(includeRevoked) {
	return {
		revoked: includeRevoked ? 'true' : void 0,
	};
}
function KeyTable({ keys }) {
	return /* @__PURE__ */ jsx40(Table, {
		caption: 'API keys',
		rows: keys,
		columns: [
			{ label: 'Key', cell: KeyName, class: 'main-cell' },
			{
				label: 'Hint',
				cell: ({ hint }) => /* @__PURE__ */ jsx40('code', { children: hint }),
				class: 'fixed',
			},
			{
				label: 'Created',
				cell: ({ created_at }) => /* @__PURE__ */ jsx40(Time, { at: created_at }),
			},
			{
				label: 'Last used',
				cell: ({ last_used_at }) =>
					last_used_at
						? /* @__PURE__ */ jsx40(Time, { at: last_used_at })
						: /* @__PURE__ */ jsx40('span', { class: 'muted', children: 'Never' }),
			},
			{ label: 'State', cell: KeyState, class: 'end' },
		],
	});
}
function KeyName({ id, label: label2, revoked_at }) {
	return /* @__PURE__ */ jsxs27(Fragment15, {
		children: [
			label2 === null
				? /* @__PURE__ */ jsx40('span', { class: 'muted', children: 'No label' })
				: /* @__PURE__ */ jsx40('strong', {
						class: revoked_at ? 'struck' : void 0,
						children: label2,
					}),
			' ',
			/* @__PURE__ */ jsx40('code', { class: 'muted small', children: id }),
		],
	});
}
function KeyState({ id, hint, label: label2, revoked_at }) {
	return revoked_at
		? /* @__PURE__ */ jsxs27('span', {
				class: 'badge',
				children: ['Revoked ', /* @__PURE__ */ jsx40(Time, { at: revoked_at })],
			})
		: /* @__PURE__ */ jsx40('a', {
				class: 'button danger',
				href: `/keys/${id}/revoke`,
				'aria-label': `Revoke ${label2 ?? hint}`,
				'data-confirm': `Revoke ${label2 ?? hint}?`,
				'data-confirm-detail':
					'It stops working at once, everywhere it is used. This cannot be undone.',
				'data-confirm-action': 'Revoke key',
				children: 'Revoke',
			});
}
function NoKeys({ paid }) {
	return /* @__PURE__ */ jsxs27(EmptyState, {
		icon: 'key',
		title: 'You have no keys yet',
		children: [
			/* @__PURE__ */ jsxs27('p', {
				children: [
					'A key lets the command line, your code and your pipelines act for you. It goes into the environment variable ',
					/* @__PURE__ */ jsx40('code', { children: 'SERVICE_API_KEY' }),
					', and that is all the setup there is.',
				],
			}),
			/* @__PURE__ */ jsx40('p', {
				class: 'actions',
				children: /* @__PURE__ */ jsx40('a', {
					class: 'button primary',
					href: '/keys/new',
					children: 'Create your first key',
				}),
			}),
			!paid &&
				/* @__PURE__ */ jsxs27('p', {
					class: 'muted small',
					children: [
						'Creating keys needs the paid tier: ',
						/* @__PURE__ */ jsx40('a', { href: '/credits', children: 'top up credits' }),
						' first.',
					],
				}),
		],
	});
}

// src/web/keys/revoke.tsx
import { Fragment as Fragment16, jsx as jsx41, jsxs as jsxs28 } from 'hono/jsx/jsx-runtime';

function RevokeKey({ apiKey: apiKey2, baseUrl }) {
	const { id, label: label2, hint, created_at, last_used_at } = apiKey2;
	return /* @__PURE__ */ jsxs28(Fragment16, {
		children: [
			/* @__PURE__ */ jsxs28('section', {
				class: 'card narrow',
				children: [
					/* @__PURE__ */ jsx41('h1', { children: 'Revoke this key?' }),
					/* @__PURE__ */ jsx41('p', {
						class: 'lead',
						children: 'It stops working at once, everywhere it is used. This cannot be undone.',
					}),
					/* @__PURE__ */ jsxs28('dl', {
						class: 'facts',
						children: [
							/* @__PURE__ */ jsx41('dt', { children: 'Label' }),
							/* @__PURE__ */ jsx41('dd', {
								children:
									label2 ?? /* @__PURE__ */ jsx41('span', { class: 'muted', children: 'No label' }),
							}),
							/* @__PURE__ */ jsx41('dt', { children: 'Hint' }),
							/* @__PURE__ */ jsx41('dd', {
								children: /* @__PURE__ */ jsx41('code', { children: hint }),
							}),
							/* @__PURE__ */ jsx41('dt', { children: 'Created' }),
							/* @__PURE__ */ jsx41('dd', {
								children: /* @__PURE__ */ jsx41(Time, { at: created_at }),
							}),
							/* @__PURE__ */ jsx41('dt', { children: 'Last used' }),
							/* @__PURE__ */ jsx41('dd', {
								children: last_used_at
									? /* @__PURE__ */ jsx41(Time, { at: last_used_at })
									: 'Never',
							}),
						],
					}),
					/* @__PURE__ */ jsxs28('form', {
						method: 'post',
						action: `/keys/${id}/revoke`,
						class: 'actions',
						children: [
							/* @__PURE__ */ jsx41('button', {
								type: 'submit',
								class: 'button primary danger',
								children: 'Revoke key',
							}),
							/* @__PURE__ */ jsx41('a', { class: 'button', href: '/keys', children: 'Keep it' }),
						],
					}),
				],
			}),
			/* @__PURE__ */ jsx41(SameCall, { call: revokeKeyCall(baseUrl, id) }),
		],
	});
}

// src/web/keys/routes.tsx
import { jsx as jsx42 } from 'hono/jsx/jsx-runtime';

var pageSize3 = '50';
function keyPages(app, { database, payments, settings }, { forMembers }) {
	const { query } = database;
	const { baseUrl } = settings;
	app.get(
		'/keys',
		forMembers(async ({ c, account }) => {
			const accountId = account.id;
			const includeRevoked = c.req.query('revoked') === 'true';
			const cursor = c.req.query('cursor');
			const list = keyList(accountId, includeRevoked);
			const page = pageRequest(list, { limit: pageSize3, cursor });
			const keys = await listKeys(query, { accountId, includeRevoked }, page);
			const main = /* @__PURE__ */ jsx42(KeysPage, {
				keys: keys.data,
				next: keys.next_cursor,
				includeRevoked,
				later: cursor !== void 0,
				paid: await isPaidTier(query, accountId),
				baseUrl,
			});
			return { title: 'API keys', main };
		}),
	);
	const form = async ({ account }, label2, fault) => ({
		title: 'Create a key',
		main: /* @__PURE__ */ jsx42(KeyForm, {
			label: label2,
			fault,
			token: randomUUID6(),
			paid: await isPaidTier(query, account.id),
			canTopUp: payments !== void 0,
			baseUrl,
		}),
	});
	app.get(
		'/keys/new',
		forMembers((visit) => form(visit, readLine(visit.c, 'label'))),
	);
	const create = async (c, accountId, sent) => {
		const { label: label2 } = validate(apiKeyInput, { label: sent.label });
		await requirePaidTier(query, accountId, settings.webUrl);
		return once(database, {
			key: `web ${sent.token || randomUUID6()}`,
			accountId,
			digest: requestDigest(c, { label: label2 }),
			create: (db) => createKey(db, { accountId, label: label2 }),
			replay: async (_db, id) => ({ id }),
		});
	};
	app.post(
		'/keys',
		forMembers(async (visit) => {
			const { c, account } = visit;
			const sent = await readForm(c, ['label', 'token']);
			const done = await create(c, account.id, sent).catch(refusal);
			if (done instanceof ApiError) {
				return refused(await form(visit, sent.label, told(done)), done);
			}
			const { key, hint, label: label2 } = done.result;
			if (!key || !hint) return goTo(c, '/keys', 'key-shown');
			const main = /* @__PURE__ */ jsx42(CreatedKey, {
				apiKey: key,
				label: label2 ?? null,
				baseUrl,
			});
			return { title: 'Your new key', main };
		}),
	);
	app.get(
		'/keys/:id/revoke',
		forMembers(async ({ c, account }) => {
			const key = await findKey(query, { accountId: account.id, id: c.req.param('id') ?? '' });
			if (!key) throw noSuchKey();
			if (key.revoked_at) return goTo(c, '/keys?revoked=true', 'key-revoked');
			return {
				title: 'Revoke a key',
				main: /* @__PURE__ */ jsx42(RevokeKey, { apiKey: key, baseUrl }),
			};
		}),
	);
	app.post(
		'/keys/:id/revoke',
		forMembers(async ({ c, account }) => {
			const owned = { accountId: account.id, id: c.req.param('id') ?? '' };
			if (!(await revokeKey(query, owned))) throw noSuchKey();
			return goTo(c, '/keys', 'key-revoked');
		}),
	);
}
function told(fault) {
	return fault.code === 'idempotency_mismatch'
		? new ApiError(fault.code, 'This form has created a key already, with another label.', {
				hint: 'To create a further key, send the form again.',
			})
		: fault;
}

// src/web/landing.tsx
import { Fragment as Fragment17, jsx as jsx43, jsxs as jsxs29 } from 'hono/jsx/jsx-runtime';

function landingPage(app, { settings }, { forAnyone }) {
	app.get(
		'/',
		forAnyone(({ c, account }) =>
			account
				? goTo(c, '/boards')
				: {
						title: 'Board Access',
						main: /* @__PURE__ */ jsx43(Landing, { baseUrl: settings.baseUrl }),
					},
		),
	);
}
function Landing({ baseUrl }) {
	const { curl: curl2, cli, typescript } = boardsCall(baseUrl, { status: 'available' });
	return /* @__PURE__ */ jsxs29(Fragment17, {
		children: [
			/* @__PURE__ */ jsxs29('section', {
				class: 'hero',
				children: [
					/* @__PURE__ */ jsxs29('div', {
						children: [
							/* @__PURE__ */ jsx43('h1', { children: 'Real boards, from wherever you work' }),
							/* @__PURE__ */ jsx43('p', {
								class: 'lead',
								children:
									'See which hardware is free from your browser, your terminal or your pipeline. One account, one API key, the same answer everywhere.',
							}),
							/* @__PURE__ */ jsxs29('p', {
								class: 'actions',
								children: [
									/* @__PURE__ */ jsx43('a', {
										class: 'button primary',
										href: '/signup',
										children: 'Create an account',
									}),
									/* @__PURE__ */ jsx43('a', {
										class: 'button',
										href: '/login',
										children: 'Log in',
									}),
								],
							}),
						],
					}),
					/* @__PURE__ */ jsx43(Fleet, {}),
				],
			}),
			/* @__PURE__ */ jsxs29('section', {
				class: 'ways card',
				'aria-labelledby': 'ways',
				children: [
					/* @__PURE__ */ jsx43('h2', { id: 'ways', children: 'Three ways in' }),
					/* @__PURE__ */ jsx43(Way, {
						icon: 'browser',
						title: 'This web UI',
						text: 'Boards at a glance, API keys, credits.',
						children: /* @__PURE__ */ jsx43('p', {
							children:
								'Sign up with an email address and a password; nothing to install. The free tier shows you every board.',
						}),
					}),
					/* @__PURE__ */ jsxs29(Way, {
						icon: 'terminal',
						title: 'Command line and HTTP',
						text: 'A key in the environment is all the setup there is.',
						children: [
							/* @__PURE__ */ jsx43(CodeBlock, { id: 'way-cli', what: 'the command', text: cli }),
							/* @__PURE__ */ jsx43(CodeBlock, {
								id: 'way-curl',
								what: 'the curl call',
								text: curl2,
							}),
						],
					}),
					/* @__PURE__ */ jsx43(Way, {
						icon: 'code',
						title: 'Your code and CI',
						text: 'A typed client for scripts, tests and pipelines.',
						children: /* @__PURE__ */ jsx43(CodeBlock, {
							id: 'way-code',
							what: 'the program',
							text: typescript,
						}),
					}),
				],
			}),
		],
	});
}
function Way({ icon, title, text, children }) {
	return /* @__PURE__ */ jsxs29('section', {
		class: 'way',
		children: [
			/* @__PURE__ */ jsxs29('div', {
				children: [
					/* @__PURE__ */ jsxs29('h3', {
						children: [/* @__PURE__ */ jsx43(Icon, { name: icon }), title],
					}),
					/* @__PURE__ */ jsx43('p', { class: 'muted', children: text }),
				],
			}),
			/* @__PURE__ */ jsx43('div', { class: 'way-body', children }),
		],
	});
}
var statuses2 = 'aaiaaaimaaiaoaaaiaamaaia'.split('');
function Fleet() {
	return /* @__PURE__ */ jsx43('svg', {
		class: 'fleet',
		viewBox: '0 0 240 160',
		width: '240',
		height: '160',
		'aria-hidden': 'true',
		children: statuses2.map((status, index) => {
			const [x, y] = [(index % 6) * 40 + 4, Math.floor(index / 6) * 40 + 4];
			return /* @__PURE__ */ jsxs29('g', {
				class: `fleet-${status}`,
				children: [
					/* @__PURE__ */ jsx43('rect', { x, y, width: '32', height: '32', rx: '6' }),
					/* @__PURE__ */ jsx43('rect', {
						class: 'chip',
						x: x + 10,
						y: y + 10,
						width: '12',
						height: '12',
						rx: '2',
					}),
					/* @__PURE__ */ jsx43('circle', { cx: x + 26, cy: y + 6, r: '2.5' }),
				],
			});
		}),
	});
}

// src/web/routes.ts
function webPages(app, parts) {
	const pages = createPages(parts);
	assetRoutes(app);
	landingPage(app, parts, pages);
	accountPages(app, parts, pages);
	boardPages(app, parts, pages);
	keyPages(app, parts, pages);
	creditPages(app, parts, pages);
	baseImagePages(app, parts, pages);
	boardAdminPages(app, parts, pages);
	accountAdminPages(app, parts, pages);
}

// src/app.ts
function createApp(parts) {
	const app = new Hono();
	watchRequests(app, parts, respondToError);
	allowWebPages(app, parts.settings);
	keyRoutes(app, parts);
	boardRoutes(app, parts);
	baseImageRoutes(app, parts);
	docsRoutes(app, parts);
	healthRoutes(app, parts);
	webPages(app, parts);
	app.notFound((c) => {
		const allowed = allowedMethods(app, c.req.path);
		if (allowed.length === 0) throw new ApiError('not_found', 'There is nothing at this path.');
		throw new ApiError('method_not_allowed', `This path does not take ${c.req.method}.`, {
			headers: { allow: allowed.join(', ') },
		});
	});
	return app;
}
function respondToError(...[error, request, requestId2]) {
	const respond = wantsPage(request) ? errorPage : errorResponse;
	return respond(error, request, requestId2);
}
function allowedMethods(app, path) {
	return ['GET', 'POST', 'DELETE'].filter((method) =>
		app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
	);
}

// src/database/migrations.ts
import { Migrator, PostgresAdapter, sql as sql6 } from 'kysely';

async function createAgents(db) {
	await db.schema
		.createTable('agents')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('name', 'text', (column) => column.notNull())
		.addColumn('hash', 'text', (column) => column.notNull().unique())
		.addColumn('hint', 'text', (column) => column.notNull())
		.addColumn('boot_id', 'text')
		.addColumn('connection_id', 'text')
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('last_seen_at', 'text')
		.addColumn('revoked_at', 'text')
		.execute();
	const numbers = ['credits_per_minute', 'fence', 'failed_preparations'];
	for (const name of numbers) {
		await db.schema
			.alterTable('boards')
			.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
			.execute();
	}
	await db.schema
		.alterTable('boards')
		.addColumn('base_status', 'text', (column) => column.notNull().defaultTo('available'))
		.execute();
	await db.schema
		.alterTable('boards')
		.addColumn('status_reason', 'text', (column) => column.notNull().defaultTo(''))
		.execute();
	await db.schema.alterTable('boards').addColumn('capabilities', 'text').execute();
	await db.schema.alterTable('boards').addColumn('agent_id', 'text').execute();
	await sql6`update boards set base_status = status`.execute(db);
	await db.schema.createIndex('boards_agent').on('boards').column('agent_id').execute();
}
async function createLeases(db) {
	await db.schema
		.createTable('leases')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('api_key_id', 'text')
		.addColumn('board_type', 'text', (column) => column.notNull())
		.addColumn('wanted_board_id', 'text')
		.addColumn('board_id', 'text')
		.addColumn('label', 'text')
		.addColumn('status', 'text', (column) => column.notNull())
		.addColumn('minutes', 'integer', (column) => column.notNull())
		.addColumn('fence', 'integer')
		.addColumn('credits_per_minute', 'integer', (column) => column.notNull())
		.addColumn('held_credits', 'integer', (column) => column.notNull())
		.addColumn('credits', 'integer')
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('queued_until', 'text', (column) => column.notNull())
		.addColumn('granted_at', 'text')
		.addColumn('started_at', 'text')
		.addColumn('expires_at', 'text')
		.addColumn('ended_at', 'text')
		.addColumn('end_reason', 'text')
		.addColumn('end_message', 'text')
		.addColumn('console_start', 'integer', (column) => column.notNull().defaultTo(0))
		.addColumn('console_end', 'integer', (column) => column.notNull().defaultTo(0))
		.addColumn('input_start', 'integer', (column) => column.notNull().defaultTo(0))
		.addColumn('input_end', 'integer', (column) => column.notNull().defaultTo(0))
		.execute();
	await sql6`create unique index leases_board on leases (board_id) where status in ('preparing', 'active')`.execute(
		db,
	);
	await sql6`create index leases_live on leases (status, created_at, id) where status <> 'ended'`.execute(
		db,
	);
	await db.schema
		.createIndex('leases_newest')
		.on('leases')
		.columns(['account_id', 'created_at', 'id'])
		.execute();
	await db.schema
		.createTable('lease_actions')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('lease_id', 'text', (column) => column.notNull().references('leases.id'))
		.addColumn('position', 'integer', (column) => column.notNull())
		.addColumn('phase', 'text', (column) => column.notNull())
		.addColumn('action', 'text', (column) => column.notNull())
		.addColumn('name', 'text')
		.addColumn('file_id', 'text')
		.addColumn('flash_offset', 'text')
		.addColumn('status', 'text', (column) => column.notNull())
		.addColumn('message', 'text', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('ended_at', 'text')
		.addUniqueConstraint('lease_actions_order', ['lease_id', 'position'])
		.execute();
}
async function createFilesAndConsoles(db) {
	const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
	const bytes = onPostgres ? 'bytea' : 'blob';
	await db.schema
		.createTable('files')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('lease_id', 'text', (column) => column.references('leases.id'))
		.addColumn('url', 'text')
		.addColumn('size', 'integer', (column) => column.notNull())
		.addColumn('sha256', 'text', (column) => column.notNull())
		.addColumn('format', 'text', (column) => column.notNull())
		.addColumn('data', bytes, (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema.createIndex('files_lease').on('files').column('lease_id').execute();
	await db.schema.createIndex('files_url').on('files').column('url').execute();
	const table = db.schema.createTable('console_chunks');
	await (onPostgres ? table.modifyFront(sql6`unlogged`) : table)
		.addColumn('lease_id', 'text', (column) => column.notNull())
		.addColumn('direction', 'text', (column) => column.notNull())
		.addColumn('offset', 'integer', (column) => column.notNull())
		.addColumn('data', bytes, (column) => column.notNull())
		.addPrimaryKeyConstraint('console_chunks_primary', ['lease_id', 'direction', 'offset'])
		.execute();
}
var migrations = {
	'0001-accounts': { up: createAccounts2 },
	'0002-api-keys': { up: createApiKeys },
	'0003-boards': { up: createBoards },
	'0004-base-images': { up: createBaseImages },
	'0005-credits': { up: createCredits },
	'0006-idempotency': { up: createIdempotency },
	'0007-rate-limits': { up: createRateLimits },
	'0008-agents': { up: createAgents },
	'0009-leases': { up: createLeases },
	'0010-files-and-consoles': { up: createFilesAndConsoles },
};
async function migrate(db) {
	const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
	const { error, results } = await migrator.migrateToLatest();
	if (error) throw error;
	return (results ?? []).map((step) => step.migrationName);
}
async function createAccounts2(db) {
	await db.schema
		.createTable('accounts')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('email', 'text', (column) => column.notNull().unique())
		.addColumn('role', 'text', (column) => column.notNull())
		.addColumn('disabled_at', 'text')
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('updated_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('credentials')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('provider', 'text', (column) => column.notNull())
		.addColumn('issuer', 'text', (column) => column.notNull())
		.addColumn('subject', 'text', (column) => column.notNull())
		.addColumn('password_hash', 'text', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('updated_at', 'text', (column) => column.notNull())
		.addUniqueConstraint('credentials_account_provider', ['account_id', 'provider'])
		.execute();
	await db.schema
		.createTable('sessions')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('token_hash', 'text', (column) => column.notNull().unique())
		.addColumn('ip_address', 'text', (column) => column.notNull())
		.addColumn('user_agent', 'text', (column) => column.notNull())
		.addColumn('expires_at', 'text', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('updated_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema.createIndex('sessions_account').on('sessions').column('account_id').execute();
	await db.schema
		.createTable('service_secrets')
		.addColumn('name', 'text', (column) => column.primaryKey())
		.addColumn('value', 'text', (column) => column.notNull())
		.execute();
}
async function createApiKeys(db) {
	await db.schema
		.createTable('api_keys')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('hash', 'text', (column) => column.notNull().unique())
		.addColumn('hint', 'text', (column) => column.notNull())
		.addColumn('label', 'text')
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('last_used_at', 'text')
		.addColumn('revoked_at', 'text')
		.execute();
	await db.schema
		.createIndex('api_keys_newest')
		.on('api_keys')
		.columns(['account_id', 'created_at', 'id'])
		.execute();
}
async function createBoards(db) {
	await db.schema
		.createTable('boards')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('name', 'text', (column) => column.notNull())
		.addColumn('board_type', 'text', (column) => column.notNull())
		.addColumn('status', 'text', (column) => column.notNull())
		.addColumn('description', 'text', (column) => column.notNull())
		.addColumn('tags', 'text', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('updated_at', 'text', (column) => column.notNull())
		.execute();
	for (const filter of [[], ['board_type'], ['status'], ['board_type', 'status']]) {
		await db.schema
			.createIndex(['boards', ...filter, 'name'].join('_'))
			.on('boards')
			.columns([...filter, 'name', 'id'])
			.execute();
	}
}
async function createBaseImages(db) {
	await db.schema
		.createTable('base_images')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('action', 'text', (column) => column.notNull())
		.addColumn('board_type', 'text', (column) => column.notNull())
		.addColumn('name', 'text', (column) => column.notNull())
		.addColumn('description', 'text', (column) => column.notNull())
		.addColumn('url', 'text', (column) => column.notNull())
		.addColumn('flash_offset', 'text', (column) => column.notNull())
		.addColumn('position', 'integer', (column) => column.notNull())
		.addColumn('enabled', 'integer', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema
		.createIndex('base_images_order')
		.on('base_images')
		.columns(['board_type', 'position', 'created_at', 'id'])
		.execute();
}
async function createCredits(db) {
	await db.schema
		.createTable('credit_entries')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('amount', 'integer', (column) => column.notNull())
		.addColumn('reason', 'text', (column) => column.notNull())
		.addColumn('reference', 'text', (column) => column.notNull().unique())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema
		.createIndex('credit_entries_account')
		.on('credit_entries')
		.columns(['account_id', 'created_at', 'id'])
		.execute();
}
async function createIdempotency(db) {
	await db.schema
		.createTable('idempotency')
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('idempotency_key', 'text', (column) => column.notNull())
		.addColumn('request_hash', 'text', (column) => column.notNull())
		.addColumn('resource_id', 'text')
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addPrimaryKeyConstraint('idempotency_primary', ['account_id', 'idempotency_key'])
		.execute();
	await db.schema.createIndex('idempotency_age').on('idempotency').column('created_at').execute();
}
async function createRateLimits(db) {
	if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
	await db.schema
		.createTable('rate_limits')
		.modifyFront(sql6`unlogged`)
		.addColumn('key', 'varchar(255)', (column) => column.primaryKey())
		.addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
		.addColumn('expire', 'bigint')
		.execute();
}

// src/demo/seed.ts
import { randomBytes as randomBytes2 } from 'node:crypto';
import { hashPassword as hashPassword2 } from '@better-auth/utils/password';

// src/demo/samples.ts
function board2(name, board_type, status, description, tags) {
	return { id: `brd_${name}`, name, board_type, status, description, tags };
}
var sampleBoards = [
	board2('esp32-s3-01', 'esp32-s3', 'available', 'ESP32-S3-DevKitC-1, 8 MB flash, 8 MB PSRAM', {
		arch: 'xtensa',
		location: 'rack-1',
	}),
	board2('esp32-s3-02', 'esp32-s3', 'in_use', 'ESP32-S3-DevKitC-1, 8 MB flash, 8 MB PSRAM', {
		arch: 'xtensa',
		location: 'rack-1',
	}),
	board2('esp32-s3-03', 'esp32-s3', 'available', 'ESP32-S3-BOX-3 with display and microphones', {
		arch: 'xtensa',
		display: 'yes',
		location: 'rack-1',
	}),
	board2('esp32-c6-01', 'esp32-c6', 'available', 'ESP32-C6-DevKitC-1: Wi-Fi 6, Thread and Zigbee', {
		arch: 'riscv',
		radio: 'thread',
		location: 'rack-1',
	}),
	board2(
		'esp32-c6-02',
		'esp32-c6',
		'maintenance',
		'ESP32-C6-DevKitC-1, USB connector being replaced',
		{ arch: 'riscv', radio: 'thread', location: 'bench' },
	),
	board2('esp32-wroom-01', 'esp32', 'in_use', 'ESP32-DevKitC with WROOM-32E', {
		arch: 'xtensa',
		location: 'rack-1',
	}),
	board2('nrf52840-dk-01', 'nrf52840-dk', 'available', 'Nordic nRF52840 DK, J-Link on board', {
		arch: 'cortex-m4',
		radio: 'ble',
		location: 'rack-2',
	}),
	board2('nrf52840-dk-02', 'nrf52840-dk', 'in_use', 'Nordic nRF52840 DK with power profiler', {
		arch: 'cortex-m4',
		radio: 'ble',
		power: 'ppk2',
		location: 'rack-2',
	}),
	board2('nrf5340-dk-01', 'nrf5340-dk', 'available', 'Nordic nRF5340 DK, two cores', {
		arch: 'cortex-m33',
		radio: 'ble',
		location: 'rack-2',
	}),
	board2('nucleo-f446re-01', 'stm32-nucleo-f446re', 'available', 'STM32 Nucleo-64, ST-LINK/V2-1', {
		arch: 'cortex-m4',
		location: 'rack-2',
	}),
	board2(
		'nucleo-f446re-02',
		'stm32-nucleo-f446re',
		'offline',
		'STM32 Nucleo-64, does not enumerate since Monday',
		{ arch: 'cortex-m4', location: 'rack-2' },
	),
	board2('nucleo-h743zi-01', 'stm32-nucleo-h743zi', 'available', 'STM32 Nucleo-144 with Ethernet', {
		arch: 'cortex-m7',
		network: 'ethernet',
		location: 'rack-2',
	}),
	board2('disco-l475-01', 'stm32-disco-l475', 'in_use', 'B-L475E-IOT01A with sensors', {
		arch: 'cortex-m4',
		sensors: 'yes',
		location: 'rack-2',
	}),
	board2('rp2040-pico-01', 'rp2040-pico', 'available', 'Raspberry Pi Pico with debug probe', {
		arch: 'cortex-m0plus',
		location: 'rack-3',
	}),
	board2('rp2040-pico-02', 'rp2040-pico', 'available', 'Raspberry Pi Pico with debug probe', {
		arch: 'cortex-m0plus',
		location: 'rack-3',
	}),
	board2('rp2350-pico-01', 'rp2350-pico', 'available', 'Raspberry Pi Pico 2', {
		arch: 'cortex-m33',
		location: 'rack-3',
	}),
	board2('rpi-4-01', 'raspberry-pi-4', 'in_use', 'Raspberry Pi 4, 4 GB, boots from the network', {
		arch: 'arm64',
		network: 'ethernet',
		location: 'rack-3',
	}),
	board2(
		'rpi-5-01',
		'raspberry-pi-5',
		'available',
		'Raspberry Pi 5, 8 GB, serial console attached',
		{ arch: 'arm64', network: 'ethernet', location: 'rack-3' },
	),
	board2(
		'beagleplay-01',
		'beagleplay',
		'maintenance',
		'BeaglePlay, waiting for an SD multiplexer',
		{
			arch: 'arm64',
			location: 'bench',
		},
	),
	board2('visionfive2-01', 'visionfive2', 'offline', 'StarFive VisionFive 2, 8 GB', {
		arch: 'riscv64',
		network: 'ethernet',
		location: 'rack-3',
	}),
];
var flash = { action: 'flash', enabled: true, description: '', flash_offset: '0x0' };
var erase = { action: 'erase', enabled: true, url: '', flash_offset: '0x0' };
var sampleBaseImages = [
	{
		...erase,
		board_type: 'esp32-s3',
		name: 'Erase all flash',
		description: 'Clears settings and firmware',
	},
	{
		...flash,
		board_type: 'esp32-s3',
		name: 'Bootloader',
		url: 'https://images.example.com/esp32-s3/bootloader.bin',
	},
	{
		...flash,
		board_type: 'esp32-s3',
		name: 'Partition table',
		url: 'https://images.example.com/esp32-s3/partitions.bin',
		flash_offset: '0x8000',
	},
	{
		...flash,
		board_type: 'esp32-s3',
		name: 'Factory application',
		url: 'https://images.example.com/esp32-s3/factory.bin',
		flash_offset: '0x10000',
	},
	{
		...erase,
		board_type: 'nrf52840-dk',
		name: 'Erase and unlock',
		description: 'Recovers a locked chip',
	},
	{
		...flash,
		board_type: 'nrf52840-dk',
		name: 'Zephyr hello world',
		url: 'https://images.example.com/nrf52840/hello.hex',
	},
	{
		...flash,
		board_type: 'rp2040-pico',
		name: 'MicroPython 1.24',
		url: 'https://images.example.com/rp2040/micropython.uf2',
	},
	{
		...flash,
		board_type: 'rp2040-pico',
		name: 'MicroPython 1.23',
		url: 'https://images.example.com/rp2040/micropython-1.23.uf2',
		enabled: false,
	},
];

// src/demo/seed.ts
var email2 = 'admin@example.com';
var freeEmail = 'free@example.com';
async function seedDemo(db) {
	await requireNoOtherAccounts(db);
	const password2 = randomBytes2(9).toString('base64url');
	const [admin, free] = await Promise.all([
		accountFor(db, { email: email2, password: password2, role: 'admin' }),
		accountFor(db, { email: freeEmail, password: password2, role: 'user' }),
	]);
	const credits = { account_id: admin.id, amount: 1e3, reason: 'grant' };
	await addCredits(db, { ...credits, reference: `demo ${admin.id}` });
	await importBoards(db, sampleBoards);
	if ((await listBaseImages(db)).length === 0) {
		for (const image of sampleBaseImages) await createBaseImage(db, image);
	}
	const { key: apiKey2 } = await createKey(db, { accountId: admin.id, label: 'Demo' });
	const { key: freeApiKey } = await createKey(db, { accountId: free.id, label: 'Demo, free tier' });
	return { apiKey: apiKey2, freeApiKey, email: email2, password: password2 };
}
async function requireNoOtherAccounts(db) {
	const other = await db
		.selectFrom('accounts')
		.select('email')
		.where('email', 'not in', [email2, freeEmail])
		.limit(1)
		.executeTakeFirst();
	if (!other) return;
	throw new Error(
		'Demo mode is for a database of its own, and this one has other accounts already',
	);
}
async function accountFor(db, wanted) {
	const found = await findAccount(db, wanted.email);
	if (!found) return createAccount(db, wanted);
	await db
		.updateTable('credentials')
		.set({ password_hash: await hashPassword2(wanted.password) })
		.where('account_id', '=', found.id)
		.execute();
	return found;
}

// src/env.ts
import * as z13 from 'zod/mini';

var digits = z13.string().check(z13.regex(/^\d+$/, 'must be a whole number'));
var webAddress2 = z13.string().check(
	z13.refine(
		(text) => /^https?:\/\/[^/]/.test(text) && URL.canParse(text),
		'must be an http or https address',
	),
	z13.overwrite((text) => text.replace(/\/+$/, '')),
	z13.refine((text) => !text.endsWith('/v1'), 'must not end in /v1, which every call adds itself'),
);
var databaseLocation = z13.string().check(
	z13.trim(),
	z13.minLength(1),
	z13.refine(
		(text) => isPostgres(text) || !text.includes('://'),
		'takes a path or a postgres:// address',
	),
	z13.refine(
		// Without a host it is the machine's own.
		(text) => !isPostgres(text) || URL.canParse(text.replace('@/', '@localhost/')),
		'is not a valid address; write # / ? @ : in its password as %23 %2F %3F %40 %3A',
	),
);
var offUnlessTrue = z13.pipe(
	z13._default(z13.enum(['true', 'false']), 'false'),
	z13.transform((text) => text === 'true'),
);
var variables = {
	PORT: z13
		._default(wholeNumber2(0, 65535), 8787)
		.check(z13.describe('Port to listen on; 0 picks a free one')),
	HOST: z13._default(z13.string(), '127.0.0.1').check(z13.describe('Address to listen on')),
	DATABASE_URL: z13
		._default(databaseLocation, 'board-access.db')
		.check(z13.describe('Path of an SQLite file, or a `postgres://` address')),
	BASE_URL: z13
		.optional(webAddress2)
		.check(z13.describe('Public address of the API; by default the one listened on')),
	WEB_URL: z13
		.optional(webAddress2)
		.check(z13.describe('Public address of the web pages; by default `BASE_URL`')),
	TRUST_PROXY: offUnlessTrue.check(
		z13.describe(
			'`true` behind a proxy of your own: the caller is the last address in `X-Forwarded-For`',
		),
	),
	RATE_LIMIT_PER_KEY: z13
		._default(wholeNumber2(1, 1e9), 600)
		.check(z13.describe('Requests a minute with one API key')),
	RATE_LIMIT_PER_ACCOUNT: z13
		._default(wholeNumber2(1, 1e9), 1200)
		.check(
			z13.describe('Requests a minute with all API keys of one account, and as many on its pages'),
		),
	RATE_LIMIT_FAILED_CREDENTIALS: z13
		._default(wholeNumber2(1, 1e9), 30)
		.check(
			z13.describe(
				'Refused keys a minute from one address, and as many log-ins and sign-ups; to one account, ten times as many log-ins',
			),
		),
	LOG_LEVEL: z13
		._default(z13.enum(['debug', 'info', 'warn', 'error', 'silent']), 'info')
		.check(z13.describe('Least severity that is logged')),
};
var demoDefaults = {
	DATABASE_URL: ':memory:',
	RATE_LIMIT_PER_KEY: '60000',
	RATE_LIMIT_PER_ACCOUNT: '60000',
	RATE_LIMIT_FAILED_CREDENTIALS: '300',
};
var environment = z13.object(variables);
var optionNames = {
	PORT: '--port',
	HOST: '--host',
	DATABASE_URL: '--database',
};
function settingsFrom(source, { demo = false, options = {} } = {}) {
	const layers = [demo ? demoDefaults : {}, source, options];
	const set = layers.flatMap((layer) => Object.entries(layer).filter(isSet));
	const result = environment.safeParse(Object.fromEntries(set), { error: explain });
	if (!result.success) throw new Error(result.error.issues.map(told2(options)).join('\n'));
	const read2 = result.data;
	const baseUrl = read2.BASE_URL ?? `http://${read2.HOST}:${read2.PORT}`;
	return {
		port: read2.PORT,
		host: read2.HOST,
		database: read2.DATABASE_URL,
		baseUrl,
		webUrl: read2.WEB_URL ?? baseUrl,
		trustProxy: read2.TRUST_PROXY,
		rateLimitPerKey: read2.RATE_LIMIT_PER_KEY,
		rateLimitPerAccount: read2.RATE_LIMIT_PER_ACCOUNT,
		rateLimitFailedCredentials: read2.RATE_LIMIT_FAILED_CREDENTIALS,
		logLevel: read2.LOG_LEVEL,
	};
}
function told2(options) {
	return ({ path, message }) => {
		const name = path.join('.');
		return `${(options[name] && optionNames[name]) || name} ${message}`;
	};
}
function isSet([name, value]) {
	return Boolean(value) && !(name === 'BASE_URL' && value === '/');
}
function wholeNumber2(least, most) {
	return z13.pipe(digits, z13.coerce.number().check(z13.minimum(least), z13.maximum(most)));
}

// src/housekeeping.ts
var hour = 60 * 60 * 1e3;
function startHousekeeping(db, log) {
	const tidy = async () => {
		await forgetOldNotes(db);
		await forgetOldSessions(db);
	};
	const timer = setInterval(
		() =>
			tidy().catch((error) =>
				log.warn({ error }, 'Housekeeping failed; the next hour tries again'),
			),
		hour,
	).unref();
	return { close: () => clearInterval(timer) };
}

// src/http/limits.ts
import { createHash as createHash6 } from 'node:crypto';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

// src/http/batched-writes.ts
var Batch = class {
	size = 0;
	begun = false;
	result;
	constructor(before, write2) {
		const begin = () => {
			this.begun = true;
			return write2(this.size);
		};
		this.result = Promise.resolve(before).then(begin);
	}
};
function gather(write2) {
	const latest = /* @__PURE__ */ new Map();
	const open = (name) => {
		const known = latest.get(name);
		if (known && !known.begun) return known;
		const batch = new Batch(known?.result, (size) => write2(name, size));
		latest.set(name, batch);
		return batch;
	};
	return async (name) => {
		const batch = open(name);
		batch.size += 1;
		const place = batch.size;
		try {
			const result = await batch.result;
			return { result, later: batch.size - place };
		} finally {
			if (latest.get(name) === batch) latest.delete(name);
		}
	};
}

// src/http/limits.ts
var windowSeconds = 60;
var searchesPerWindow = 120;
function createLimits(database, settings) {
	const perKey = createCounter(database, 'key', settings.rateLimitPerKey);
	const perAccount = createCounter(database, 'account', settings.rateLimitPerAccount);
	const perSession = createCounter(database, 'session', settings.rateLimitPerAccount);
	const perSearcher = createCounter(database, 'search', searchesPerWindow);
	const badKeys = createCounter(database, 'bad-keys', settings.rateLimitFailedCredentials);
	const perVisitor = createCounter(database, 'credentials', settings.rateLimitFailedCredentials);
	const perEmail = createCounter(database, 'email', settings.rateLimitFailedCredentials * 10);
	return {
		async request({ accountId, keyId: keyId3 }) {
			if (!keyId3) return perSession.count(accountId);
			await perKey.count(keyId3);
			await perAccount.count(accountId);
		},
		search: (accountId) => perSearcher.count(accountId),
		refusedKey: (address) => badKeys.count(digest(address)),
		async attempt({ address, email: email3 }) {
			await perVisitor.count(digest(address));
			if (email3) await perEmail.count(digest(email3.toLowerCase()));
		},
		async forgive(email3) {
			await perEmail.takeBack(digest(email3.toLowerCase()));
		},
	};
}
function createCounter(database, keyPrefix, points) {
	const limiter = createLimiter(database, keyPrefix, points);
	const write2 = (name, size) => limiter.consume(name, size).catch(countOf);
	const consume = database.pool
		? gather(write2)
		: async (name) => ({ result: await write2(name, 1), later: 0 });
	return {
		async count(name) {
			const { result, later } = await consume(name);
			if (result.consumedPoints - later <= points) return;
			throw tooMany(limiter, Math.max(1, Math.ceil(result.msBeforeNext / 1e3)));
		},
		takeBack: (name) => limiter.reward(name),
	};
}
function countOf(refusal2) {
	if (!(refusal2 instanceof RateLimiterRes)) throw refusal2;
	const { consumedPoints, msBeforeNext } = refusal2;
	return { consumedPoints: consumedPoints || Number.POSITIVE_INFINITY, msBeforeNext };
}
function createLimiter({ pool }, keyPrefix, points) {
	const options = { keyPrefix, points, duration: windowSeconds };
	if (!pool) return new RateLimiterMemory(options);
	return new RateLimiterPostgres({
		...options,
		storeClient: pool,
		storeType: 'pool',
		tableName: 'rate_limits',
		tableCreated: true,
		// A caller over the limit is turned away without asking the database again.
		inMemoryBlockOnConsumed: points + 1,
	});
}
function tooMany({ keyPrefix, points }, seconds) {
	return new ApiError('rate_limited', `Too many requests; try again in ${seconds} s.`, {
		headers: {
			'retry-after': String(seconds),
			'ratelimit-policy': `"${keyPrefix}";q=${points};w=${windowSeconds}`,
			ratelimit: `"${keyPrefix}";r=0;t=${seconds}`,
		},
	});
}
function digest(name) {
	return createHash6('sha256').update(name).digest('base64url');
}

// src/keys/last-used.ts
var flushEvery = 1e4;
function createLastUsed(db) {
	const used = /* @__PURE__ */ new Map();
	const flush = async () => {
		if (used.size === 0) return;
		const batch = new Map(used);
		await write(db, batch);
		for (const [id, time] of batch) if (used.get(id) === time) used.delete(id);
	};
	const timer = setInterval(() => flush().catch(() => {}), flushEvery).unref();
	return {
		/** Notes a use. A first one is written at once: until then, another replica knows of none. */
		touch(keyId3, { first = false } = {}) {
			const time = Date.now();
			if (first && !used.has(keyId3))
				write(db, /* @__PURE__ */ new Map([[keyId3, time]])).catch(() => {});
			used.set(keyId3, time);
		},
		/** Whether a use of the key has yet to be written. */
		holds: (keyId3) => used.has(keyId3),
		flush,
		async close() {
			clearInterval(timer);
			await flush().catch(() => {});
		},
	};
}
function write(db, batch) {
	return db.transaction().execute(async (transaction) => {
		for (const [id, time] of [...batch].sort(([a], [b]) => (a < b ? -1 : 1))) {
			const last_used_at = new Date(time).toISOString();
			await transaction
				.updateTable('api_keys')
				.set({ last_used_at })
				.where('id', '=', id)
				.where((eb) =>
					eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', last_used_at)]),
				)
				.execute();
		}
	});
}

// src/log.ts
import { pino } from 'pino';

function createLog(level, destination) {
	return pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label2) => ({ level: label2 }) },
			serializers: { error: describeError },
		},
		destination ?? pino.destination({ sync: false }),
	);
}
function describeError(error) {
	return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

// src/metrics.ts
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

function createMetrics() {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const duration = new Histogram({
		name: 'board_access_request_duration_seconds',
		help: 'Time from the request to its answer',
		labelNames: ['method', 'route', 'status'],
		buckets: [1e-3, 5e-3, 0.02, 0.1, 0.5, 2, 10],
		registers: [registry],
	});
	return {
		contentType: registry.contentType,
		text: () => registry.metrics(),
		observe: (labels2, seconds) => duration.observe(labels2, seconds),
	};
}

// src/service.ts
async function createService(options = {}) {
	const { app, close, demo } = await assemble(options);
	return {
		fetch: async (input, init) => app.fetch(new Request(input, init), {}),
		close,
		...(demo && { demo }),
	};
}
async function assemble(options) {
	const settings = settingsOf(options);
	if (options.demo && process.env.NODE_ENV === 'production') {
		throw new Error('Demo mode hands out credentials and refuses to run with NODE_ENV=production');
	}
	const database = await openDatabase(settings.database);
	const demo = await prepare(database, options);
	const limits = createLimits(database, settings);
	const lastUsed = createLastUsed(database.query);
	const accounts = createAccounts({ database, settings, limits });
	const stop = new AbortController();
	const log = createLog(options.log ? settings.logLevel : 'silent', streamOf(options.log));
	const parts = {
		settings,
		database,
		accounts,
		authenticate: createAuthenticate({ settings, database, accounts, limits, lastUsed }),
		limits,
		lastUsed,
		metrics: createMetrics(),
		log,
		payments: options.demo ? sandbox : void 0,
		stopping: stop.signal,
	};
	const house = startHousekeeping(database.query, log);
	return {
		app: createApp(parts),
		parts,
		demo,
		/** From here on every request is answered 503. */
		refuse: () => stop.abort(),
		async close() {
			stop.abort();
			house.close();
			await lastUsed.close();
			await database.close();
		},
	};
}
async function prepare(database, { demo }) {
	try {
		await migrate(database.query);
		return demo ? await seedDemo(database.query) : void 0;
	} catch (error) {
		await database.close();
		throw error;
	}
}
function streamOf(log) {
	return typeof log === 'object' ? log : void 0;
}
function settingsOf({
	database = ':memory:',
	baseUrl = 'http://localhost',
	demo,
	log: _log,
	...given
}) {
	return {
		...settingsFrom({}, { demo }),
		webUrl: baseUrl,
		...given,
		database,
		baseUrl,
	};
}

export {
	assemble,
	checkCredentials,
	createAccount,
	createService,
	creditBalance,
	disableAccount,
	enableAccount,
	errorResponse,
	findAccount,
	grantCredits,
	importBoards,
	isPath,
	listAccounts,
	listBoards,
	migrate,
	openDatabase,
	readAmount,
	readBoards,
	redact,
	setRole,
	settingsFrom,
	tooMany,
	writeBoards,
};
