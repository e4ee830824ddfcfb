import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test, vi } from 'vitest';
import { findAccount } from '../../../core/src/accounts/store.ts';
import { isPaidTier } from '../../../core/src/credits/holds.ts';
import { openDatabase } from '../../../core/src/database/database.ts';
import { databaseKinds, emptyDatabase } from '../../../core/test/support/databases.ts';
import { startRelay } from '../../../core/test/support/relay.ts';
import { version } from '../../package.json';
import { createService } from '../../src/service.ts';
import { runHere as run, startCommand } from '../support/command.ts';

const execute = promisify(execFile);
const runApart = (database: string, ...words: string[]) =>
	execute(process.execPath, [inject('main'), ...words], {
		env: { PATH: process.env.PATH ?? '', DATABASE_URL: database },
	});

describe.each(databaseKinds)('the commands on %s', (kind) => {
	test('migrate lists the steps once', { tags: 'long' }, async () => {
		const database = await emptyDatabase(kind);
		expect((await runApart(database, 'migrate')).stdout).toContain('0001-schema');
		expect((await run(database, 'migrate')).stdout).toContain('up to date');
	});
});

describe('the commands', () => {
	test('an account gets its first key without a browser', async () => {
		const location = await emptyDatabase('SQLite');
		const create = (email: string, ...words: string[]) =>
			run(location, 'account', 'create', email, ...words);
		const plain = await create('plain@example.com', '--with-key');
		expect(plain.stdout).toMatch(/^key_[0-9a-f]{48}\n$/);
		expect(plain.stderr).toMatch(/Created plain@example.com with password \S{22}\n/);
		const { stdout } = await create('json@example.com', '--with-key', '--json');
		expect(JSON.parse(stdout)).toMatchObject({
			email: 'json@example.com',
			password: expect.stringMatching(/^\S{22}$/),
			api_key: { label: 'first key', key: expect.stringMatching(/^key_[0-9a-f]{48}$/) },
		});
		await expect(create('none@example.com', '--json')).rejects.toMatchObject({ code: 1 });
		const service = await createService({ database: location });
		const headers = { authorization: `Bearer ${plain.stdout.trim()}` };
		expect((await service.fetch('http://localhost/v1/boards', { headers })).status).toBe(200);
		await service.close();
	});

	test('boards are exported and imported', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'board-access-boards-'));
		const [from, to] = [await emptyDatabase('SQLite'), await emptyDatabase('SQLite')];
		const file = join(folder, 'boards.csv');
		await writeFile(file, 'id,name,board_type,tags.os\nbrd_a,a,x,linux\nbrd_b,b,x,\n');
		const imported = async () => (await run(from, 'boards', 'import', file)).stdout;
		expect(await imported()).toBe('2 boards imported: 2 added, 0 changed, 0 unchanged.\n');
		await writeFile(file, 'id,name,board_type,tags.os\nbrd_a,a,x,linux\nbrd_c,c,x,\n');
		expect(await imported()).toBe('2 boards imported: 1 added, 0 changed, 1 unchanged.\n');
		const exported = (await run(from, 'boards', 'export', '--format', 'csv')).stdout;
		await writeFile(file, exported);
		await run(to, 'boards', 'import', file);
		const again = (await runApart(to, 'boards', 'export')).stdout;
		expect(JSON.parse(again)).toMatchObject([
			{ id: 'brd_a', tags: { os: 'linux' } },
			{ id: 'brd_b', tags: {} },
			{ id: 'brd_c', tags: {} },
		]);
	});
});

