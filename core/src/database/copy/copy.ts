// Copies all rows into an empty database, of the same or the other kind. An interrupted copy continues where it stopped.
import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { readCatalog } from '../catalog.ts';
import { keptTime } from '../clock/kept-time.ts';
import { openDatabase } from '../database.ts';
import { isPostgres } from '../location.ts';
import { migrate, pendingMigrations } from '../migrations.ts';
import { onPostgres } from '../postgres.ts';
import type { Db } from '../schema.ts';
import { copyTable } from '../schema-check.ts';
import { claimFile } from '../sqlite/sqlite.ts';
import { checksum, type Key, type Row, readBatches, readTables, type Table } from './tables.ts';

interface Listener {
	/** Called after each batch with how many rows of the table this run has copied. */
	onProgress?(table: string, rows: number): void;
}

interface Copying extends Listener {
	/** The locations of the databases. */
	from: string;
	to: string;
}

interface Sides extends Listener {
	source: Db;
	target: Db;
	tables: readonly Table[];
}

/** Returns the tables with the number of their rows and a checksum, which are the same in both databases. */
export async function copyDatabase({ from, to, ...listener }: Copying) {
	const opened: { close(): unknown }[] = [];
	const open = async (location: string) => {
		opened.push({ close: claimFile(location) });
		const database = await openDatabase(location);
		opened.unshift(database);
		return database.patient;
	};
	try {
		const [source, target] = [await open(from), await open(to)];
		if ([from, to].some(isPostgres)) await requireStopped([source, target]);
		await requireCurrent(source, 'source');
		const sides = { source, target, tables: await readTables(), ...listener };
		const position = await begin(sides);
		const isLater = ({ name }: Table) => name === position.table_name;
		const first = Math.max(sides.tables.findIndex(isLater), 0);
		for (const [index, table] of sides.tables.slice(first).entries()) {
			const after = index === 0 ? position.last_key : null;
			await copyRows(sides, table, after && JSON.parse(after));
		}
		if (onPostgres(target)) await sql`analyze`.execute(target);
		return await verify(sides);
	} finally {
		for (const { close } of opened) await close();
	}
}

/** Each replica on PostgreSQL stores the service's time once a second. */
async function requireStopped(databases: readonly Db[]) {
	const times = () => Promise.all(databases.map((db) => keptTime(db).catch(() => undefined)));
	const before = await times();
	await wait(3_000);
	const after = await times();
	const isRunning = after.some((time, index) => time?.changes !== before[index]?.changes);
	if (isRunning) throw new Error('A service uses one of the databases. Stop all replicas first.');
}

async function requireCurrent(db: Db, name: 'source' | 'target') {
	if ((await pendingMigrations(db)).length === 0) return;
	throw new Error(
		`The ${name} is not up to date. Run board-access-service migrate with it first.`,
	);
}

interface Position {
	/** What the copy is of. */
	source: string;
	table_name: string | null;
	last_key: string | null;
}

async function begin({ source, target, tables }: Sides): Promise<Position> {
	const id = await identify(source);
	const catalog = await readCatalog(target);
	if (catalog.some(({ name }) => name === `table ${copyTable}`)) {
		const stored = await sql<Position>`select * from ${sql.table(copyTable)}`.execute(target);
		const [position] = stored.rows;
		if (position?.source === id) return position;
		throw new Error(
			'The target has an interrupted copy of another database, or of this one before it was used again. Choose an empty database.',
		);
	}
	if (catalog.length === 0) await migrate(target);
	await requireCurrent(target, 'target');
	await requireEmpty(target, tables);
	const position = { source: id, table_name: null, last_key: null };
	await target.transaction().execute(async (db) => {
		await sql`create table ${sql.table(copyTable)}
			(source text not null, table_name text, last_key text)`.execute(db);
		await untyped(db).insertInto(copyTable).values(position).execute();
	});
	return position;
}

/** Differs once a service has run on the database. */
async function identify(db: Db) {
	const migrated = await sql`select name, timestamp from kysely_migration order by name`.execute(
		db,
	);
	return hash('sha256', JSON.stringify([migrated.rows, await keptTime(db)]));
}

/** What a migration or a start without users writes does no harm. */
const written = ['service_time', 'service_secrets', 'board_changes'];

async function requireEmpty(db: Db, tables: readonly Table[]) {
	for (const table of tables.filter(({ name }) => !written.includes(name))) {
		const { done } = await readBatches(db, table).next();
		if (!done) throw new Error(`The target is not empty: it has rows in ${table.name}.`);
	}
}

async function copyRows(sides: Sides, table: Table, after: Key | null) {
	const { source, target, onProgress } = sides;
	if (!after) {
		await target.transaction().execute(async (db) => {
			await sql`delete from ${sql.table(table.name)}`.execute(db);
			await keepPosition(db, table, null);
		});
	}
	let copied = 0;
	for await (const { rows, key } of readBatches(source, table, after)) {
		await target.transaction().execute(async (db) => {
			await untyped(db).insertInto(table.name).values(rows).execute();
			await keepPosition(db, table, key);
		});
		copied += rows.length;
		onProgress?.(table.name, copied);
	}
}

function keepPosition(db: Db, { name }: Table, key: Key | null) {
	const position = { table_name: name, last_key: key && JSON.stringify(key) };
	return untyped(db).updateTable(copyTable).set(position).execute();
}

/** The columns of a table are known only when it is copied. */
function untyped(db: Db) {
	return db as unknown as Kysely<Record<string, Row>>;
}

async function verify({ source, target, tables }: Sides) {
	const results: { table: string; rows: number; sum: string }[] = [];
	const different: string[] = [];
	for (const table of tables) {
		const [one, other] = await Promise.all([source, target].map((db) => checksum(db, table)));
		if (one?.sum !== other?.sum) different.push(table.name);
		if (one) results.push({ table: table.name, ...one });
	}
	if (different.length > 0) {
		throw new Error(
			`The copy differs from the source in ${different.join(', ')}. The source was probably changed meanwhile: stop what uses it, and copy into another empty database.`,
		);
	}
	await sql`drop table ${sql.table(copyTable)}`.execute(target);
	return results;
}
