import { beforeEach, describe, expect, it } from 'vitest';
import { runCli, useService } from '../support/cli.ts';
import { skipWaits } from '../support/client.ts';

const { cli, demo } = useService();

const responding = (status: number, code = 'some_code', headers = {}) => {
	const error = { code, message: 'It did not work.', request_id: 'req_1' };
	return { fetch: async () => Response.json({ error }, { status, headers }) };
};

// So that a retry follows at once.
beforeEach(() => {
	skipWaits();
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
		expect(await cli('boards list', responding(status))).toMatchObject({ exitCode, stdout: '' });
	});

	it('a limit of leases gives exit code 14, but a limit of one lease does not', async () => {
		const world = responding(409, 'lease_limit');
		expect(await cli('leases create --board brd_1', world)).toMatchObject({ exitCode: 14 });
		expect(await cli('api POST /v1/leases/lse_1/actions', world)).toMatchObject({ exitCode: 1 });
	});

	it('too many requests give exit code 7', async () => {
		const world = responding(429, 'rate_limited', { 'retry-after': '3600' });
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

	it('an interruption ends reading standard input', async () => {
		const signal = AbortSignal.abort();
		expect(await cli('boards list --api-key-file -', { signal })).toMatchObject({ exitCode: 130 });
	});
});

describe('error messages', () => {
	it('say what happened, what to do, and the request ID', async () => {
		const { stderr } = await cli('keys create', responding(402, 'paid_tier_required'));
		expect(stderr).toBe(
			'error: It did not work.\n  Top up credits in the web UI. Existing keys keep working.\n  request ID: req_1\n',
		);
	});

	it('are JSON on standard error with --json', async () => {
		const { stdout, stderr } = await cli('keys create --json', responding(402));
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

	it('are JSON for an invalid command line too', async () => {
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

	it('name the source of an invalid address', async () => {
		const env = { SERVICE_BASE_URL: 'ftp://x.test' };
		expect((await cli('boards list', { env })).stderr).toContain('from SERVICE_BASE_URL is not');
		const given = await cli('boards list --base-url https://boards.example.com/v1');
		expect(given.stderr).toContain('from --base-url ends in');
		const missing = await cli('boards list', { env: { SERVICE_BASE_URL: '' } });
		expect(missing.stderr).toContain('from SERVICE_BASE_URL is missing');
		expect(missing.stderr).toContain('pass --base-url, or run');
	});

	it.each([
		'CERT_HAS_EXPIRED',
		'ECONNREFUSED',
		'ENOTFOUND',
		'EHOSTUNREACH',
		'UND_ERR_CONNECT_TIMEOUT',
	])('advise to run the doctor when there is no connection: %s', async (code) => {
		const { stderr } = await cli('boards list', failing(code));
		expect(stderr).toContain('Run "board-access doctor" to find the cause.');
	});

	it('advise to check the address when the path does not exist', async () => {
		const env = { SERVICE_BASE_URL: 'http://localhost/boards' };
		const { exitCode, stderr } = await cli('boards list', { env });
		expect(exitCode).toBe(3);
		expect(stderr).toContain('Check the path of the address in SERVICE_BASE_URL or --base-url');
		expect(stderr).toContain('Run "board-access doctor" to find the cause.');
	});

	it('advise to use another port when fetch blocks one', async () => {
		const env = { SERVICE_BASE_URL: 'http://127.0.0.1:6667' };
		const { exitCode, stderr } = await cli('boards list', { env, fetch });
		expect(exitCode).toBe(8);
		expect(stderr).toMatch(/fetch refuses .* another port/s);
	});

	it('name the option to wait for a board, and when waiting does not help', async () => {
		const error = { code: 'no_board_available', message: 'None.', hint: 'Set wait_seconds.' };
		const fetch = async () => Response.json({ error }, { status: 409 });
		const { stderr } = await cli('leases create --board brd_1', { fetch });
		expect(stderr).toMatch(/--wait 10m\. One that is offline or in maintenance needs the operator/);
	});

	it('report a single issue once', async () => {
		const { stderr } = await cli('boards list --status nonsense');
		expect(stderr.match(/status/g)).toHaveLength(1);
	});

	it('say when a request may have been carried out', async () => {
		const { stderr } = await cli('keys create', responding(500));
		expect(stderr).toContain('may have carried out the request');
	});

	it('name an option at the end without a value', async () => {
		expect((await runCli(['keys', 'create', '--label'])).stderr).toContain(
			'error: --label needs a value\n',
		);
	});

	it('suggest a similar name', async () => {
		expect((await runCli(['keys', 'creat'])).stderr).toContain('Did you mean create?');
		expect((await runCli(['keys', 'create', '--lable', 'x'])).stderr).toContain(
			'Did you mean --label?',
		);
	});

	it('suggest the commands of that name wherever they are', async () => {
		const suggested = async (...argv: string[]) => (await runCli(argv)).stderr.split('\n  ')[1];
		const enable = 'Did you mean "board-access admin base-images enable"?\n';
		expect(await suggested('admin', 'enable')).toBe(enable);
		expect(await suggested('help', 'enable')).toBe(enable);
		expect(await suggested('base-images', 'enable')).toBe(
			'Did you mean "board-access admin base-images"?\n',
		);
		expect(await suggested('create')).toContain('"board-access leases create" or "board-access');
	});

	it('name the option whose value the service rejects, and in JSON the field of its API', async () => {
		const create = 'leases create --type arduino-uno';
		for (const minutes of ['--minutes 9999', '--minutes=9999']) {
			const { stderr } = await cli(`${create} ${minutes}`);
			expect(stderr).toMatch(
				/^error: --minutes must be at most 1440 minutes\.\n {2}request ID: \S+\n$/,
			);
		}
		const { stderr } = await cli(`${create} --minutes 9999 --json`);
		expect(JSON.parse(stderr).error.message).toBe('durationMs must be at most 1440 minutes.');
	});

	it('contain a stack only with --debug, and never a secret', async () => {
		const key = demo().apiKey;
		const fetch = () => Promise.reject(new TypeError(`cannot send ${key}`));
		const plain = await cli('boards list', { fetch });
		const debug = await cli('boards list --debug', { fetch });
		expect(plain.stderr).not.toMatch(/\n\s+at /);
		expect(debug.stderr).toMatch(/\n\s+at /);
		expect(debug.stderr).toContain('GET /v1/boards');
		expect(plain.stderr + debug.stderr).not.toContain(key);
	});

	it('have spaces for control and direction characters, also with --json', async () => {
		const message = 'x\u202Ey\u2066z\u0085';
		const fetch = async () => Response.json({ error: { code: 'x', message } }, { status: 400 });
		for (const argv of ['boards list', 'boards list --json']) {
			expect((await cli(argv, { fetch })).stderr).toContain('x y z');
		}
	});

	it('suggest the scheme of an address without one', async () => {
		const hint = async (SERVICE_BASE_URL: string) =>
			(await cli('boards list', { env: { SERVICE_BASE_URL } })).stderr;
		expect(await hint('localhost:8787')).toContain('Did you mean http://localhost:8787?');
		expect(await hint('boards.example.com')).toContain('Did you mean https://boards.example.com?');
	});

	it('report a missing address and a missing key together', async () => {
		const { exitCode, stderr } = await runCli(['boards', 'list']);
		expect(exitCode).toBe(2);
		expect(stderr).toMatch(/address: .*SERVICE_BASE_URL.*\n +API key: .*SERVICE_API_KEY/);
	});

	it('contain no control characters from the service', async () => {
		const control = String.fromCharCode(27);
		const error = { code: 'x', message: `${control}[2Jx`, hint: `${control}[1A` };
		const fetch = async () => Response.json({ error }, { status: 400 });
		expect((await cli('boards list', { fetch })).stderr).not.toContain(control);
	});
});

describe('api', () => {
	it('follows the cursor with --paginate', async () => {
		const { stdout } = await cli(['api', 'GET', '/v1/boards?limit=2', '--paginate']);
		const all = JSON.parse((await cli('boards list --json')).stdout);
		expect(JSON.parse(stdout)).toMatchObject({ next_cursor: null });
		expect(JSON.parse(stdout).data).toHaveLength(all.length);
	});

	it('stops when a cursor repeats', async () => {
		const fetch = async () => Response.json({ data: [], next_cursor: 'again' });
		const { exitCode, stderr } = await cli('api GET /v1/boards --paginate', { fetch });
		expect({ exitCode, stderr }).toMatchObject({
			exitCode: 2,
			stderr: expect.stringContaining('the same cursor twice'),
		});
	});

	it('prints status and headers with --include, of an error too', async () => {
		const found = await cli('api GET /v1/boards --include');
		expect(found.stdout).toMatch(/^HTTP 200\n(\S+: .*\n)*x-request-id: .*\n/);
		const missing = await cli('api GET /v1/nothing --include');
		expect(missing).toMatchObject({ exitCode: 3, stdout: expect.stringMatching(/^HTTP 404\n/) });
	});

	it('suggests /v1 for a path without it', async () => {
		const { exitCode, stderr } = await cli('api GET boards');
		expect(exitCode).toBe(3);
		expect(stderr).toContain('Did you mean /v1/boards?');
	});

	it('names an unknown method, and a method that was forgotten', async () => {
		expect((await cli('api BREW /v1/boards')).stderr).toContain('Unknown method "BREW"');
		expect((await cli('api /v1/boards x')).stderr).toContain('board-access api GET /v1/boards');
	});

	it('prints the body of the response unchanged', async () => {
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

	it('rejects invalid JSON, an unknown method and another host', async () => {
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
