// The baseline: the same lookup of the key and the same boards from the same database, and nothing
// else. With node:http alone, or as a Hono app.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';

export interface BareTask {
	kind: 'node:http' | 'Hono';
	database: string;
	port: number;
}

interface Owner {
	revoked_at: string | null;
	disabled_at: string | null;
}

interface Row {
	tags: string;
}

const { kind, database, port } = JSON.parse(process.argv[2] ?? '') as BareTask; // as started

function ownerSql(mark: string) {
	return `select k.id, k.revoked_at, a.id as account, a.role, a.disabled_at from api_keys k join accounts a on a.id = k.account_id where k.hash = ${mark}`;
}
function boardsSql(mark: string) {
	return `select * from boards order by name, id limit ${mark}`;
}

function openSqlite() {
	const connection = new DatabaseSync(database);
	const owner = connection.prepare(ownerSql('?'));
	const boards = connection.prepare(boardsSql('?'));
	return {
		owner: async (hash: string) => owner.get(hash) as Owner | undefined, // what the query selects
		boards: async (limit: number) => boards.all(limit) as unknown as Row[], // the same
	};
}

function openPostgres() {
	const pool = new pg.Pool({ connectionString: database });
	return {
		owner: async (hash: string) =>
			(await pool.query<Owner & object>({ name: 'owner', text: ownerSql('$1'), values: [hash] }))
				.rows[0],
		boards: async (limit: number) =>
			(await pool.query<Row & object>({ name: 'boards', text: boardsSql('$1'), values: [limit] }))
				.rows,
	};
}

const store = database.startsWith('postgres') ? openPostgres() : openSqlite();

async function answer(authorization: string, url: string) {
	const hash = createHash('sha256').update(authorization.slice(7)).digest('hex');
	const owner = await store.owner(hash);
	if (!owner || owner.revoked_at || owner.disabled_at) return undefined;
	const limit = Number(/limit=(\d+)/.exec(url)?.[1] ?? 100);
	const rows = await store.boards(limit + 1);
	const data = rows.slice(0, limit).map((row) => ({
		...row,
		tags: typeof row.tags === 'string' ? JSON.parse(row.tags) : row.tags,
	}));
	return { data, next_cursor: rows.length > limit ? 'more' : null };
}

function startNodeHttp() {
	return createServer(async (request, response) => {
		const found = await answer(request.headers.authorization ?? '', request.url ?? '');
		const body = JSON.stringify(found ?? {});
		response.writeHead(found ? 200 : 401, {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
		});
		response.end(body);
	}).listen(port, '127.0.0.1');
}

function startHono() {
	const app = new Hono();
	app.get('/v1/boards', async (context) => {
		const found = await answer(context.req.header('authorization') ?? '', context.req.url);
		return found ? context.json(found) : context.json({}, 401);
	});
	serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
}

if (kind === 'Hono') startHono();
else startNodeHttp();
