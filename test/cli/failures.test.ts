import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runCli, useService } from '../support/cli.ts';

const { cli, demo } = useService();

const answering = (status: number, code = 'some_code', headers = {}) => {
	const error = { code, message: 'It did not work.', request_id: 'req_1' };
	return { fetch: async () => Response.json({ error }, { status, headers }) };
};

// So that a retry follows at once.
beforeEach(() => {
	vi.spyOn(Math, 'random').mockReturnValue(0);
});

const failing = (code: string) => ({
	fetch: async () => {
		throw Object.assign(new TypeError('fetch failed'), { code });
	},
});

describe('exit codes', () => {
	it.each([
		[400, 2],
		[401, 4],
		[402, 5],
		[403, 6],
		[404, 3],
		[409, 1],
		[422, 2],
	])('status %i gives exit code %i', async (status, exitCode) => {
		expect(await cli('boards list', answering(status))).toMatchObject({ exitCode, stdout: '' });
	});

	it('too many requests give exit code 7', async () => {
		const world = answering(429, 'rate_limited', { 'retry-after': '3600' });
		expect(await cli('boards list', world)).toMatchObject({ exitCode: 7 });
	});

	it('a service that cannot be reached gives exit code 8', async () => {
		expect(await cli('boards list', failing('ECONNREFUSED'))).toMatchObject({ exitCode: 8 });
	});

	it('an interruption gives exit code 130', async () => {
		const interruption = new AbortController();
		const fetch = () => {
			interruption.abort();
			return new Promise<Response>(() => {});
		};
		const { exitCode, stderr } = await cli('boards list', { fetch, signal: interruption.signal });
		expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'error: Interrupted\n' });
	});

	it('an interruption ends a question', async () => {
		const signal = AbortSignal.abort();
		expect(await cli('boards list --api-key-file -', { signal })).toMatchObject({ exitCode: 130 });
	});
});

