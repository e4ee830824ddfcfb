import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runCli } from '../support/cli.ts';
import { apiKey } from '../support/client.ts';
import { createLeaseService, type LeaseService } from '../support/lease-service.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const run = ['run', sampleFirmwarePath('arduino-uno'), '--type', 'arduino-uno'];
const lost = 'The service cannot be reached; retrying\n';
const back = 'The service is back\n';

let service: LeaseService;
beforeEach(() => {
	service = createLeaseService();
});

const cli = (
	argv: readonly string[],
	fetch: typeof globalThis.fetch = service.fetch,
	stdin: readonly string[] = [],
) =>
	runCli(argv, {
		stdin,
		fetch,
		env: { SERVICE_BASE_URL: 'http://localhost', SERVICE_API_KEY: apiKey },
	});

/** The first requests of this kind are lost. */
const lose = (count: number, method: string, end: string) => {
	let left = count;
	service.faults.push((request) =>
		request.method === method && request.path.endsWith(end) && left-- > 0
			? service.lost()
			: undefined,
	);
};

const ended = 'The lease lse_1 has ended: released\n';

/** Waits for nothing: the timers go off one after the other. */
const inNoTime = async <Result>(work: () => Promise<Result>) => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
	try {
		let isOver = false;
		const working = work().finally(() => {
			isOver = true;
		});
		while (!isOver) {
			await vi.advanceTimersByTimeAsync(100);
			await new Promise((resolve) => setImmediate(resolve));
		}
		return await working;
	} finally {
		vi.useRealTimers();
	}
};

describe('a proxy that responds 502', () => {
	it('has exit code 8, and the outcome of a request that only reads is not unknown', {
		tags: 'long',
	}, async () => {
		const proxy = createServer((_, response) => {
			response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
		});
		await once(proxy.listen(0, '127.0.0.1'), 'listening');
		const { port } = proxy.address() as AddressInfo; // it listens on a port
		const env = { SERVICE_BASE_URL: `http://127.0.0.1:${port}`, SERVICE_API_KEY: apiKey };
		const { exitCode, stderr } = await runCli(['boards', 'list'], { env });
		proxy.closeAllConnections();
		proxy.close();
		expect({ exitCode, stderr }).toEqual({ exitCode: 8, stderr: expect.stringContaining('502') });
		expect(stderr).not.toContain('may have carried out');
		expect(stderr).toContain('board-access doctor');
	});

	it.each([502, 503, 504])('ends a run as an error, not as a failure: %i', async (status) => {
		const junit = join(await temporaryDirectory(), 'run.xml');
		const argv = [...run, '--expect', 'PASS', '--junit', junit];
		const { exitCode, stderr } = await inNoTime(() =>
			cli(argv, async () => new Response('', { status })),
		);
		expect(exitCode).toBe(8);
		expect(stderr.split(lost)).toHaveLength(2);
		const report = await readFile(junit, 'utf8');
		expect(report).toContain('tests="2" failures="0" errors="1" skipped="1"');
	});
});

describe('while the service cannot be reached', () => {
	it('run reports it, and that the service is back', async () => {
		lose(1, 'POST', '/leases');
		const { exitCode, stderr } = await cli(run);
		expect({ exitCode, stderr }).toEqual({
			exitCode: 0,
			stderr: expect.stringMatching(`^${lost}${back}`),
		});
	});

	it('run --json prints an event for both', async () => {
		lose(1, 'POST', '/leases');
		const { stdout } = await cli([...run, '--json']);
		const events = stdout.trimEnd().split('\n');
		expect(events.slice(0, 2).map((line) => JSON.parse(line))).toEqual([
			{ event: 'unreachable', message: lost.trimEnd() },
			{ event: 'reachable', message: back.trimEnd() },
		]);
	});

	it.each(['leases list', 'boards list', 'whoami'])(
		'%s says so, and that it is back',
		{ tags: 'long' },
		async (line) => {
			let requests = 0;
			const { exitCode, stderr } = await cli(line.split(' '), async () => {
				if (++requests === 1) throw service.lost();
				return Response.json({ id: 'acc_1', data: [], next_cursor: null });
			});
			expect({ exitCode, stderr }).toEqual({
				exitCode: 0,
				stderr: expect.stringMatching(`^${lost}${back}`),
			});
		},
	);

	it('a command without retries reports only why it failed', async () => {
		const { exitCode, stderr } = await cli(['leases', 'list'], async () => {
			throw new TypeError('fetch failed', {
				cause: Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' }),
			});
		});
		expect({ exitCode, stderr }).toEqual({
			exitCode: 8,
			stderr: expect.stringMatching(/^error: /),
		});
	});

	it('--json of a command prints the events on standard error', async () => {
		lose(1, 'GET', '/leases');
		const { stdout, stderr } = await cli(['leases', 'list', '--json']);
		expect(JSON.parse(stdout)).toEqual([]);
		expect(
			stderr
				.trimEnd()
				.split('\n')
				.map((line) => JSON.parse(line).event),
		).toEqual(['unreachable', 'reachable']);
	});

	it('console reports it, and that the service is back', { tags: 'long' }, async () => {
		await service.createClient().leases.create({ boardType: 'uno' }, { renew: false });
		const consoles = () => service.requests('GET /v1/leases/console').length;
		service.faults.push(({ path }) => {
			if (!path.endsWith('/console')) return undefined;
			if (consoles() === 1) setImmediate(() => service.cutStreams());
			if (consoles() === 4) setImmediate(() => service.end('released'));
			return consoles() === 2 || consoles() === 3 ? service.lost() : undefined;
		});
		const { exitCode, stderr } = await cli(['console', 'lse_1']);
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `${lost}${back}${ended}` });
	});

	it('console says that it waits for its place, and when it has one', async () => {
		await service.createClient().leases.create({ boardType: 'uno' }, { renew: false });
		let requests = 0;
		service.faults.push(({ path }) => {
			if (!path.endsWith('/console')) return undefined;
			if (++requests > 1) setImmediate(() => service.end('released'));
			return requests === 1 ? service.failure(429, 'rate_limited', 'Full.') : undefined;
		});
		expect(await cli(['console', 'lse_1'])).toMatchObject({
			exitCode: 0,
			stderr: `Waiting until the service lets this account read another console\nThe console is open\n${ended}`,
		});
	});
});

