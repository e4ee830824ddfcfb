// board-access-service check: a line for each thing that it looks at, and 1 if one is an error.
import { copyFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Finding } from 'board-access-contract';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../core/src/database/database.ts';
import {
	databaseKinds,
	databaseWith,
	emptyDatabase,
	migratedDatabase,
	newAccount,
} from '../../../core/test/support/databases.ts';
import { listen } from '../../src/server.ts';
import { runHere } from '../support/command.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	vi.unstubAllEnvs();
});

/** The findings of each check, with these settings. */
async function checked(database: string, settings: Record<string, string> = {}) {
	for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
	const { stdout } = await runHere(database, 'check', '--json').catch((error) => error);
	const findings: Finding[] = JSON.parse(stdout);
	return Map.groupBy(findings, ({ check }) => check);
}

const inClosedPort = 'postgres://postgres@127.0.0.1:1/none';

describe.each(databaseKinds)('on %s', (kind) => {
	test('a service that could start has no error, and nothing is changed', async () => {
		const location = await migratedDatabase(kind);
		const { stdout } = await runHere(location, 'check');
		expect(stdout).toMatch(/^ok {7}settings {3}Valid$/m);
		expect(stdout).toMatch(/^ok {7}schema {5}Up to date$/m);
		expect(stdout).toMatch(/^ok {7}clock {6}The clocks match$/m);
		expect(stdout).not.toMatch(/^(warning|error)/m);
		const { query, close } = await openDatabase(location);
		expect(await query.selectFrom('service_time').select('changes').execute()).toHaveLength(1);
		await close();
	});

	test('what is wrong in the database is an error of its own', async () => {
		const location = await databaseWith(kind);
		const database = await openDatabase(location);
		cleanups.push(database.close);
		const { query } = database;
		const { id } = await newAccount(database);
		const created_at = new Date().toISOString();
		await query.updateTable('accounts').set({ two_factor_at: created_at }).execute();
		const secret = { account_id: id, secret: 'c2VhbGVk', last_step: 0, created_at };
		await query.insertInto('two_factor').values(secret).execute();
		const time = Date.now() + 60_000;
		const kept = { id: 1, time, wall: Date.now(), changes: 1 };
		await query.insertInto('service_time').values(kept).execute();
		const url = 'http://127.0.0.1/private.hex';
		const texts = { board_type: 'x', name: 'x', description: '', flash_offset: '0' };
		const image = { id: 'img_1', ...texts, url, position: 1, enabled: 1, created_at };
		await query
			.insertInto('base_images')
			.values({ ...image, action: 'flash' })
			.execute();
		const settings = { TWO_FACTOR_KEY: 'x'.repeat(32) };
		const findings = await checked(location, settings);
		expect(findings.get('two-factor')).toMatchObject([
			{
				state: 'error',
				message: 'TWO_FACTOR_KEY does not decrypt the authenticator secrets of 1 accounts',
			},
		]);
		expect(findings.get('clock')).toMatchObject([
			{ state: 'warning', message: expect.stringMatching(/is (59|60)\.\d s ahead of the clock/) },
		]);
		expect(findings.get('image')).toMatchObject([
			{ state: 'error', message: expect.stringContaining('is in a private network') },
		]);
	});
});

test('a schema that was changed, or another database that does not respond, is an error', async () => {
	const changed = await databaseWith('SQLite', 'alter table leases drop column input_taken');
	await expect(runHere(changed, 'check')).rejects.toMatchObject({
		code: 1,
		stdout: expect.stringMatching(/^error {4}schema .*leases.input_taken is missing/m),
	});
	const findings = await checked(inClosedPort);
	expect(findings.get('database')).toMatchObject([
		{ state: 'error', message: expect.stringContaining('ECONNREFUSED') },
	]);
	expect(findings.has('schema')).toBe(false);
	expect(findings.has('mail')).toBe(true);
});

test('a file that does not exist is not created', async () => {
	const location = await emptyDatabase('SQLite');
	const findings = await checked(location);
	expect(findings.get('database')).toMatchObject([{ state: 'warning' }]);
	await expect(copyFile(location, `${location}-2`)).rejects.toThrow(/ENOENT/);
});

test('invalid settings are the only finding', async () => {
	const findings = await checked(await emptyDatabase('SQLite'), { PORT: 'x', SIGNUP: 'y' });
	expect([...findings.keys()]).toEqual(['settings']);
	expect(findings.get('settings')).toMatchObject([
		{ state: 'error', message: 'PORT must be a whole number' },
		{ state: 'error', message: 'SIGNUP must be one of open, invite, closed' },
	]);
});

test('addresses, the proxy and the mail server are asked, but no mail is sent', async () => {
	const site = createServer((_request, response) => response.writeHead(404).end());
	const url = await listen(site, { port: 0, host: '127.0.0.1' });
	cleanups.push(() => site.close());
	const received: unknown[] = [];
	const mail = new SMTPServer({
		authOptional: true,
		onMailFrom(address, _session, done) {
			received.push(address);
			done();
		},
	});
	const smtp = await listen(mail.server as never, { port: 0, host: '127.0.0.1' });
	cleanups.push(() => mail.close());
	const BASE_URL = 'https://127.0.0.1:1';
	const SMTP_URL = smtp.replace('http:', 'smtp:');
	const location = await migratedDatabase('SQLite');
	const findings = await checked(location, { BASE_URL, WEB_URL: url, SMTP_URL });
	expect(findings.get('BASE_URL')).toMatchObject([{ state: 'unknown' }]);
	expect(findings.get('WEB_URL')).toMatchObject([
		{ state: 'warning', message: expect.stringContaining('responds with 404') },
	]);
	expect(findings.get('proxy')).toMatchObject([{ state: 'warning' }]);
	expect(findings.get('mail')).toMatchObject([{ state: 'ok' }]);
	expect(received).toEqual([]);
	const unreached = await checked(location, { SMTP_URL: 'smtp://127.0.0.1:1' });
	expect(unreached.get('mail')).toMatchObject([
		{ state: 'error', message: expect.stringContaining('ECONNREFUSED') },
	]);
});