test('accounts are created, promoted and credited, with a message', async () => {
	const location = await emptyDatabase('SQLite');
	const account = async (...words: string[]) => (await run(location, 'account', ...words)).stdout;
	const ann = 'ann@example.com';
	expect(await account('create', 'Ann@example.com')).toMatch(/password \S{22}/);
	expect(await account('list')).toMatch(/^user .*ann@/m);
	expect(await account('promote', ann)).toBe(`${ann} is an administrator.\n`);
	const credit = (amount: string) => account('credit', ann, amount, '--reference', 'inv-1');
	expect(await credit('50')).toBe(`${ann} has 50 credits.\n`);
	expect(await credit('50')).toBe(
		`inv-1 was already booked; nothing was added.\n${ann} has 50 credits.\n`,
	);
	await expect(credit('70')).rejects.toMatchObject({
		code: 1,
		stderr: 'amount was already booked as 50; nothing was added.\n',
	});
	const { query, close } = await openDatabase(location);
	const found = await findAccount(query, ann);
	expect(found).toMatchObject({ role: 'admin' });
	expect(await isPaidTier(query, found?.id ?? '')).toBe(true);
	await close();
});

test('an account is let in without a code, which the activity log says', async () => {
	const location = await emptyDatabase('SQLite');
	const account = (...words: string[]) => run(location, 'account', ...words);
	const bob = 'bob@example.com';
	await account('create', bob);
	const { query, close } = await openDatabase(location);
	const { id = '' } = (await findAccount(query, bob)) ?? {};
	const time = new Date().toISOString();
	await query.updateTable('accounts').set({ two_factor_at: time }).where('id', '=', id).execute();
	await query
		.insertInto('two_factor')
		.values({ account_id: id, secret: '', last_step: 0, created_at: time })
		.execute();
	expect((await account('reset-two-factor', bob)).stdout).toBe(
		`Two-factor authentication is off for ${bob}: the next log-in needs only the password.\n`,
	);
	expect(await query.selectFrom('two_factor').selectAll().execute()).toEqual([]);
	expect((await findAccount(query, bob))?.two_factor_at).toBeNull();
	const log = query.selectFrom('activity').select(['kind', 'via', 'details']);
	expect(await log.where('account_id', '=', id).orderBy('id').execute()).toEqual([
		{ kind: 'account.created', via: 'command_line', details: '{"role":"user"}' },
		{ kind: 'two_factor.disabled', via: 'command_line', details: '{}' },
	]);
	await close();
});

test.skipIf(!existsSync('/dev/full'))('a first key that cannot be written is revoked', async () => {
	const location = await emptyDatabase('SQLite');
	const command = `"${process.execPath}" "${inject('main')}" account create full@example.com --with-key`;
	const env = { PATH: process.env.PATH ?? '', DATABASE_URL: location };
	await expect(execute('sh', ['-c', `${command} > /dev/full`], { env })).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringContaining('could not be written and is revoked'),
	});
	const { query, close } = await openDatabase(location);
	const keys = await query.selectFrom('api_keys').select('revoked_at').execute();
	expect(keys).toEqual([{ revoked_at: expect.any(String) }]);
	await close();
});

test('an address that was never verified is promoted and credited only with --yes', async () => {
	const location = await emptyDatabase('SQLite');
	const account = (...words: string[]) => run(location, 'account', ...words);
	await account('create', 'ann@example.com');
	const database = await openDatabase(location);
	await database.query.updateTable('accounts').set({ verified_at: null }).execute();
	for (const words of [['promote'], ['credit', '5']]) {
		const [verb = '', ...rest] = words;
		await expect(account(verb, 'ann@example.com', ...rest)).rejects.toMatchObject({
			code: 1,
			stderr: expect.stringContaining('was never verified'),
		});
	}
	const found = await findAccount(database.query, 'ann@example.com');
	expect(found?.role).toBe('user');
	expect(await isPaidTier(database.query, found?.id ?? '')).toBe(false);
	await account('promote', 'ann@example.com', '--yes');
	await account('credit', 'ann@example.com', '5', '--yes');
	expect((await findAccount(database.query, 'ann@example.com'))?.role).toBe('admin');
	await database.close();
});

