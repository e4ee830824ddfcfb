// The promise: a service, whoever operates it, can do nothing to the machine of those who use the command line.
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what is looked for.
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { describe, expect, it, vi } from 'vitest';
import { runCli, useService, type World } from '../support/cli.ts';
import { apiKey } from '../support/client.ts';
import { createLeaseService } from '../support/lease-service.ts';
import { attacks, obeys } from '../support/runners.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const { cli, demo, fetch } = useService();

const hostile = attacks.join('\n');
const id = 'brd_esp32-s3-01';

/** Every text of a response, and the names of what it does not know, begin and end with the attacks. */
const poisoned = (value: unknown, isKept = (_name: string) => false): unknown => {
	if (typeof value === 'string') return `${hostile}\n${value}${hostile}`;
	if (Array.isArray(value)) return value.map((each) => poisoned(each, isKept));
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value).map(([name, each]) => [
		name,
		isKept(name) ? each : poisoned(each, isKept),
	]);
	return Object.fromEntries([...fields, [hostile, hostile]]);
};

const inHeader = '##vso[task.complete]##[error]##teamcity[x]\x9b31m\x9d52;c;x\x9c';

const respond = (body: unknown, status: number) =>
	Response.json(body, { status, headers: { 'x-request-id': inHeader, [`x-${'a'}`]: inHeader } });

/** The service of the tests, with poisoned responses. */
const poisonedService =
	(isKept?: (name: string) => boolean): typeof globalThis.fetch =>
	async (input, init) => {
		const response = await fetch()(new Request(input, init));
		const body = await response.text();
		return respond(body === '' ? null : poisoned(JSON.parse(body), isKept), response.status);
	};

const rejecting = (status: number) => async () =>
	respond(
		{
			error: {
				...{ code: hostile, message: hostile, hint: hostile, param: hostile, request_id: hostile },
				errors: [{ path: hostile, message: hostile }],
			},
		},
		status,
	);

const commands = [
	'boards list',
	'boards list --matrix',
	'boards list --type none',
	`boards get ${id}`,
	`leases create --board ${id}`,
	'leases list',
	'keys list',
	'keys create',
	'keys revoke key_0123456789abcdef01234567 --yes',
	'keys rotate key_0123456789abcdef01234567',
	'whoami',
	'login',
	'agents create --name a',
	'agents list',
	'agents edit agt_1 --name b',
	'agents revoke agt_1 --yes',
	'admin base-images list',
	'admin base-images create --action erase --board-type esp32-s3 --name e',
	'admin base-images delete img_1 --yes',
	'admin base-images import test/cli/samples/manifest.json --chip esp32-s3 --files-url https://x.example --apply',
	'doctor',
	'api GET /v1/boards --include',
	'api GET /v1/boards --paginate',
	'leases release lse_1 lse_2',
	'leases renew lse_1',
	'flash lse_1 package.json --raw',
	'console lse_1',
];

