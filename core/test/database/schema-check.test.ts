// A database whose schema is not the one of its migrations is rejected.
import { describe, expect, test } from 'vitest';
import { settingsFrom } from '../../src/env.ts';
import { createLog } from '../../src/log.ts';
import { openCore } from '../../src/open.ts';
import { type DatabaseKind, databaseKinds, databaseWith } from '../support/databases.ts';

const open = (database: string) => openCore({ ...settingsFrom({}), database }, createLog('silent'));

/** What is different, with statements for both databases or for one of them. */
const changes: [difference: string, statements: string[], only?: DatabaseKind][] = [
	['table known_devices is missing', ['drop table known_devices']],
	['column boards.rest_reason is missing', ['alter table boards drop column rest_reason']],
	['column agents.note is unknown', ['alter table agents add column note text']],
	[
		'column sessions.user_agent is different',
		[
			'alter table sessions drop column user_agent',
			'alter table sessions add column user_agent text',
		],
	],
	['column files.size is different', ['alter table files alter size type bigint'], 'PostgreSQL'],
	['index sessions_former on sessions is missing', ['drop index sessions_former']],
	[
		'index files_url on files is different',
		['drop index files_url', 'create index files_url on files (sha256)'],
	],
	['index one on files is unknown', ['create unique index one on files (sha256)']],
	['trigger boards_insert on boards is missing', ['drop trigger boards_insert'], 'SQLite'],
	[
		'trigger boards_change on boards is missing',
		['drop trigger boards_change on boards'],
		'PostgreSQL',
	],
	[
		'trigger boards_change on base_images is different',
		[
			`create or replace function count_boards_change() returns trigger language plpgsql
			as $$ begin return null; end $$`,
		],
		'PostgreSQL',
	],
	[
		'constraint lease_actions_order on lease_actions is missing',
		['alter table lease_actions drop constraint lease_actions_order'],
		'PostgreSQL',
	],
	[
		'constraint unique (reference) on credit_entries is missing',
		[
			'drop table credit_entries',
			`create table credit_entries (
				id text primary key, account_id text not null, amount integer not null,
				reason text not null, reference text not null, created_at text not null
			)`,
			'create index credit_entries_account on credit_entries (account_id, created_at, id)',
		],
		'SQLite',
	],
	[
		'constraint foreign key (account_id) on credentials is missing',
		[
			'drop table credentials',
			'create table credentials (account_id text primary key, password_hash text not null)',
		],
		'SQLite',
	],
];

describe.each(databaseKinds)('on %s', (kind) => {
	const here = changes.filter(([, , only = kind]) => only === kind);

	test('everything that differs is named', async () => {
		const database = await databaseWith(kind, ...here.flatMap(([, statements]) => statements));
		const error: unknown = await open(database).catch((error: unknown) => error);
		const named = /has made: (.*)\. Undo/.exec(String(error))?.[1];
		expect(named?.split(', ').sort()).toEqual(here.map(([difference]) => difference).sort());
	});

	test('many differences are counted, and a table is named without its columns', async () => {
		const names = Array.from({ length: 22 }, (_, index) => `more_${index}`);
		const add = names.map((name) => `alter table agents add column ${name} text`);
		const database = await databaseWith(kind, 'drop table lease_shares', ...add);
		await expect(open(database)).rejects.toThrow(
			/: table lease_shares is missing, (column agents\.more_\d+ is unknown[, ]+){19}and 3 more\./,
		);
	});

	test("an operator's own tables, views and indexes do no harm", async () => {
		const database = await databaseWith(
			kind,
			'create table notes (text text)',
			'create unique index notes_text on notes (text)',
			'create view names as select name from boards',
			'create index mine on boards (created_at)',
		);
		const { close } = await open(database);
		await close();
	});

	test('a database that a newer version has migrated is rejected', async () => {
		const database = await databaseWith(
			kind,
			"insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')",
		);
		await expect(open(database)).rejects.toThrow(
			'A newer version of the service has migrated this database (9999-later).',
		);
	});
});