test('an invitation is printed for an address that has no account', async () => {
	const location = await emptyDatabase('SQLite');
	await run(location, 'account', 'create', 'ann@example.com');
	const { stdout } = await run(location, 'account', 'invite', 'bob@example.com');
	expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:8787\/password\?token=[0-9a-f]{48}\n$/);
	await expect(run(location, 'account', 'invite', 'ann@example.com')).rejects.toMatchObject({
		code: 1,
	});
	await expect(run(location, 'account', 'invite', 'nobody')).rejects.toMatchObject({ code: 1 });
});

test('accounts are listed in columns, with role and tier', async () => {
	const location = await emptyDatabase('SQLite');
	await run(location, 'migrate');
	expect((await run(location, 'account', 'list')).stderr).toBe('There are no accounts.\n');
	await run(location, 'account', 'create', 'bob@example.com');
	await run(location, 'account', 'create', 'a@example.com', '--admin');
	await run(location, 'account', 'credit', 'a@example.com', '50');
	const { stdout } = await run(location, 'account', 'list');
	const time = '2\\S{22}Z';
	expect(stdout.split('\n')).toEqual([
		'ROLE   TIER  CREATED                   DISABLED                  EMAIL',
		expect.stringMatching(`^admin  paid  ${time}  - {25}a@example.com$`),
		expect.stringMatching(`^user   free  ${time}  - {25}bob@example.com$`),
		'',
	]);
});

test('an invalid row is reported, and nothing is imported', async () => {
	const file = join(await mkdtemp(join(tmpdir(), 'board-access-boards-')), 'boards.csv');
	await writeFile(file, 'name,board_type\na,x\nb,\n');
	const database = await emptyDatabase('SQLite');
	await run(database, 'migrate');
	const failed = run(database, 'boards', 'import', file);
	await expect(failed).rejects.toMatchObject({
		code: 1,
		stderr: 'line 3: board_type is required\n',
	});
	expect(JSON.parse((await run(database, 'boards', 'export')).stdout)).toEqual([]);
});

test.runIf(process.platform === 'linux')(
	'on a terminal, an account whose address was never verified is promoted only after a yes',
	{ tags: 'long' },
	async () => {
		const location = await emptyDatabase('SQLite');
		await run(location, 'account', 'create', 'ann@example.com');
		const { query, close } = await openDatabase(location);
		await query.updateTable('accounts').set({ verified_at: null }).execute();
		const command = `${process.execPath} ${inject('main')} account promote ann@example.com`;
		const env = { ...process.env, DATABASE_URL: location, BASE_URL: '' };
		const reply = (text: string) => {
			const asked = execute('script', ['-qec', command, '/dev/null'], { env });
			asked.child.stdin?.write(`${text}\n`);
			return asked;
		};
		await expect(reply('')).rejects.toMatchObject({
			code: 1,
			stdout: expect.stringMatching(/never verified.*Continue\? \[y\/N\].*Nothing was changed/s),
		});
		expect((await findAccount(query, 'ann@example.com'))?.role).toBe('user');
		expect((await reply('y')).stdout).toContain('ann@example.com is an administrator.');
		await close();
	},
);

test('an unknown account or an invalid setting prints one line and exits with 1', async () => {
	const database = await emptyDatabase('SQLite');
	await run(database, 'migrate');
	await expect(run(database, 'account', 'promote', 'no@example.com')).rejects.toMatchObject({
		code: 1,
		stderr: 'There is no account with the address no@example.com\n',
	});
	const started = execute(process.execPath, [inject('main'), 'start'], { env: { PORT: 'ninety' } });
	await expect(started).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^PORT must be/),
	});
});

test.each([
	['account', 'list'],
	['account', 'promote', 'ann@example.com'],
	['boards', 'export'],
])('a missing database is reported and not created by %s %s', async (...words) => {
	const database = await emptyDatabase('SQLite');
	await expect(run(database, ...words)).rejects.toMatchObject({
		code: 1,
		stderr: `There is no database at ${database}; name yours with --database or DATABASE_URL\n`,
	});
	expect(existsSync(database)).toBe(false);
});