/** What the command writes itself to replace its status line, and to reset a terminal. */
const own = /\r?\x1b\[2K|\x1b\[\?[\dhl]+|\x1b[>78]|\x1b\[r|\x1b\(B|\x1b\[0m\r\n/g;

describe('text from a service', () => {
	const check = async (line: string, world: World) => {
		const env = { HOME: await temporaryDirectory(), NO_COLOR: '1' };
		for (const json of ['', ' --json']) {
			for (const terminal of [undefined, 100]) {
				const given = {
					env,
					stdin: demo().apiKey,
					...(terminal && { terminal }),
					...world,
				};
				const { stdout, stderr } = await cli(`${line}${json}`, given);
				expect(obeys(stdout.replace(own, '')), stdout).toEqual([]);
				expect(obeys(stderr.replace(own, '')), stderr).toEqual([]);
			}
		}
	};

	it.each(commands)('is not obeyed when it is printed: %s', async (line) => {
		await check(line, { fetch: poisonedService() });
		// With records that the command accepts.
		await check(line, {
			fetch: poisonedService((name) => /(^|_)(id|ids|at|key|token|status)$/.test(name)),
		});
	});

	it.each(commands)('is not obeyed when it is an error: %s', async (line) => {
		for (const status of [400, 404, 409]) await check(line, { fetch: rejecting(status) });
	});

	it('is not obeyed with --debug or in the log of the client', async () => {
		const logged: unknown[] = [];
		vi.spyOn(console, 'debug').mockImplementation((...words) => void logged.push(...words));
		vi.spyOn(console, 'error').mockImplementation((...words) => void logged.push(...words));
		vi.stubEnv('BOARD_ACCESS_LOG', 'debug');
		for (const line of ['boards list --debug', 'boards list']) {
			await check(line, { fetch: rejecting(400) });
			await check(line, { fetch: poisonedService() });
		}
		vi.unstubAllEnvs();
		vi.restoreAllMocks();
		expect(logged.length).toBeGreaterThan(2);
		for (const text of logged.map((each) => JSON.stringify(each).replaceAll('\\', ''))) {
			expect(obeys(text)).toEqual([]);
		}
	});

	const firmware = sampleFirmwarePath('arduino-uno');
	const board = () => {
		const service = createLeaseService();
		service.setOnAction((action) => {
			service.finish(action, 'done', hostile);
			for (const piece of hostile.match(/[\s\S]{1,7}/g) ?? []) service.print(piece);
			service.print('\nend\n');
		});
		return service;
	};
	const env = { SERVICE_BASE_URL: 'http://localhost', SERVICE_API_KEY: apiKey };

	it.each([
		{ terminal: undefined, json: [] },
		{ terminal: 100, json: [] },
		{ terminal: undefined, json: ['--json'] },
	])('is not obeyed when firmware prints it: %j', async ({ terminal, json }) => {
		const argv = [
			'run',
			firmware,
			'--type',
			'arduino-uno',
			'--expect',
			'end',
			'--no-color',
			...json,
		];
		for (const expected of ['end', 'never']) {
			const { stdout, stderr } = await runCli([...argv, '--expect', expected, '--timeout', '1s'], {
				...{ env, fetch: board().fetch },
				...(terminal && { terminal }),
			});
			expect(stdout).toContain('Deploy');
			expect(obeys(stdout), stdout).toEqual([]);
			expect(obeys(stderr.replace(own, '')), stderr).toEqual([]);
		}
	});

	it('is printed byte by byte with --raw-output, and kept so by --log', async () => {
		const log = join(await temporaryDirectory(), 'log');
		const service = createLeaseService();
		const bytes = Uint8Array.of(0xff, 0x1b, 0x5b, 0x6d, 0xc3);
		service.setOnAction((action) => {
			service.finish(action, 'done');
			service.print(bytes);
			service.print('\r##vso[x]end');
		});
		const argv = ['run', firmware, '--type', 'arduino-uno', '--expect', 'end', '--log', log];
		const ended = await runCli([...argv, '--raw-output'], { env, fetch: service.fetch });
		expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('\x1b[m') });
		expect(ended.stdout).toContain('\r##vso[x]end');
		const end = Buffer.from('\r##vso[x]end');
		expect(await readFile(log)).toEqual(Buffer.concat([bytes, end]));
	});

	it('is not obeyed on a console in a pipe, and may only draw on a terminal', async () => {
		const show = async (terminal?: number, ...options: string[]) => {
			const service = createLeaseService();
			await service.createClient().leases.create({ boardType: 'arduino-uno' });
			service.print(`\x1b[31mred ${hostile}`);
			const running = runCli(['console', 'lse_1', ...options], {
				...{ env, fetch: service.fetch },
				...(terminal && { terminal }),
			});
			await vi.waitFor(() => expect(service.openStreams()).toBe(1));
			service.end('released');
			return (await running).stdout;
		};
		expect(obeys(await show())).toEqual([]);
		const drawn = await show(80);
		expect(drawn).toContain('\x1b[31mred ');
		expect(drawn).not.toMatch(/\x1b[\]P_c]|[\x80-\x9f]/);
		expect(await show(undefined, '--raw-output')).toContain('\x1b]52;c;ZWNobyBoaQ==\x07');
	});
});

const lines = 'x\n$(touch harmed)`touch harmed`;touch harmed';

describe('a response', () => {
	const answering = (body: object) => async () => Response.json(body, { status: 201 });
	const times = { created_at: '2026-01-01T00:00:00Z', last_seen_at: null, revoked_at: null };

	it.each([
		['keys create', { ...times, id: 'key_1', key: lines, hint: '', scope: 'full' }],
		[
			'agents create --name a',
			{ ...times, id: 'agt_1', token: lines, hint: '', name: 'a', online: true, board_ids: [] },
		],
	])('cannot put code into what a script or a user passes to a shell: %s', async (line, body) => {
		const { exitCode, stdout } = await cli(line, { fetch: answering(body) });
		expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
	});

	it('cannot put code into the ID of a lease', async () => {
		const service = createLeaseService();
		const named: typeof globalThis.fetch = async (input, init) => {
			const request = new Request(input, init);
			const { pathname, search } = new URL(request.url);
			const response = await service.fetch(
				new Request(`http://localhost${pathname.replace(/lse_1[^/]*/, 'lse_1')}${search}`, request),
			);
			const text = await response.text();
			return new Response(text.replaceAll('lse_1', 'lse_1;touch$IFS`harmed`'), response);
		};
		const { exitCode, stdout, stderr } = await cli('leases create --type a', { fetch: named });
		expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
		expect(stderr).toContain('characters that are not allowed in a shell');
	});

	it('cannot send the key, or any request, to another address', async () => {
		const addresses: string[] = [];
		const elsewhere = 'https://elsewhere.example/v1/boards';
		const redirecting =
			(status: number): typeof globalThis.fetch =>
			async (input, init) => {
				const request = new Request(input, init);
				addresses.push(request.url);
				expect(request.redirect).toBe('manual');
				return new Response('', { status, headers: { location: elsewhere } });
			};
		for (const status of [301, 302, 303, 307, 308]) {
			const { exitCode, stderr } = await cli('boards list', { fetch: redirecting(status) });
			expect(exitCode).toBe(1);
			expect(stderr).toContain('the API key is not sent there');
		}
		const cursor = `${elsewhere}?a=b#../../../`;
		const paging: typeof globalThis.fetch = async (input, init) => {
			addresses.push(new Request(input, init).url);
			const isFirst = !addresses.at(-1)?.includes('cursor');
			const headers = { link: `<${elsewhere}>; rel="next"`, refresh: `0;url=${elsewhere}` };
			return Response.json({ data: [], next_cursor: isFirst ? cursor : null }, { headers });
		};
		await cli('boards list', { fetch: paging });
		await cli('api GET /v1/boards --paginate', { fetch: paging });
		expect(addresses.filter((address) => !address.startsWith('http://localhost/v1/'))).toEqual([]);
		expect(addresses.length).toBeGreaterThan(8);
	});

	it('cannot open a page, and cannot choose what is written, where, or who may read it', async () => {
		const home = await temporaryDirectory();
		const folder = join(home, 'work');
		await mkdir(folder);
		const headers = { 'content-disposition': 'attachment; filename="../harmed"' };
		const openPage = vi.fn();
		const fetch = async () =>
			Response.json(
				{
					data: [{ id: '../../harmed', url: 'file:///harmed' }],
					next_cursor: null,
					file: 'harmed',
				},
				{ headers },
			);
		const before = await readdir('.');
		const world = {
			env: { HOME: home, SERVICE_API_KEY: '' },
			stdin: demo().apiKey,
			fetch,
			openPage,
			terminal: 80,
		};
		for (const line of [
			'login',
			'boards list',
			'keys list',
			'leases list',
			'whoami',
			'api GET /v1/boards',
		]) {
			await cli(line, world);
		}
		expect(openPage.mock.calls).toEqual([['http://localhost/keys/new']]);
		expect((await readdir(home, { recursive: true })).sort()).toEqual([
			...['.config', '.config/board-access', '.config/board-access/logins.json', 'work'],
		]);
		const modeOf = async (path: string) => (await stat(join(home, '.config', path))).mode & 0o777;
		expect(await modeOf('board-access')).toBe(0o700);
		expect(await modeOf('board-access/logins.json')).toBe(0o600);
		expect(await readdir('.')).toEqual(before);
	});
});