describe('error messages', () => {
	it('say what happened, what to do, and the request id', async () => {
		const { stderr } = await cli('keys create', answering(402, 'paid_tier_required'));
		expect(stderr).toBe(
			'error: It did not work.\n  Top up credits in the web UI; keys that exist go on working.\n  request id: req_1\n',
		);
	});

	it('are JSON on standard error with --json', async () => {
		const { stdout, stderr } = await cli('keys create --json', answering(402));
		expect(stdout).toBe('');
		expect(JSON.parse(stderr)).toEqual({
			error: {
				code: 'some_code',
				message: 'It did not work.',
				status: 402,
				requestId: 'req_1',
				outcome: 'rejected',
			},
		});
	});

	it('are JSON for a wrong command line too', async () => {
		const { exitCode, stderr } = await runCli(['boards', 'list', '--json', '--nonsense']);
		expect(exitCode).toBe(2);
		expect(JSON.parse(stderr).error.code).toBe('usage');
	});

	it.each([
		['boards list', '--type'],
		['boards list', '--base-url'],
		['boards list', '--api-key-file'],
		['keys create', '--save-env'],
		['admin base-images import list.json', '--files-url'],
		['doctor', '--api-key-file'],
	])('name an option without a value: %s %s', async (command, option) => {
		const { exitCode, stderr } = await cli([...command.split(' '), option, '']);
		expect(exitCode).toBe(2);
		expect(stderr).toContain(`error: ${option} is empty\n`);
	});

	it('name a wrong address by where it came from', async () => {
		const env = { SERVICE_BASE_URL: 'nonsense' };
		expect((await cli('boards list', { env })).stderr).toContain('from SERVICE_BASE_URL is not');
		const given = await cli('boards list --base-url https://boards.example.com/v1');
		expect(given.stderr).toContain('from --base-url ends in');
		const missing = await cli('boards list', { env: { SERVICE_BASE_URL: '' } });
		expect(missing.stderr).toContain('from SERVICE_BASE_URL is missing');
		expect(missing.stderr).toContain('pass --base-url.');
	});

	it.each([
		'CERT_HAS_EXPIRED',
		'ECONNREFUSED',
		'ENOTFOUND',
		'EHOSTUNREACH',
		'UND_ERR_CONNECT_TIMEOUT',
	])('lead to the doctor when there is no connection: %s', async (code) => {
		const { stderr } = await cli('boards list', failing(code));
		expect(stderr).toContain('"board-access doctor" looks for the reason.');
	});

	it('lead from a path that is not there to the address and the doctor', async () => {
		const env = { SERVICE_BASE_URL: 'http://localhost/boards' };
		const { exitCode, stderr } = await cli('boards list', { env });
		expect(exitCode).toBe(3);
		expect(stderr).toContain('The path of the address in SERVICE_BASE_URL or --base-url may be');
		expect(stderr).toContain('"board-access doctor" looks for the reason.');
	});

	it('ask for another port where fetch refuses one', async () => {
		const env = { SERVICE_BASE_URL: 'http://127.0.0.1:6667' };
		const { exitCode, stderr } = await cli('boards list', { env, fetch });
		expect(exitCode).toBe(8);
		expect(stderr).toMatch(/fetch refuses .* another port/s);
	});

	it('tell a single fault once', async () => {
		const { stderr } = await cli('boards list --status nonsense');
		expect(stderr.match(/status/g)).toHaveLength(1);
	});

	it('say when it is not known what became of a creation', async () => {
		const { stderr } = await cli('keys create', answering(500));
		expect(stderr).toContain('It is not known whether');
	});

	it('suggest what was meant', async () => {
		expect((await runCli(['keys', 'creat'])).stderr).toContain('Did you mean create?');
		expect((await runCli(['keys', 'create', '--lable', 'x'])).stderr).toContain(
			'Did you mean --label?',
		);
	});

	it('have a stack only with --debug, and no secret even then', async () => {
		const key = demo().apiKey;
		const fetch = () => Promise.reject(new TypeError(`cannot send ${key}`));
		const plain = await cli('boards list', { fetch });
		const debug = await cli('boards list --debug', { fetch });
		expect(plain.stderr).not.toMatch(/\n\s+at /);
		expect(debug.stderr).toMatch(/\n\s+at /);
		expect(debug.stderr).toContain('GET /v1/boards');
		expect(plain.stderr + debug.stderr).not.toContain(key);
	});

	it('lets no message of a service play tricks on the terminal', async () => {
		const control = String.fromCharCode(27);
		const error = { code: 'x', message: `${control}[2Jx`, hint: `${control}[1A` };
		const fetch = async () => Response.json({ error }, { status: 400 });
		expect((await cli('boards list', { fetch })).stderr).not.toContain(control);
	});
});

describe('api', () => {
	it('prints the answer as it came', async () => {
		const { stdout } = await cli(['api', 'get', '/v1/boards?limit=1&board_type=esp32-s3']);
		expect(JSON.parse(stdout)).toMatchObject({
			data: [{ board_type: 'esp32-s3' }],
			next_cursor: expect.any(String),
		});
	});

	it('sends JSON from the command line or from standard input', async () => {
		const json = '{"label":"from api"}';
		for (const body of [json, '-']) {
			const argv = ['api', 'POST', '/v1/auth/keys', '--json', body];
			const { stdout } = await cli(argv, { stdin: json });
			expect(JSON.parse(stdout)).toMatchObject({ label: 'from api' });
		}
	});

	it('refuses what is not JSON, another method and another host', async () => {
		for (const argv of [
			['api', 'POST', '/v1/auth/keys', '--json', '{label: secret}'],
			['api', 'BREW', '/v1/boards'],
			['api', 'GET', '//elsewhere.example.com/'],
		]) {
			const { exitCode, stdout, stderr } = await cli(argv);
			expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
			expect(stderr).not.toContain('secret');
		}
	});
});
