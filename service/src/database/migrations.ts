// Numbered steps from an empty database to the current schema. A released step is never edited.
import { type Kysely, type Migration, Migrator, PostgresAdapter, sql } from 'kysely';
import { createBoardSearch } from './board-search.ts';
import { createRevisions } from './revisions.ts';
import type { Schema } from './schema.ts';

async function createAgents(db: Kysely<unknown>) {
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
	for (const name of ['capabilities', 'agent_id', 'lease_id', 'lease_account_id']) {
		await db.schema.alterTable('boards').addColumn(name, 'text').execute();
	}
	await sql`update boards set base_status = status`.execute(db);
	await db.schema.createIndex('boards_agent').on('boards').column('agent_id').execute();
	await db.schema
		.createIndex('boards_grant')
		.on('boards')
		.columns(['board_type', 'status', 'credits_per_minute', 'id'])
		.execute();
}

async function createLeases(db: Kysely<unknown>) {
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
		.addColumn('console_start', 'bigint', (column) => column.notNull().defaultTo(0))
		.addColumn('console_end', 'bigint', (column) => column.notNull().defaultTo(0))
		.addColumn('input_start', 'bigint', (column) => column.notNull().defaultTo(0))
		.addColumn('input_end', 'bigint', (column) => column.notNull().defaultTo(0))
		.execute();
	// A board is never held by two leases, whatever the code does.
	await sql`create unique index leases_board on leases (board_id) where status in ('preparing', 'active')`.execute(
		db,
	);
	await sql`create index leases_live on leases (account_id, status) where status <> 'ended'`.execute(
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
		.addColumn('url', 'text')
		.addColumn('file_id', 'text')
		.addColumn('flash_offset', 'text')
		.addColumn('status', 'text', (column) => column.notNull())
		.addColumn('message', 'text', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('ended_at', 'text')
		.addUniqueConstraint('lease_actions_order', ['lease_id', 'position'])
		.execute();
}

async function createFilesAndConsoles(db: Kysely<unknown>) {
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
	// Console bytes need not outlive a crash of the database, and unlogged they cost a sixth.
	const table = db.schema.createTable('console_chunks');
	await (onPostgres ? table.modifyFront(sql`unlogged`) : table)
		.addColumn('lease_id', 'text', (column) => column.notNull())
		.addColumn('direction', 'text', (column) => column.notNull())
		.addColumn('offset', 'bigint', (column) => column.notNull())
		.addColumn('data', bytes, (column) => column.notNull())
		.addPrimaryKeyConstraint('console_chunks_primary', ['lease_id', 'direction', 'offset'])
		.execute();
}

async function limitApiKeys(db: Kysely<unknown>) {
	await db.schema
		.alterTable('api_keys')
		.addColumn('scope', 'text', (column) => column.notNull().defaultTo('full'))
		.execute();
	await db.schema.alterTable('api_keys').addColumn('created_by', 'text').execute();
	await db.schema.alterTable('api_keys').addColumn('expires_at', 'text').execute();
	// A list of live keys costs the same however many were revoked.
	await sql`create index api_keys_live on api_keys (account_id, created_at, id) where revoked_at is null`.execute(
		db,
	);
	await sql`create index api_keys_created_by on api_keys (created_by) where created_by is not null`.execute(
		db,
	);
}

async function createAccountLinks(db: Kysely<unknown>) {
	await db.schema.alterTable('accounts').addColumn('verified_at', 'text').execute();
	await db.schema
		.createTable('account_links')
		.addColumn('hash', 'text', (column) => column.primaryKey())
		.addColumn('kind', 'text', (column) => column.notNull())
		.addColumn('email', 'text', (column) => column.notNull())
		.addColumn('expires_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema.createIndex('account_links_email').on('account_links').column('email').execute();
}

async function addConsoleOffsets(db: Kysely<unknown>) {
	await db.schema.alterTable('lease_actions').addColumn('console_offset', 'bigint').execute();
}

async function extendSessions(db: Kysely<unknown>) {
	for (const name of ['last_used_at', 'confirmed_at']) {
		await db.schema
			.alterTable('sessions')
			.addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
			.execute();
	}
	await sql`update sessions set last_used_at = created_at, confirmed_at = created_at`.execute(db);
}

async function createKnownDevices(db: Kysely<unknown>) {
	await db.schema
		.createTable('known_devices')
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('hash', 'text', (column) => column.notNull())
		.addColumn('last_used_at', 'text', (column) => column.notNull())
		.addPrimaryKeyConstraint('known_devices_primary', ['account_id', 'hash'])
		.execute();
	await db.schema.createIndex('known_devices_hash').on('known_devices').column('hash').execute();
}

async function createTwoFactor(db: Kysely<unknown>) {
	await db.schema.alterTable('accounts').addColumn('two_factor_at', 'text').execute();
	await db.schema
		.createTable('two_factor')
		.addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
		.addColumn('secret', 'text', (column) => column.notNull())
		.addColumn('last_step', 'integer', (column) => column.notNull())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.execute();
	await db.schema
		.createTable('recovery_codes')
		.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
		.addColumn('hash', 'text', (column) => column.notNull())
		.addPrimaryKeyConstraint('recovery_codes_primary', ['account_id', 'hash'])
		.execute();
}

async function allowDeletion(db: Kysely<unknown>) {
	await db.schema.alterTable('accounts').addColumn('deleted_at', 'text').execute();
}

async function createActivity(db: Kysely<unknown>) {
	await db.schema
		.createTable('activity')
		.addColumn('id', 'text', (column) => column.primaryKey())
		.addColumn('created_at', 'text', (column) => column.notNull())
		.addColumn('kind', 'text', (column) => column.notNull())
		.addColumn('account_id', 'text')
		.addColumn('actor_id', 'text')
		.addColumn('via', 'text', (column) => column.notNull())
		.addColumn('api_key_id', 'text')
		.addColumn('session_id', 'text')
		.addColumn('address', 'text')
		.addColumn('subject_id', 'text')
		.addColumn('details', 'text', (column) => column.notNull())
		.addColumn('repeat_key', 'text', (column) => column.unique())
		.addColumn('count', 'integer', (column) => column.notNull())
		.addColumn('last_at', 'text', (column) => column.notNull())
		.execute();
	// One for each way to read it, newest first; entries have no foreign keys, to outlive accounts.
	for (const filter of [[], ['account_id'], ['actor_id'], ['kind']]) {
		await db.schema
			.createIndex(['activity', ...filter, 'newest'].join('_'))
			.on('activity')
			.columns([...filter, 'created_at', 'id'])
			.execute();
	}
}

async function addLastUsedAddress(db: Kysely<unknown>) {
	await db.schema.alterTable('api_keys').addColumn('last_used_address', 'text').execute();
}

export const migrations: Record<string, Migration> = {
	'0001-accounts': { up: createAccounts },
	'0002-api-keys': { up: createApiKeys },
	'0003-boards': { up: createBoards },
	'0004-base-images': { up: createBaseImages },
	'0005-credits': { up: createCredits },
	'0006-idempotency': { up: createIdempotency },
	'0007-rate-limits': { up: createRateLimits },
	'0008-agents': { up: createAgents },
	'0009-leases': { up: createLeases },
	'0010-files-and-consoles': { up: createFilesAndConsoles },
	'0011-api-key-limits': { up: limitApiKeys },
	'0020-account-links': { up: createAccountLinks },
	'0021-console-offsets': { up: addConsoleOffsets },
	'0023-revisions': { up: createRevisions },
	'0024-board-search': { up: createBoardSearch },
	'0030-sessions': { up: extendSessions },
	'0031-known-devices': { up: createKnownDevices },
	'0032-two-factor': { up: createTwoFactor },
	'0033-account-deletion': { up: allowDeletion },
	'0040-activity': { up: createActivity },
	'0041-last-used-address': { up: addLastUsedAddress },
};

/** Brings the schema up to date, under a lock, and returns the steps that were applied. */
export async function migrate(db: Kysely<Schema>): Promise<string[]> {
	const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
	const { error, results } = await migrator.migrateToLatest();
	if (error) throw error;
	return (results ?? []).map((step) => step.migrationName);
}

async function createAccounts(db: Kysely<unknown>) {
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

async function createApiKeys(db: Kysely<unknown>) {
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

async function createBoards(db: Kysely<unknown>) {
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

async function createBaseImages(db: Kysely<unknown>) {
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

async function createCredits(db: Kysely<unknown>) {
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

async function createIdempotency(db: Kysely<unknown>) {
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

// The names and types are those that rate-limiter-flexible reads and writes. Counts need not outlive
// a crash, and unlogged they are written without waiting for the disk. On SQLite they are in memory.
async function createRateLimits(db: Kysely<unknown>) {
	if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
	await db.schema
		.createTable('rate_limits')
		.modifyFront(sql`unlogged`)
		.addColumn('key', 'varchar(255)', (column) => column.primaryKey())
		.addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
		.addColumn('expire', 'bigint')
		.execute();
}
