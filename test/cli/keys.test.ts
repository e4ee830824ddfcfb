import { readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, useService } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const { cli, demo } = useService();
const keyPattern = /key_[0-9a-f]{48}/;
const idOf = async (key: string) => (await runCli(['keys', 'id'], { stdin: key })).stdout.trim();

describe('keys create', () => {
	it('prints only the key in a pipe', async () => {
		const { exitCode, stdout, stderr } = await cli('keys create --label ci');
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
		expect(stdout).toMatch(/^key_[0-9a-f]{48}\n$/);
	});

	it('prints a line to paste on a terminal and says that the key is shown only once', async () => {
		const { stdout, stderr } = await cli('keys create', { terminal: 80 });
		expect(stdout).toMatch(/^(key_[0-9a-f]{48})\n\nexport SERVICE_API_KEY=\1\n$/);
		expect(stderr).toContain('shown only once');
		expect(stderr).not.toMatch(keyPattern);
	});

	it('prints the whole record as JSON', async () => {
		const { stdout } = await cli('keys create --label ci --json');
		const created = JSON.parse(stdout);
		expect(created).toMatchObject({ label: 'ci', key: expect.stringMatching(keyPattern) });
		expect(await idOf(created.key)).toBe(created.id);
	});

	it('creates a key with a scope that expires', async () => {
		const before = Date.now();
		const { stdout } = await cli('keys create --scope boards --expires-in 2h --json');
		const { id, key, scope, expiresAt } = JSON.parse(stdout);
		expect(scope).toBe('boards');
		expect(Date.parse(expiresAt) - before).toBeGreaterThanOrEqual(2 * 3_600_000);
		expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(2 * 3_600_000);
		expect(await cli('keys create', { env: { SERVICE_API_KEY: key } })).toMatchObject({
			exitCode: 6,
		});
		const listed = (await cli('keys list')).stdout.split('\n');
		expect(listed[0]).toMatch(/SCOPE +EXPIRES +CREATED +LAST USED/);
		expect(listed.find((line) => line.startsWith(id))).toContain(`boards  ${expiresAt}`);
		expect(listed.some((line) => / full +never /.test(line))).toBe(true);
		await cli(['keys', 'revoke', id, '--yes']);
	});

	it('revokes the keys that a key created, too', async () => {
		const parent = (await cli('keys create')).stdout.trim();
		const env = { SERVICE_API_KEY: parent };
		const child = { SERVICE_API_KEY: (await cli('keys create', { env })).stdout.trim() };
		expect(await cli('boards list', { env: child })).toMatchObject({ exitCode: 0 });
		const { stderr } = await cli(['keys', 'revoke', await idOf(parent), '--created', '--yes']);
		expect(stderr).toContain('is revoked, and the keys it created.');
		expect(await cli('boards list', { env: child })).toMatchObject({ exitCode: 4 });
	});

	it.each(['--expires-in never', '--expires-in 4000d', '--scope admin'])(
		'rejects %s',
		async (option) => {
			expect(await cli(`keys create ${option}`)).toMatchObject({ exitCode: 2, stdout: '' });
		},
	);

	it('writes the key to a file that only its owner can read, and does not print it', async () => {
		const file = join(await temporaryDirectory(), 'ci.env');
		const { exitCode, stdout, stderr } = await cli(['keys', 'create', '--save-env', file]);
		expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
		expect(stderr).not.toMatch(keyPattern);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect(await readFile(file, 'utf8')).toMatch(/^SERVICE_API_KEY=key_[0-9a-f]{48}\n$/);
	});

	it.each(['create', 'rotate'])('revokes a key of %s that it cannot write', async (command) => {
		const old = (await cli('keys create')).stdout;
		const argv = ['keys', command, ...(command === 'rotate' ? [await idOf(old)] : [])];
		const written: string[] = [];
		const deliver = async (text: string) => {
			written.push(text.trim());
			throw Object.assign(new Error('write'), { code: 'ENOSPC' });
		};
		const { exitCode, stderr } = await cli(argv, { deliver });
		expect(exitCode).toBe(1);
		expect(stderr).toMatch(
			/could not be written to standard output: no space left.*\n.*revoked\.\n$/,
		);
		expect(await cli('boards list', { env: { SERVICE_API_KEY: written[0] } })).toMatchObject({
			exitCode: 4,
		});
	});

	it('omits the key from the JSON when it is in a file', async () => {
		const file = join(await temporaryDirectory(), 'ci.env');
		const { stdout } = await cli(['keys', 'create', '--json', '--save-env', file]);
		expect(JSON.parse(stdout)).not.toHaveProperty('key');
	});

	it('says that repeating the command replaced the earlier key', async () => {
		const repeated = 'keys create --idempotency-key nightly';
		const first = await cli(repeated);
		const second = await cli(repeated);
		expect(first.stderr).toBe('');
		expect(second.stdout).not.toBe(first.stdout);
		expect(second.stderr).toBe(
			'The key from the earlier request was replaced and no longer works.\n',
		);
	});

	it('creates no key when the file exists or is a link', async () => {
		const directory = await temporaryDirectory();
		const link = join(directory, 'link.env');
		await symlink(join(directory, 'elsewhere.env'), link);
		const before = (await cli('keys list')).stdout;
		const { exitCode, stderr } = await cli(['keys', 'create', '--save-env', link]);
		expect(exitCode).toBe(2);
		expect(stderr).toContain('already exists');
		expect(await readdir(directory)).toEqual(['link.env']);
		expect((await cli('keys list')).stdout).toBe(before);
	});

	it('says that the directory of the file does not exist', async () => {
		const file = join(await temporaryDirectory(), 'nowhere', 'ci.env');
		const { exitCode, stderr } = await cli(['keys', 'create', '--save-env', file]);
		expect(exitCode).toBe(2);
		expect(stderr).toContain('its directory does not exist');
	});

	it('leaves no file behind when no key is created', async () => {
		const directory = await temporaryDirectory();
		const env = { SERVICE_API_KEY: demo().freeApiKey };
		const file = join(directory, 'ci.env');
		const { exitCode, stderr } = await cli(['keys', 'create', '--save-env', file], { env });
		expect(exitCode).toBe(5);
		expect(stderr).toMatch(/top up/i);
		expect(await readdir(directory)).toEqual([]);
	});
});

