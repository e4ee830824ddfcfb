// The parts of a schema, as the database describes them.
import { sql } from 'kysely';
import { onPostgres } from './postgres.ts';
import type { Db } from './schema.ts';

export interface SchemaObject {
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
