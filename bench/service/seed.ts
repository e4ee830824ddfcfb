// Databases of a given size.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createService } from '../../service/dist/index.js';

export interface Size {
	keys: number;
	boards: number;
}

/** Fills an empty database and returns a key. */
export async function seed(database: string, size: Size) {
	const { apiKey } = await seedDemo(database);
	if (database.startsWith('postgres')) await fillPostgres(database, size);
	else fillSqlite(database, size);
	return apiKey;
}

/** Fills an empty database with the samples and returns their credentials. */
export async function seedDemo(database: string) {
	const service = await createService({ database, demo: true });
	await service.close();
	if (!service.demo) throw new Error('The demo has no credentials');
	return service.demo;
}

function numbers(count: number) {
	return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
}

function text(value: string) {
	return `cast(${value} as text)`;
}

const boardType = "case i % 4 when 0 then 'rp2040' else 'esp32-s3' end";
const status = "case i % 5 when 0 then 'offline' else 'available' end";

/** The same statements for both databases. Boards are of two types and in two states. */
function statements({ keys, boards }: Size) {
	const id = text('100000000 + i');
	return [
		'delete from boards',
		`insert into boards (id, name, board_type, status, description, tags, created_at, updated_at, name_key, words) ${numbers(boards)} select 'brd_' || ${id}, 'Board ' || ${id}, ${boardType}, ${status}, 'ESP32-S3-DevKitC-1 with a camera on its display', '{"rack":"b2"}', '2026-01-05T08:00:00.000Z', '2026-03-09T17:21:44.120Z', 'board 009' || ${id}, 'board esp32 s3 camera display rack:b2' from n`,
		'create table lean_boards (id text primary key, name text not null, record text not null)',
		`insert into lean_boards ${numbers(Math.min(boards, 1_000))} select 'brd_' || ${id}, 'Board ' || ${id}, '{"id":"brd_' || ${id} || '","name":"Board ' || ${id} || '","board_type":"esp32-s3","status":"available","status_reason":"","description":"ESP32-S3-DevKitC-1 with a camera on its display","tags":{"rack":"b2"},"credits_per_minute":0,"created_at":"2026-01-05T08:00:00.000Z","updated_at":"2026-03-09T17:21:44.120Z","lease_id":null}' from n`,
		'create index lean_boards_name on lean_boards (name, id)',
		...(keys > 2
			? [
					`insert into api_keys (id, account_id, hash, hint, label, created_at, last_used_at, revoked_at) ${numbers(keys - 2)} select 'key_' || ${id}, (select min(id) from accounts), 'hash' || ${id}, 'key_…', null, '2026-01-05T08:00:00.000Z', null, null from n`,
				]
			: []),
	];
}

/** Without the triggers of the boards, which would run for every row; no page requested here needs them. */
function fillSqlite(file: string, size: Size) {
	const connection = new DatabaseSync(file);
	connection.exec('pragma synchronous = off');
	const triggers = connection
		.prepare("select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'boards'")
		.all();
	for (const { name } of triggers) connection.exec(`drop trigger ${name}`);
	for (const statement of statements(size)) connection.exec(statement);
	for (const { sql } of triggers) connection.exec(String(sql));
	connection.close();
}

async function fillPostgres(url: string, size: Size) {
	const client = new pg.Client({ connectionString: url });
	await client.connect();
	for (const statement of statements(size)) await client.query(statement);
	await client.query('analyze');
	await client.end();
}