it('says that a key may exist after an interruption', async () => {
	const directory = await temporaryDirectory();
	const interruption = new AbortController();
	const fetch = () => {
		interruption.abort();
		return new Promise<Response>(() => {});
	};
	const argv = ['keys', 'create', '--save-env', join(directory, 'ci.env')];
	const { exitCode, stderr } = await cli(argv, { fetch, signal: interruption.signal });
	expect(exitCode).toBe(130);
	expect(stderr).toContain('A key may have been created');
	expect(await readdir(directory)).toEqual([]);
});

describe('keys list', () => {
	it('lists keys without their secrets', async () => {
		await cli('keys create --label nightly');
		const { stdout } = await cli('keys list');
		expect(stdout).toMatch(/^ID +KEY +LABEL +SCOPE +EXPIRES +CREATED +LAST USED\n/);
		expect(stdout).toContain('nightly');
		expect(stdout).not.toMatch(keyPattern);
	});
});

describe('keys revoke', () => {
	const create = async (label: string) => {
		const { stdout } = await cli(['keys', 'create', '--label', label, '--json']);
		const created: { id: string; key: string } = JSON.parse(stdout);
		return created;
	};

	it('needs --yes without a terminal', async () => {
		const { id, key } = await create('old');
		expect(await cli(`keys revoke ${id}`)).toMatchObject({ exitCode: 2 });
		expect(await cli(`keys revoke ${id} --yes`)).toMatchObject({ exitCode: 0, stdout: '' });
		const env = { SERVICE_API_KEY: key };
		expect(await cli('boards list', { env })).toMatchObject({ exitCode: 4, stdout: '' });
	});

	it('asks on a terminal, with the label of the key', async () => {
		const { id } = await create('my laptop');
		const rejected = await cli(`keys revoke ${id}`, { terminal: 80, stdin: 'n\n' });
		expect(rejected.stderr).toContain(`${id} "my laptop"\nRevoke this key? [y/N]`);
		expect(rejected.exitCode).toBe(1);
		expect(await cli(`keys revoke ${id}`, { terminal: 80, stdin: 'y\n' })).toMatchObject({
			exitCode: 0,
		});
	});

	it('warns about the key in use when it asks, and not with --yes', async () => {
		const { id, key } = await create('self');
		const env = { SERVICE_API_KEY: key };
		const asked = await cli(`keys revoke ${id}`, { env, terminal: 80, stdin: 'n\n' });
		expect(asked.stderr).toContain(`${id} "self", the key that this command uses`);
		const { exitCode, stderr } = await cli(`keys revoke ${id} --yes`, { env });
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `The key ${id} is revoked.\n` });
	});

	it('revokes several keys, and continues after one that does not exist', async () => {
		const [one, other] = [await create('one'), await create('other')];
		const missing = 'key_0123456789abcdef01234567';
		const { exitCode, stdout, stderr } = await cli(
			`keys revoke ${one.id} ${missing} ${other.id} --yes --json`,
		);
		expect(exitCode).toBe(3);
		expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toEqual([one.id, other.id]);
		expect(JSON.parse(stderr).error).toMatchObject({
			message: '1 key was not revoked',
			issues: [{ path: missing }],
		});
	});

	it('has exit code 3 for a key that does not exist', async () => {
		expect(await cli('keys revoke key_0123456789abcdef01234567 --yes')).toMatchObject({
			exitCode: 3,
		});
	});

	it('neither sends nor prints a full key that is given in place of an ID', async () => {
		const { key } = await create('mixed up');
		const { exitCode, stderr } = await cli(`keys revoke ${key} --yes`);
		expect(exitCode).toBe(2);
		expect(stderr).not.toContain(key);
	});
});

