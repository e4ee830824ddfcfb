// With another schema, some requests would fail, and others would charge for nothing.
import { hash } from 'node:crypto';
import { Kysely, type Migration, sql } from 'kysely';
import { ApiError } from '../errors.ts';
import type { Database } from './database.ts';
import { onPostgres } from './postgres.ts';
import type { Db } from './schema.ts';
import { openSqlite } from './sqlite/sqlite.ts';

type Migrations = Readonly<Record<string, Migration>>;
type Catalog = readonly SchemaObject[];

/** A database has this table while a copy of another one into it is incomplete. */
export const copyTable = 'board_access_copy';

/** Throws unless the schema is what the applied migrations make. */
export async function checkSchema(db: Db, migrations: Migrations): Promise<void> {
	const catalog = await readCatalog(db);
	if (catalog.some(({ name }) => name === `table ${copyTable}`)) {
		throw new Error(
			'The copy of another database into this one is not complete. Repeat board-access-service copy.',
		);
	}
	const applied = await appliedMigrations(db, catalog);
	rejectNewer(applied, migrations);
	if (applied.length === 0) return;
	const digest = digestOf(applied, catalog);
	if (digest === (await checkedDigest(db))) return;
	const steps = applied.map((name) => migrations[name]);
	const expected = await expectedCatalog(db, steps);
	const differences = [...missing(expected, catalog), ...unknown(expected, catalog)];
	if (differences.length === 0) return keepDigest(db, digest);
	// Another replica may have migrated meanwhile.
	const isCurrent = digest === digestOf(applied, await readCatalog(db));
	if (!isCurrent) return checkSchema(db, migrations);
	throw new Error(`${describe(differences)} ${advice}`);
}

/** Anybody can send this request, so it reads the catalog at most this often. */
const minInterval = 1_000;

/**
 * Returns a function that throws once something of the present schema is missing or different, for example after a
 * backup was restored. A newer version may add to the schema.
 */
export async function watchSchema({ query, reader }: Pick<Database, 'query' | 'reader'>) {
	const expected = await readCatalog(query);
	let checkedAt = performance.now();
	return async () => {
		if (performance.now() - checkedAt < minInterval) return;
		const differences = missing(expected, await readCatalog(reader));
		if (differences.length > 0)
			throw new ApiError('unavailable', describe(differences), { hint: advice });
		checkedAt = performance.now();
	};
}

async function appliedMigrations(db: Db, catalog: Catalog) {
	if (!catalog.some(({ name }) => name === 'table kysely_migration')) return [];
	const names = sql<{ name: string }>`select name from kysely_migration order by name`;
	return (await names.execute(db)).rows.map(({ name }) => name);
}

function rejectNewer(applied: readonly string[], migrations: Migrations) {
	const newer = applied.filter((name) => !(name in migrations));
	if (newer.length === 0) return;
	throw new Error(
		`A newer version of the service has migrated this database (${newer.join(', ')}). Start that version, or restore a backup from before.`,
	);
}

function digestOf(applied: readonly string[], catalog: Catalog) {
	const lines = catalog.map((object) => JSON.stringify(object)).sort();
	return hash('sha256', [...applied, ...lines].join('\n'));
}

/** The digest of the schema that was compared last. Only PostgreSQL needs it: there, comparing takes long. */
async function checkedDigest(db: Db) {
	if (!onPostgres(db)) return undefined;
	const comment = sql<{ digest: string | null }>`
		select obj_description('kysely_migration'::regclass) as digest`;
	return (await comment.execute(db)).rows[0]?.digest;
}

async function keepDigest(db: Db, digest: string) {
	if (!onPostgres(db)) return;
	const comment = sql`comment on table kysely_migration is ${sql.lit(digest)}`.execute(db);
	// Only the owner of the table may do this; otherwise, the next start compares again.
	await comment.catch(() => {});
}

/** What the migrations make of an empty schema, which is then dropped. */
async function expectedCatalog(db: Db, migrations: readonly (Migration | undefined)[]) {
	if (!onPostgres(db)) {
		const memory: Db = new Kysely({ dialect: openSqlite(':memory:') });
		return catalogAfter(memory, migrations).finally(() => memory.destroy());
	}
	const transaction = await db.startTransaction().execute();
	try {
		await sql`create schema board_access_expected`.execute(transaction).catch(explainCreation);
		await sql`set local search_path to board_access_expected`.execute(transaction);
		return await catalogAfter(transaction, migrations);
	} finally {
		await transaction.rollback().execute();
	}
}