test.each([
	['no-such.csv', 'it does not exist'],
	['.', 'it is a directory'],
])('a file that cannot be read is reported in one line: %s', async (file, reason) => {
	await expect(run(':memory:', 'boards', 'import', file)).rejects.toMatchObject({
		code: 1,
		stderr: `The file ${file} cannot be read: ${reason}\n`,
	});
});

test('the contents of an invalid file cannot control the terminal', async () => {
	const file = join(await mkdtemp(join(tmpdir(), 'board-access-boards-')), 'boards.csv');
	await writeFile(file, 'name,board_type,\x1b[31m\na,x,y\nb,x,y\n');
	await expect(run(':memory:', 'boards', 'import', file)).rejects.toMatchObject({
		stderr: 'line 1:  [31m is not a known name\n',
	});
});

test.runIf(process.platform === 'linux')(
	'an export is lossless in a file, and harmless on a terminal',
	async () => {
		const file = join(await mkdtemp(join(tmpdir(), 'board-access-boards-')), 'boards.csv');
		await writeFile(file, 'name,board_type,description\na,x,\x1b[31m \x9b31m\n');
		const database = await emptyDatabase('SQLite');
		await run(database, 'boards', 'import', file);
		const words = ['boards', 'export', '--format', 'csv'];
		expect((await run(database, ...words)).stdout).toContain('\x1b[31m \x9b31m');
		const command = [process.execPath, inject('main'), ...words].join(' ');
		const env = { ...process.env, DATABASE_URL: database, BASE_URL: '' };
		const { stdout } = await execute('script', ['-qec', command, '/dev/null'], { env });
		expect(stdout).toContain(',x,available,, [31m  31m,');
	},
);

test('an account needs a valid address and password, as in sign-up', async () => {
	const database = await emptyDatabase('SQLite');
	const refused = runApart(database, 'account', 'create', 'ann@lab', '--password-stdin');
	refused.child.stdin?.end('short\n');
	await expect(refused).rejects.toMatchObject({
		code: 1,
		stderr: 'email is not a valid email address; password must be at least 8 characters long.\n',
	});
});

test('the version is that of the package', async () => {
	const { stdout } = await runApart(':memory:', '--version');
	expect(stdout).toBe(`${version}\n`);
});

test('with a Node without SQLite the error names the required version', async () => {
	const old = execute(process.execPath, ['--no-experimental-sqlite', inject('main'), 'migrate']);
	await expect(old).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^board-access-service needs Node.js >=22.16; this is .*\n$/),
	});
});

test('demo mode does not start in production', { tags: 'long' }, async () => {
	const started = execute(process.execPath, [inject('main'), 'start', '--demo'], {
		env: { NODE_ENV: 'production' },
	});
	await expect(started).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Demo') });
});

test('demo mode rejects a database that has other accounts', { tags: 'long' }, async () => {
	const database = await emptyDatabase('SQLite');
	await run(database, 'account', 'create', 'ann@example.com');
	await expect(runApart(database, 'start', '--demo', '--port', '0')).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringContaining('already has other accounts'),
	});
});

test('the demo prints credentials that work, and SIGTERM ends it with status 0', async () => {
	const { url, output, child, exited } = await startCommand(['start', '--demo', '--port', '0']);
	const key = /key_[0-9a-f]{48}/.exec(output())?.[0];
	expect(output()).toContain(`export SERVICE_BASE_URL=${url}\nexport SERVICE_API_KEY=${key}\n`);
	const response = await fetch(`${url}/v1/boards`, { headers: { authorization: `Bearer ${key}` } });
	expect(response.status).toBe(200);
	const logins = output().matchAll(/email +(\S+)\n {2}password +(\S+)/g);
	const emails = Array.from(logins, async ([, email = '', password = '']) => {
		const body = new URLSearchParams({ email, password });
		const headers = { origin: url };
		const init = { method: 'POST', body, headers, redirect: 'manual' } as const;
		expect((await fetch(`${url}/login`, init)).status).toBe(303);
		return email;
	});
	expect(await Promise.all(emails)).toEqual(['admin@example.com', 'free@example.com']);
	await vi.waitFor(() => expect(output()).toContain('Emulated boards'));
	child.kill('SIGTERM');
	expect(await exited).toEqual({ code: 0, signal: null });
	// A line for each request would hide the credentials.
	expect(output()).not.toContain('"level":"info"');
});

