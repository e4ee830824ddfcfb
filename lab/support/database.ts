// A new database, and its tables as seen from outside the service.
import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'pg';

/** A database that is empty or a copy, and that is removed at the end of its block. */
export function newDatabase(cluster?: string, template?: string) {
	return cluster ? newPostgres(cluster, template) : newSqlite(template);
}

export type LabDatabase = Awaited<ReturnType<typeof newDatabase>>;

async function newSqlite(template?: string) {
	const folder = await mkdtemp(join(tmpdir(), 'board-access-lab-'));
	const location = join(folder, 'service.db');
	if (template) await copyFile(template, location);
	return {
		location,
		isPostgres: false,
		async run(statement: string) {
			const connection = new DatabaseSync(location, { timeout: 30_000 });
			const rows = connection.prepare(statement).all();
			connection.close();
			return rows;
		},
		bytes: async () => (await stat(location)).size,
		[Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
	};
}

async function newPostgres(cluster: string, template?: string) {
	const name = `lab_${randomBytes(6).toString('hex')}`;
	const copied = template ? `template ${new URL(template).pathname.slice(1)}` : '';
	await runOnPostgres(`${cluster}/postgres`, `create database ${name} ${copied}`);
	const location = `${cluster}/${name}`;
	const run = (statement: string) => runOnPostgres(location, statement);
	return {
		location,
		isPostgres: true,
		run,
		bytes: async () => Number((await run(`select pg_database_size('${name}') as all`))[0]?.all),
		async [Symbol.asyncDispose]() {
			await runOnPostgres(`${cluster}/postgres`, `drop database ${name} with (force)`);
		},
	};
}

async function runOnPostgres(connectionString: string, statement: string) {
	const client = new postgres.Client({ connectionString });
	await client.connect();
	try {
		// The caller knows the columns of its statement.
		return (await client.query(statement)).rows as Record<string, unknown>[];
	} finally {
		await client.end();
	}
}

/** Inserts rows whose values are SQL, with `i` for the number of the row. */
export function insertMany(
	{ run }: Pick<LabDatabase, 'run'>,
	{ table, count, row }: { table: string; count: number; row: Record<string, string> },
) {
	const numbers = `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
	const [columns, values] = [Object.keys(row).join(', '), Object.values(row).join(', ')];
	return run(`insert into ${table} (${columns}) ${numbers} select ${values} from n`);
}

/** Written directly to the table, because only an administrator gives a key to the free tier. */
export async function addKeys({ run }: Pick<LabDatabase, 'run'>, accountIds: readonly string[]) {
	const keys = accountIds.map((account) => {
		const key = `key_${randomBytes(24).toString('hex')}`;
		const hash = createHash('sha256').update(key).digest('hex');
		return { account, key, hash, id: `key_${hash.slice(0, 24)}` };
	});
	const rows = keys.map(
		({ id, account, hash }) =>
			`('${id}', '${account}', '${hash}', 'key_…', '2026-01-05T08:00:00.000Z')`,
	);
	await run(`insert into api_keys (id, account_id, hash, hint, created_at) values ${rows}`);
	return keys;
}
