import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useService, type World } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const { cli, demo } = useService();

/** A home directory, and the command run in it with nothing but saved logins. */
const createHome = async () => {
	const home = await temporaryDirectory();
	const nothing = { SERVICE_API_KEY: undefined, SERVICE_BASE_URL: undefined, HOME: home };
	const run = (line: string, { env, ...world }: World = {}) =>
		cli(line, { ...world, env: { ...nothing, ...env } });
	const file = join(home, '.config/board-access/logins.json');
	const login = (options = '') =>
		run(`login --base-url http://localhost ${options}`.trim(), { stdin: `${demo().apiKey}\n` });
	return { run, file, login };
};

describe('login', () => {
	it('saves a key that later commands use, in a file that only its owner can read', async () => {
		const { run, file, login } = await createHome();
		expect((await run('boards list')).exitCode).toBe(2);
		const { exitCode, stdout, stderr } = await login();
		expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
		expect(stderr).toContain(`Logged in to http://localhost with the key key_`);
		expect(stderr).not.toContain(demo().apiKey);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect((await run('boards list')).exitCode).toBe(0);
	});

	it('opens the API keys page on a terminal, and asks for the key', async () => {
		const { run } = await createHome();
		const opened: string[] = [];
		const { exitCode, stderr } = await run('login --base-url http://localhost', {
			terminal: 80,
			stdin: `${demo().apiKey}\n`,
			openPage: (url) => opened.push(url),
		});
		expect({ exitCode, opened }).toEqual({ exitCode: 0, opened: ['http://localhost/keys/new'] });
		expect(stderr).toContain('Paste the key');
	});

	it('saves nothing when the service does not accept the key', async () => {
		const { run, file } = await createHome();
		const stdin = `key_${'0'.repeat(48)}`;
		expect((await run('login --base-url http://localhost', { stdin })).exitCode).toBe(4);
		await expect(stat(file)).rejects.toThrow('ENOENT');
	});

	it('asks for the address on a terminal', async () => {
		const { run } = await createHome();
		const { stderr } = await run('login', { terminal: 80, stdin: 'localhost:1\n' });
		expect(stderr).toContain('Address of the service: ');
		expect(stderr).toContain('Did you mean http://localhost:1?');
	});

	it('rejects an invalid name', async () => {
		const { login } = await createHome();
		expect(await login('--service __proto__')).toMatchObject({ exitCode: 2 });
	});
});

describe('several services', () => {
	it('are chosen by name', async () => {
		const { run, login } = await createHome();
		await login('--service lab');
		expect((await run('boards list')).exitCode).toBe(0);
		await login('--service other');
		expect((await run('boards list')).exitCode).toBe(2);
		expect((await run('boards list --service lab')).exitCode).toBe(0);
		const { exitCode, stderr } = await run('boards list --service constructor');
		expect(exitCode).toBe(2);
		expect(stderr).toContain('Saved logins: lab, other.');
	});

	it('never get the key of another one', async () => {
		const { run, login } = await createHome();
		await login();
		const sent: string[] = [];
		const fetch: typeof globalThis.fetch = async (input, init) => {
			sent.push(new Request(input, init).url);
			return Response.json({ data: [] });
		};
		const { exitCode } = await run('boards list --base-url http://localhost:81', { fetch });
		expect({ exitCode, sent }).toEqual({ exitCode: 4, sent: [] });
		const env = { SERVICE_BASE_URL: 'http://localhost:81' };
		expect((await run('boards list --service default', { env, fetch })).exitCode).toBe(4);
		expect(sent).toEqual([]);
	});

	it('yield to the environment, with a message when --service is given', async () => {
		const { run, login } = await createHome();
		await login('--service lab');
		const env = { SERVICE_API_KEY: `key_${'0'.repeat(48)}` };
		const { exitCode, stderr } = await run('boards list --service lab', { env });
		expect(exitCode).toBe(4);
		expect(stderr).toContain('SERVICE_API_KEY is set and takes precedence over the login "lab".');
	});
});

describe('logout', () => {
	it('removes the login and leaves the key valid', async () => {
		const { run, file, login } = await createHome();
		await login();
		const { exitCode, stderr } = await run('logout');
		expect(exitCode).toBe(0);
		expect(stderr).toContain('remains valid');
		expect(await readFile(file, 'utf8')).not.toContain('key_');
		expect((await cli('boards list')).exitCode).toBe(0);
		expect((await run('logout')).exitCode).toBe(2);
	});

	it('revokes the key with --revoke', async () => {
		const { run } = await createHome();
		const key = (await cli('keys create')).stdout.trim();
		await run('login --base-url http://localhost', { stdin: key });
		expect((await run('logout --revoke')).stderr).toContain('is revoked');
		expect((await cli('boards list', { env: { SERVICE_API_KEY: key } })).exitCode).toBe(4);
	});
});

describe('whoami', () => {
	it('shows the service and the key, and where they come from', async () => {
		const { run, login } = await createHome();
		await login();
		const { stdout } = await run('whoami');
		expect(stdout).toMatch(
			/^Service +http:\/\/localhost \(from the saved login\)\nKey +key_[0-9a-f]{24} /,
		);
		const env = { SERVICE_API_KEY: demo().apiKey };
		const { keySource, services } = JSON.parse((await run('whoami --json', { env })).stdout);
		expect({ keySource, services }).toEqual({
			keySource: 'SERVICE_API_KEY',
			services: ['default'],
		});
	});

	it('shows the role, the tier, the credits and what the key may do until when', async () => {
		const created = await cli('keys create --json --scope boards --label ci --expires-in 90d');
		const { key, id, expiresAt } = JSON.parse(created.stdout);
		const env = { SERVICE_API_KEY: key };
		expect(JSON.parse((await cli('whoami --json', { env })).stdout)).toMatchObject({
			...{ keyId: id, label: 'ci', scope: 'boards', expiresAt },
			account: { id: expect.stringMatching(/^acc_/), role: 'admin', tier: 'paid', balance: 1000 },
		});
		const { stdout } = await cli('whoami', { env });
		expect(stdout).toMatch(
			/\nScope +boards\nExpires +20.*\nRole +admin\nTier +paid\nCredits +1000\n/,
		);
	});

	it('checks the key with a service that does not say whose it is', async () => {
		const fetch: typeof globalThis.fetch = async (input, init) => {
			const { pathname } = new URL(new Request(input, init).url);
			if (pathname === '/v1/boards') return Response.json({ data: [] });
			return Response.json({ error: { code: 'not_found', message: 'No.' } }, { status: 404 });
		};
		expect((await cli('whoami', { fetch })).stdout).toMatch(/^Service.*\nKey .*\n$/);
		const missing = await cli('whoami', { env: { SERVICE_BASE_URL: 'http://localhost/wrong' } });
		expect(missing.exitCode).toBe(3);
	});
});

it('says which file of logins is invalid, without quoting it', async () => {
	const { run, file } = await createHome();
	await mkdir(join(file, '..'), { recursive: true });
	await writeFile(file, '{"services": {"default": "key_secret"');
	const { exitCode, stderr } = await run('boards list');
	expect(exitCode).toBe(2);
	expect(stderr).toContain(`${file} is not valid`);
	expect(stderr).not.toContain('key_secret');
});