test('a demo that is stopped while its boards start ends at once', { tags: 'long' }, async () => {
	const { child, exited, output } = await startCommand(['start', '--demo', '--port', '0']);
	child.kill('SIGTERM');
	expect(await exited).toEqual({ code: 0, signal: null });
	expect(output()).not.toMatch(/not available|did not stop/);
});

test('a request that runs when SIGTERM arrives gets its response', { tags: 'long' }, async () => {
	const words = ['start', '--demo', '--port', '0'];
	const { url, child, exited, output } = await startCommand(words, { LOG_LEVEL: 'info' });
	const key = /key_[0-9a-f]{48}/.exec(output())?.[0];
	const image = JSON.stringify({ action: 'erase', board_type: 'x', name: 'y' });
	const responded = new Promise<number | undefined>((resolve, reject) => {
		const slow = request(`${url}/v1/admin/base-images`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${key}`,
				'content-type': 'application/json',
				expect: '100-continue',
			},
		});
		slow.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
		slow.write(image.slice(0, 5));
		// The service says that it has begun to read.
		slow.on('continue', async () => {
			child.kill('SIGTERM');
			await expect.poll(output).toContain('"Stopping"');
			slow.end(image.slice(5));
		});
	});
	expect(await responded).toBe(201);
	expect(await exited).toEqual({ code: 0, signal: null });
});

test('SIGTERM ends the service after ten seconds even if its database no longer responds', {
	tags: 'long',
}, async () => {
	const { hostname, port, pathname } = new URL(await emptyDatabase('PostgreSQL'));
	const between = await startRelay({ host: hostname, port: Number(port) });
	const location = `postgres://postgres:postgres@127.0.0.1:${between.port}${pathname}`;
	const { child, exited } = await startCommand(['start', '--port', '0', '--database', location]);
	between.freeze();
	child.kill('SIGTERM');
	const late = new Promise((resolve) => setTimeout(resolve, 15_000, 'late'));
	expect(await Promise.race([exited, late])).toEqual({ code: 1, signal: null });
	child.kill('SIGKILL');
	between.close();
});

test('a password in --database causes a warning that names the variables instead', {
	tags: 'long',
}, async () => {
	const location = await emptyDatabase('PostgreSQL');
	const { stderr } = await runApart('unused.db', 'migrate', '--database', location);
	expect(stderr).toMatch(/^Warning: .*--database.* DATABASE_URL .*DATABASE_URL_FILE/);
	expect(stderr).not.toContain(location);
	expect((await runApart(location, 'migrate')).stderr).toBe('');
});

test.skipIf(process.platform !== 'linux')(
	'the list of processes no longer shows the password of a service that has started',
	{ tags: 'long' },
	async () => {
		const location = await emptyDatabase('PostgreSQL');
		const words = ['start', '--port', '0', '--database', location];
		const { child, exited, output } = await startCommand(words);
		const shown = await readFile(`/proc/${child.pid}/cmdline`, 'utf8');
		child.kill();
		await exited;
		expect(shown).toContain('board-access-service');
		expect(shown).not.toContain('postgres:postgres');
		expect(output()).toContain('Warning: ');
	},
);

test.skipIf(process.platform === 'win32')(
	'a database file that other users can open causes a warning that names it',
	async () => {
		const database = await emptyDatabase('SQLite');
		expect((await run(database, 'migrate')).stderr).toBe('');
		await chmod(database, 0o640);
		for (const location of [database, `file:${database}`]) {
			const { stderr } = await run(location, 'migrate');
			expect(stderr).toContain(`Warning: other users of this machine can open ${database}.`);
		}
	},
);
