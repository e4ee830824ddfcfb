// Copies all rows into an empty database, of the same or the other kind. An interrupted copy continues where it stopped.
import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { keptTime } from '../clock/following-clock.ts';
import { openDatabase } from '../database.ts';
import { isPostgres } from '../location.ts';
import { migrate, pendingMigrations } from '../migrations.ts';
import { onPostgres } from '../postgres.ts';
import type { Db } from '../schema.ts';
import { copyTable, readCatalog } from '../schema-check.ts';
import { claimFile } from '../sqlite/sqlite.ts';
import { checksum, type Key, type Row, readBatches, readTables, type Table } from './tables.ts';

type Locations = Record<'from' | 'to', string>;

/** How many rows of a table this run has copied. */
type Report = (table: string, rows: number) => void;

/** Copies by location. Returns the number of rows of each table and a checksum, which are the same in both databases. */
export async function copyDatabase({ from, to }: Locations, report: Report = () => {}) {
	const opened: { close(): unknown }[] = [];
	const open = async (location: string) => {
		opened.push({ close: claimFile(location) });
		const database = await openDatabase(location);
		opened.unshift(database);
		return database.patient;
	};
	try {
		const [source, target] = [await open(from), await open(to)];
		if (isPostgres(from) || isPostgres(to)) await requireStopped([source, target]);
		await requireCurrent(source, 'source');
		const tables = await readTables();
		const { table_name, last_key } = await begin(source, target, tables);
		let after: Key | null = last_key && JSON.parse(last_key);
		for (const table of tables.slice(tables.findIndex(({ name }) => name === table_name))) {
			await copyRows({ source, target, table, after }, report);
			after = null;
		}
		if (onPostgres(target)) await sql`analyze`.execute(target);
		return await verify(source, target, tables);
	} finally {
		for (const { close } of opened) await close();
	}
}

/** Each replica on PostgreSQL stores the service's time once a second. */
async function requireStopped(databases: readonly Db[]) {
	const read = () => Promise.all(databases.map((db) => keptTime(db).catch(() => undefined)));
	const before = await read();
	await wait(3_000);
	const after = await read();
	if (after.every((time, index) => time?.changes === before[index]?.changes)) return;
	throw new Error('A service uses one of the databases. Stop all replicas first.');
}

async function requireCurrent(db: Db, name: 'source' | 'target') {
	if ((await pendingMigrations(db)).length === 0) return;
	throw new Error(`The ${name} is not up to date. Run board-access-service migrate on it first.`);
}

interface Position {
	/** What the copy is of. */
	source: string;
	table_name: string;
	last_key: string | null;
}

async function begin(source: Db, target: Db, tables: readonly Table[]): Promise<Position> {
	const id = await identify(source);
	const catalog = await readCatalog(target);
	if (catalog.some(({ name }) => name === `table ${copyTable}`)) {
		const { rows } = await sql<Position>`select * from ${sql.table(copyTable)}`.execute(target);
		const [position] = rows;
		if (position?.source === id) return position;
		throw new Error(
			'The target has an interrupted copy of another database, or of this one before it was used again. Choose an empty database.',
		);
	}
	if (catalog.length === 0) await migrate(target);
	await requireCurrent(target, 'target');
	for (const table of tables.filter(({ name }) => !harmless.includes(name))) {
		const { done } = await readBatches(target, table).next();
		if (!done) throw new Error(`The target is not empty: it has rows in ${table.name}.`);
	}
	const position = { source: id, table_name: tables[0]?.name ?? '', last_key: null };
	await target.transaction().execute(async (db) => {
		await sql`create table ${sql.table(copyTable)}
			(source text not null, table_name text not null, last_key text)`.execute(db);
		await untyped(db).insertInto(copyTable).values(position).execute();
	});
	return position;
}

/** What migrations and a start without users write. */
const harmless = ['service_time', 'service_secrets', 'board_changes'];

/** Differs once a service has run on the database. */
async function identify(db: Db) {
	const { rows } = await sql`select name, timestamp from kysely_migration order by name`.execute(
		db,
	);
	return hash('sha256', JSON.stringify([rows, await keptTime(db)]));
}

type Step = Record<'source' | 'target', Db> & { table: Table; after: Key | null };

async function copyRows({ source, target, table: { name }, table, after }: Step, report: Report) {
	const write = (key: Key | null, work: (db: Kysely<Record<string, Row>>) => Promise<unknown>) =>
		untyped(target)
			.transaction()
			.execute(async (db) => {
				await work(db);
				const position = { table_name: name, last_key: key && JSON.stringify(key) };
				await db.updateTable(copyTable).set(position).execute();
			});
	if (!after) await write(null, (db) => db.deleteFrom(name).execute());
	let copied = 0;
	for await (const { rows, key } of readBatches(source, table, after)) {
		await write(key, (db) => db.insertInto(name).values(rows).execute());
		copied += rows.length;
		report(name, copied);
	}
}

/** The columns of a table are known only when it is copied. */
function untyped(db: Db) {
	return db as unknown as Kysely<Record<string, Row>>;
}

async function verify(source: Db, target: Db, tables: readonly Table[]) {
	const sums = [];
	for (const table of tables) {
		const [sum, copied] = await Promise.all([checksum(source, table), checksum(target, table)]);
		if (sum.sum === copied.sum) sums.push(sum);
		else throw new Error(`The copy differs from the source in ${table.name}. ${advice}`);
	}
	await sql`drop table ${sql.table(copyTable)}`.execute(target);
	return sums;
}

const advice = 'Stop what has changed the source meanwhile, and copy into an empty database.';