describe('leases on a terminal', () => {
	it.each(['leases list', 'leases get lse_1'])(
		'has the time that is left from the service, whose clock is not that of this machine: %s',
		async (line) => {
			await service.createClient().leases.create({ boardType: 'uno' }, { renew: false });
			const lease = {
				...(await service.seen().json()),
				status: 'preparing',
				expires_at: '2026-01-02T03:04:05.000Z',
				expires_in_ms: 125_000,
				preparation_expires_at: '2020-01-02T03:04:05.000Z',
			};
			const body = line.endsWith('list') ? { data: [lease], next_cursor: null } : lease;
			const { stdout } = await runCli(line.split(' '), {
				terminal: 200,
				fetch: async () => Response.json(body),
				env: { SERVICE_BASE_URL: 'http://localhost', SERVICE_API_KEY: apiKey },
			});
			expect(stdout).toMatch(/ready by[\s\S]*\dy ago[\s\S]*in 2m/i);
		},
	);
});

describe('console in a pipe', () => {
	beforeEach(async () => {
		await service.createClient().leases.create({ boardType: 'uno' }, { renew: false });
	});
	/** The input arrives in chunks, one of which is lost. */
	const pipe = async (pieces: readonly string[], fault: () => Response | Error) => {
		service.faults.push(({ method, path, body }) =>
			method === 'POST' && path.endsWith('/console') && Buffer.from(body).includes('two')
				? fault()
				: undefined,
		);
		const ended = await inNoTime(() => cli(['console', 'lse_1'], service.fetch, pieces));
		return { ...ended, typed: Buffer.concat(service.typed).toString() };
	};

	it('stops at input that is lost in an outage, and says how much was sent', async () => {
		expect(await pipe(['one\n', 'two\n', 'three\n'], service.lost)).toMatchObject({
			exitCode: 8,
			stderr: expect.stringContaining('error: Only 4 bytes of the input were sent: '),
			typed: 'one\n',
		});
	});

	it('counts the bytes that were sent of a long chunk', async () => {
		const reject = () => service.failure(403, 'key_scope_insufficient', 'The key may not write.');
		const long = `${'x'.repeat(4096)}two`;
		expect(await pipe(['one\n', long, 'three\n'], reject)).toMatchObject({
			exitCode: 6,
			stderr: expect.stringContaining(
				'error: Only 4100 bytes of the input were sent: The key may not write.',
			),
			typed: `one\n${'x'.repeat(4096)}`,
		});
	});

	it('has exit code 11 when the lease ends before its input was sent', async () => {
		const end = () => {
			service.end('released');
			return service.lost();
		};
		expect(await pipe(['one\n', 'two\n', 'three\n'], end)).toMatchObject({
			exitCode: 11,
			stderr: expect.stringMatching(
				/error: Only 4 bytes of the input were sent: The lease lse_1 has ended/,
			),
			typed: 'one\n',
		});
	});
});

describe('while the agent of the board is not connected', () => {
	const agent = 'The agent of the board is';
	const lines = `${agent} not connected; waiting for it\n${agent} connected again\n`;
	let states: string[];
	beforeEach(async () => {
		states = ['false', 'false', 'true'];
		await service.createClient().leases.create({ boardType: 'uno' }, { renew: false });
	});
	const headers = () => ({
		'content-type': 'application/octet-stream',
		'x-console-offset': '0',
		'x-agent-connected': states.shift() ?? '',
	});

	it('console reports it, and that the agent is connected again', async () => {
		service.faults.push(({ path }) => {
			if (!path.endsWith('/console')) return undefined;
			const response = new Response('', { headers: headers() });
			if (states.length === 0) service.end('released');
			return response;
		});
		const { exitCode, stderr } = await cli(['console', 'lse_1']);
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `${lines}${ended}` });
	});

	it('flash reports it, and that the agent is connected again', { tags: 'long' }, async () => {
		service.setOnAction(() => {});
		service.faults.push(({ path }) => {
			if (!path.endsWith('/actions/act_1')) return undefined;
			const [response, [action]] = [{ headers: headers() }, service.actions];
			return Response.json({ ...action, status: states.length > 0 ? 'queued' : 'done' }, response);
		});
		const { exitCode, stderr } = await cli(['flash', 'lse_1', sampleFirmwarePath('arduino-uno')]);
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(lines) });
	});
});
