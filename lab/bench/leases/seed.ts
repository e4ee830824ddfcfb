// A database with accounts, boards and agents: the service makes one of each, and SQL copies them.
import { createHash, randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createAgent, importBoards, runCommand, startService } from '../../support/service.ts';

export interface Size {
	boards: number;
	agents: number;
	accounts: number;
}

export interface Population {
	/** A key for each account. */
	keys: string[];
	agents: { token: string; boards: string[] }[];
}

export const boardTypes = Array.from({ length: 20 }, (_, index) => `type-${index}`);

export async function populate(main: string, database: string, size: Size): Promise<Population> {
	const email = 'user@example.com';
	const words = ['account', 'create', email, '--admin', '--with-key'];
	const key = await runCommand(main, database, ...words);
	await runCommand(main, database, 'account', 'credit', email, '100000000', '--yes');
	const description = 'A development board with a camera on its display';
	const board = { id: 'brd_0', name: 'Board 0', board_type: 'none', description };
	const record = { ...board, credits_per_minute: 1, tags: { rack: 'r1' } };
	await importBoards(main, database, [record]);
	{
		await using service = await startService({ main, database });
		await createAgent(service.url, key, [board.id]);
	}
	await using store = await openStore(database);
	await store.run("update accounts set role = 'user'");
	const keys = secrets(size.accounts, 'key');
	await copy(store, 'accounts', serial(size.accounts), {
		...{ id: "'acc_' || i", email: "'user' || i || '@example.com'" },
	});
	await copy(store, 'credit_entries', serial(size.accounts), {
		...{ id: "'crd_' || i", account_id: "'acc_' || i", reference: "'grant ' || i" },
	});
	await copy(store, 'api_keys', hashes(keys), {
		...{ id: "'key_' || i", account_id: "'acc_' || i", hash: 'h' },
	});
	const tokens = secrets(size.agents, 'agt');
	await copy(store, 'agents', hashes(tokens), { id: "'agt_' || i", hash: 'h' });
	await copy(store, 'boards', serial(size.boards), {
		id: "'brd_' || (1000000 + i)",
		name: "'Board ' || (1000000 + i)",
		name_key: "'board ' || (1000000 + i)",
		board_type: `'type-' || ((i / ${size.agents}) % ${boardTypes.length})`,
		agent_id: `'agt_' || (i % ${size.agents})`,
	});
	await store.finish();
	const agents = tokens.map((token) => ({ token, boards: [] as string[] }));
	for (let index = 0; index < size.boards; index += 1) {
		agents[index % size.agents]?.boards.push(`brd_${1_000_000 + index}`);
	}
	return { keys, agents };
}

type Store = Awaited<ReturnType<typeof openStore>>;

/** Without triggers, which would run for every row; nothing has read the tables yet. */
function openStore(database: string) {
	return database.startsWith('postgres') ? openPostgres(database) : openSqlite(database);
}

async function openPostgres(connectionString: string) {
	const client = new pg.Client({ connectionString });
	await client.connect();
	const run = async (statement: string) => (await client.query(statement)).rows;
	await run('set session_replication_role = replica');
	return {
		run,
		finish: () => run('vacuum analyze'),
		[Symbol.asyncDispose]: () => client.end(),
	};
}

async function openSqlite(file: string) {
	const connection = new DatabaseSync(file);
	connection.exec('pragma synchronous = off');
	const run = async (statement: string) => connection.prepare(statement).all();
	const triggers = await run(
		"select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'boards'",
	);
	for (const { name } of triggers) connection.exec(`drop trigger ${name}`);
	return {
		run,
		async finish() {
			for (const { sql } of triggers) connection.exec(String(sql));
			connection.exec('analyze');
		},
		[Symbol.asyncDispose]: async () => connection.close(),
	};
}

/** Copies the only row of a table for each row of `n`, with these columns. */
async function copy(
	{ run }: Store,
	table: string,
	numbers: string,
	values: Readonly<Record<string, string>>,
) {
	const [first] = await run(`select * from ${table} limit 1`);
	const columns = Object.keys(first ?? {});
	const selected = columns.map((name) => values[name] ?? `first."${name}"`);
	const names = columns.map((name) => `"${name}"`);
	await run(`insert into ${table} (${names}) with ${numbers}
		select ${selected} from n, (select * from ${table} limit 1) as first`);
}

function serial(count: number) {
	return `recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
}

function hashes(all: readonly string[]) {
	const rows = all.map((secret, index) => {
		return `(${index}, '${createHash('sha256').update(secret).digest('hex')}')`;
	});
	return `n(i, h) as (values ${rows})`;
}

function secrets(count: number, prefix: string) {
	return Array.from({ length: count }, () => `${prefix}_${randomBytes(24).toString('hex')}`);
}
