// After a full scenario the secrets that were handed out are nowhere: not in the files of the
// database, not in a dump of it, not in the logs, not in the metrics.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { logIn, signUp } from '../../core/src/members/log-in.ts';
import { changePassword } from '../../core/src/members/password.ts';
import { databaseKinds, emptyDatabase } from '../../core/test/support/databases.ts';
import { createPostgres, startPostgres } from '../../core/test/support/postgres.ts';
import { Browser } from '../../core/test/support/visitor.ts';
import { type Backend, onPostgres, onSqlite } from './support/backends.ts';

/** Uses every way in which a secret is issued, sent rightly and sent wrongly. */
const issueSecrets = async (backend: Backend) => {
	const { services } = backend;
	const signedUp = await signUp(services, new Browser(), {
		email: 'new@example.com',
		password: 'a very secret password',
	});
	const changed = await changePassword(services, new Browser('test', signedUp), {
		email: 'new@example.com',
		current: 'a very secret password',
		next: 'an even more secret one',
	});
	const wrong = { email: 'new@example.com', password: 'wrong secret' };
	await logIn(services, new Browser(), wrong).catch(() => {});
	const tokens = [signedUp, changed].map(({ session = '' }) => session);
	const keys: string[] = [backend.apiKey, backend.freeApiKey];
	const post = { method: 'POST', headers: { 'idempotency-key': 'same' } };
	for (const init of [{ method: 'POST' }, post, post]) {
		keys.push((await (await backend.send('/v1/auth/keys', init)).json()).key);
	}
	const [key = ''] = keys;
	await backend.send(`/v1/auth/keys/${key}`, { method: 'DELETE' });
	await backend.send(`/v1/${encodeURIComponent(key)}?key=${key}`);
	const headers = { 'idempotency-key': key };
	expect((await backend.send('/v1/auth/keys', { method: 'POST', headers })).status).toBe(400);
	await backend.send('/v1/boards', { headers: { 'x-request-id': key, authorization: key } });
	await backend.send('/v1/boards', {
		headers: { cookie: `board_access.session_token=${tokens[0]}` },
	});
	await backend.send('/v1/auth/keys', { method: 'POST', body: key });
	await backend.services.lastUsed.flush();
	return {
		key,
		secrets: [
			...keys,
			...tokens,
			...tokens.map((token) => token.split('.')[0] ?? ''),
			'a very secret password',
			'an even more secret one',
			'wrong secret',
			backend.login.password,
		],
	};
};

const filesIn = async (folder: string): Promise<Buffer[]> => {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
};

describe.each(databaseKinds)('the secrets on %s', (kind) => {
	test('are in no file, no dump, no log line and no metric', {
		tags: kind === 'SQLite' ? [] : 'long',
	}, async () => {
		const cluster = kind === 'PostgreSQL' ? await startPostgres() : undefined;
		const database = cluster ? await createPostgres(cluster.url) : await emptyDatabase('SQLite');
		let logged = '';
		const log = new Writable({
			write(chunk, _encoding, done) {
				logged += chunk;
				done();
			},
		});
		const backend = await (cluster ? onPostgres : onSqlite).open({
			database,
			log,
			logLevel: 'debug',
		});
		const { key, secrets } = await issueSecrets(backend);
		const { query } = backend.services.database;
		const tables = await query.introspection.getTables();
		const dump = await Promise.all(
			tables.map(
				async ({ name }) => (await sql`select * from ${sql.table(name)}`.execute(query)).rows,
			),
		);
		if (cluster) await sql`checkpoint`.execute(query);
		const files = await filesIn(cluster ? cluster.databaseDir : dirname(database));
		const metrics = await backend.services.metrics.text();
		const everything = [
			...files,
			...[JSON.stringify(dump), logged, metrics].map((text) => Buffer.from(text)),
		];
		const holds = (text: string) => everything.filter((bytes) => bytes.includes(text)).length;

		// The search works: it finds the hash in a file and in the dump, and lines in the log.
		expect(holds(createHash('sha256').update(key).digest('hex'))).toBeGreaterThan(1);
		expect(logged).toContain('"route":"/v1/auth/keys/:id"');
		for (const secret of secrets) {
			expect(secret.length).toBeGreaterThan(10);
			expect(holds(secret)).toBe(0);
		}
		await backend.close();
		await cluster?.remove();
	});
});