function explainCreation(cause: unknown): never {
	const isForbidden = cause instanceof Error && 'code' in cause && cause.code === '42501';
	if (!isForbidden) throw cause;
	const message = 'The role of the service needs the privilege CREATE on its database.';
	throw new Error(message, { cause });
}

async function catalogAfter(db: Db, migrations: readonly (Migration | undefined)[]) {
	for (const migration of migrations) await migration?.up(db);
	return readCatalog(db);
}

function missing(expected: Catalog, catalog: Catalog) {
	const definitions = new Map(catalog.map(({ name, definition }) => [name, definition]));
	return expected
		.filter(({ name, table }) => name === `table ${table}` || definitions.has(`table ${table}`))
		.filter(({ name, definition }) => definitions.get(name) !== definition)
		.map(({ name }) => `${name} is ${definitions.has(name) ? 'different' : 'missing'}`);
}

/** What was added to our tables. Other tables, and indexes that are not unique, do no harm. */
function unknown(expected: Catalog, catalog: Catalog) {
	const names = new Set(expected.map(({ name }) => name));
	return catalog
		.filter(({ name, table }) => names.has(`table ${table}`) && !names.has(name))
		.filter(({ definition }) => !/^create index/i.test(definition))
		.map(({ name }) => `${name} is unknown`);
}

const maxListed = 20;
const advice = 'Undo what has changed the schema, or restore a backup.';

function describe(differences: readonly string[]) {
	const more = differences.length - maxListed;
	const listed = differences.slice(0, maxListed).join(', ');
	const all = more > 0 ? `${listed} and ${more} more` : listed;
	return `The schema of the database is not the one that the service has made: ${all}.`;
}

interface SchemaObject {
	/** Such as `column accounts.email`. */
	name: string;
	table: string;
	definition: string;
}

/** The tables, columns, indexes, triggers and constraints of the schema. */
export async function readCatalog(db: Db): Promise<SchemaObject[]> {
	const query = sql<SchemaObject>`${sql.raw(onPostgres(db) ? postgresCatalog : sqliteCatalog)}`;
	return (await query.execute(db)).rows;
}

/** Without CHECK constraints, which SQLite does not list. */
const sqliteCatalog = `
select 'table ' || name as name, name as "table", '' as definition
from sqlite_master where type = 'table'
union all
select 'column ' || t.name || '.' || c.name, t.name,
	concat_ws(' ', c.type, c."notnull", c.dflt_value, c.pk, c.hidden)
from sqlite_master t, pragma_table_xinfo(t.name) c where t.type = 'table'
union all
select type || ' ' || name || ' on ' || tbl_name, tbl_name, sql
from sqlite_master where type in ('index', 'trigger') and sql is not null
union all
select 'constraint unique (' || group_concat(c.name, ', ' order by c.seqno) || ') on ' || t.name, t.name, ''
from sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
where t.type = 'table' and i.origin = 'u' group by t.name, i.name
union all
select 'constraint foreign key (' || group_concat(f."from", ', ' order by f.seq) || ') on ' || t.name, t.name,
	concat_ws(' ', f."table", group_concat(f."to", ', ' order by f.seq), f.on_update, f.on_delete)
from sqlite_master t, pragma_foreign_key_list(t.name) f where t.type = 'table' group by t.name, f.id`;

/** Without NOT NULL constraints, which PostgreSQL 18 lists too: the definitions of columns contain them. */
const postgresCatalog = `
with tables as (
	select oid, relname from pg_class
	where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
)
select 'table ' || relname as name, relname::text as "table", '' as definition from tables
union all
select format('column %s.%s', relname, attname), relname, concat_ws(' ', format_type(atttypid, atttypmod),
	attnotnull, attgenerated, pg_get_expr(adbin, adrelid), attcollation::regcollation)
from tables join pg_attribute on attrelid = oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
where attnum > 0 and not attisdropped
union all
select format('index %s on %s', i.relname, t.relname), t.relname, pg_get_indexdef(indexrelid, 0, true)
from tables t join pg_index on indrelid = t.oid join pg_class i on i.oid = indexrelid
where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
union all
select format('constraint %s on %s', conname, relname), relname, pg_get_constraintdef(c.oid, true)
from tables t join pg_constraint c on conrelid = t.oid where contype <> 'n'
union all
select format('trigger %s on %s', tgname, relname), relname, pg_get_triggerdef(g.oid, true) || prosrc
from tables t join pg_trigger g on tgrelid = t.oid join pg_proc p on p.oid = tgfoid where not tgisinternal`;