describe('keys rotate', () => {
	it('prints only the new key and revokes the old one', async () => {
		const old = (await cli('keys create --label ci')).stdout.trim();
		const id = await idOf(old);
		const { exitCode, stdout } = await cli(`keys rotate ${id}`);
		expect(exitCode).toBe(0);
		expect(await cli('boards list', { env: { SERVICE_API_KEY: old } })).toMatchObject({
			exitCode: 4,
		});
		expect(await cli('boards list', { env: { SERVICE_API_KEY: stdout.trim() } })).toMatchObject({
			exitCode: 0,
		});
	});

	it('keeps scope and expiry, and says when the new key expires', async () => {
		const old = (await cli('keys create --scope boards --expires-in 1h')).stdout.trim();
		const { exitCode, stdout, stderr } = await cli(['keys', 'rotate', await idOf(old)]);
		const id = await idOf(stdout);
		const listed = (await cli('keys list')).stdout.split('\n').find((line) => line.startsWith(id));
		const expiresAt = /boards +(\S+)/.exec(listed ?? '')?.[1];
		expect({ exitCode, stderr }).toEqual({
			exitCode: 0,
			stderr: `The key ${id} expires at ${expiresAt}.\n`,
		});
	});

	it.each(['rotate', 'revoke --yes'])(
		'of an unknown key has exit code 3: keys %s',
		async (command) => {
			const { exitCode, stderr } = await cli(`keys ${command} key_0123456789abcdef01234567 --json`);
			expect(exitCode).toBe(3);
			expect(JSON.parse(stderr).error).toMatchObject({ code: 'key_not_found' });
		},
	);

	it('names the option of a duration that is too short', async () => {
		const { exitCode, stderr } = await cli('keys create --expires-in 0s');
		expect(exitCode).toBe(2);
		expect(stderr).toMatch(/^error: .*--expires-in must be/);
		expect(stderr).not.toMatch(/expires_?at/i);
	});

	it('says until when the key can last that an expiring key creates', async () => {
		const env = { SERVICE_API_KEY: (await cli('keys create --expires-in 1h')).stdout.trim() };
		const id = await idOf(env.SERVICE_API_KEY);
		const { exitCode, stderr } = await cli(['keys', 'rotate', id, '--expires-in', '2h'], { env });
		expect(exitCode).toBe(2);
		expect(stderr).toMatch(/must be at most \d{4}-\S+Z, because the key that creates this one/);
		expect(await cli('boards list', { env })).toMatchObject({ exitCode: 0 });
	});
});

describe('keys id', () => {
	it('computes the ID of a key offline', async () => {
		const fetch = () => Promise.reject(new Error('It must not be called'));
		const { exitCode, stdout } = await runCli(['keys', 'id'], {
			stdin: `${demo().apiKey}\n`,
			fetch,
		});
		expect(exitCode).toBe(0);
		expect((await cli('keys list')).stdout).toContain(stdout.trim());
	});

	it('rejects other text without printing it', async () => {
		const { exitCode, stderr } = await runCli(['keys', 'id'], { stdin: 'a secret of mine' });
		expect(exitCode).toBe(4);
		expect(stderr).toContain('standard input');
		expect(stderr).not.toContain('secret');
	});

	it('mentions only standard input when it is empty', async () => {
		const { exitCode, stderr } = await runCli(['keys', 'id']);
		expect(exitCode).toBe(4);
		expect(stderr).toContain('standard input is empty');
		expect(stderr).not.toContain('--api-key-file');
	});
});

describe('where the key comes from', () => {
	it('reads standard input, which takes precedence over the environment', async () => {
		const stdin = `${demo().apiKey}\n`;
		const env = { SERVICE_API_KEY: 'nonsense' };
		const { exitCode } = await cli('boards list --api-key-file -', { stdin, env });
		expect(exitCode).toBe(0);
	});

	it('says what is missing', async () => {
		const { exitCode, stderr } = await runCli(['boards', 'list'], {
			env: { SERVICE_BASE_URL: 'http://localhost' },
		});
		expect(exitCode).toBe(4);
		expect(stderr).toContain('SERVICE_API_KEY');
		expect(await cli('boards list', { env: { SERVICE_BASE_URL: '' } })).toMatchObject({
			exitCode: 2,
			stderr: expect.stringContaining('--base-url'),
		});
	});
});
