// The leanest server that does the job: node:http, the SHA-256 of the key, one lookup by it, and the
// records, stored as JSON text, selected by one prepared statement. Nothing else.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export interface LeanTask {
	database: string;
	port: number;
}

const { database, port } = JSON.parse(process.argv[2] ?? '') as LeanTask; // as started

const ownerSql = (mark: string) =>
	`select a.id from api_keys k join accounts a on a.id = k.account_id where k.hash = ${mark} and k.revoked_at is null and a.disabled_at is null`;
const recordsSql = (mark: string) =>
	`select record from lean_boards order by name, id limit ${mark}`;

interface LeanRow {
	record: string;
}

function openSqlite() {
	const connection = new DatabaseSync(database);
	const owner = connection.prepare(ownerSql('?'));
	const records = connection.prepare(recordsSql('?'));
	return {
		known: async (hash: string) => owner.get(hash) !== undefined,
		records: async (limit: number) => records.all(limit) as unknown as LeanRow[], // as selected
	};
}

function openPostgres() {
	const pool = new pg.Pool({ connectionString: database });
	return {
		known: async (hash: string) =>
			(await pool.query({ name: 'owner', text: ownerSql('$1'), values: [hash] })).rows.length > 0,
		records: async (limit: number) =>
			(
				await pool.query<LeanRow & object>({
					name: 'records',
					text: recordsSql('$1'),
					values: [limit],
				})
			).rows,
	};
}

const store = database.startsWith('postgres') ? openPostgres() : openSqlite();

createServer(async (request, response) => {
	const key = (request.headers.authorization ?? '').slice(7);
	const known = await store.known(createHash('sha256').update(key).digest('hex'));
	const limit = Number(/limit=(\d+)/.exec(request.url ?? '')?.[1] ?? 100);
	const rows = known ? await store.records(limit) : [];
	const body = known ? `{"data":[${rows.map(({ record }) => record).join(',')}]}` : '{}';
	response.writeHead(known ? 200 : 401, {
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
	});
	response.end(body);
}).listen(port, '127.0.0.1');
