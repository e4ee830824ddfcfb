// Numbered steps from an empty database to the present schema. A released step is never edited.
import { type Kysely, type Migration, Migrator, PostgresAdapter, sql } from 'kysely';
import type { Schema } from './schema.ts';

const migrations: Record<string, Migration> = {
	'0001-accounts': { up: createAccounts },
	'0002-api-keys': { up: createApiKeys },
	'0003-boards': { up: createBoards },
	'0004-base-images': { up: createBaseImages },
	'0005-credits': { up: createCredits },
	'0006-idempotency': { up: createIdempotency },
	'0007-rate-limits': { up: createRateLimits },
};

/** Brings the schema up to date, under a lock, and names the steps that were applied. */
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
