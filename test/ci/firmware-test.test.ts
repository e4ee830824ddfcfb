import { BoardAccess, type ScenarioStep } from 'board-access';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FirmwareTestEvent, runFirmwareTest } from '../../src/ci/firmware-test.ts';
import { junitReport } from '../../src/ci/junit.ts';
import { Reachability } from '../../src/ci/reachability.ts';
import { failureOf } from '../../src/cli/failures/failure.ts';
import { apiKey } from '../support/client.ts';
import { createLeaseService, type LeaseService, listen } from '../support/lease-service.ts';

let service: LeaseService;
let server: Awaited<ReturnType<typeof listen>>;

beforeEach(async () => {
	service = createLeaseService();
	server = await listen(service);
});
afterEach(() => server.close());

/** Runs a test over the socket, and tells how it ended for a person, a script and a pipeline. */
const run = async ({
	timeout = 10_000,
	onEvent = () => {},
	fetch = globalThis.fetch,
	expect = ['ready', 'PASS'],
	board = { boardType: 'arduino-uno' },
	signal,
	...wanted
}: {
	timeout?: number;
	onEvent?: (event: FirmwareTestEvent) => void;
	fetch?: typeof globalThis.fetch;
	expect?: string[];
	steps?: ScenarioStep[];
	fail?: string;
	afterFail?: number;
	firmware?: Uint8Array;
	signal?: AbortSignal;
	board?: { boardType: string; waitMs?: number };
} = {}) => {
	const reachability = new Reachability(onEvent);
	const { baseUrl } = server;
	const client = new BoardAccess({ apiKey, baseUrl, fetch: reachability.watching(fetch) });
	const anyFirmware = new TextEncoder().encode(':00000001FF\n');
	const { onConnection } = reachability;
	const { waitMs, ...chosen } = board;
	const { firmware = anyFirmware, ...others } = wanted;
	const { report, error } = await runFirmwareTest(
		client,
		{
			boards: [{ role: null, wanted: chosen, file: 'app.hex', firmware }],
			lease: { waitMs },
			steps: expect.map((text) => ({ expect: text })),
			timeout,
			...others,
		},
		{ onEvent, onConnection, signal },
	);
	return { error, report, junit: junitReport(report, 'app.hex') };
};

/** What happens once the console is read after the flash. */
const afterFlash = (work: () => void) => (event: FirmwareTestEvent) => {
	if (event.event === 'expected') work();
	if (event.event === 'flashed') service.print('ready\n');
};

describe('a run with --fail only', () => {
	it.each([
		['connected', 'passed'],
		['disconnected', 'board_failed'],
	])(
		'depends on an agent whose console is %s',
		{ tags: 'long' },
		async (console_status, result) => {
			service.faults.push(({ path }) =>
				path.endsWith('/console/sync') ? service.seenWith({ console_status }) : undefined,
			);
			const { report } = await run({ expect: [], fail: 'PANIC', timeout: 300 });
			expect(report.result).toBe(result);
		},
	);
});

describe('a service that becomes unreachable while an expectation waits', () => {
	it('is an error of the network, not of the firmware', { tags: 'long' }, async () => {
		// The release fails at once, so that the test does not wait for it.
		const fetch: typeof globalThis.fetch = async (input, init) =>
			init?.method === 'DELETE' ? new Response('', { status: 400 }) : globalThis.fetch(input, init);
		const events: string[] = [];
		const close = afterFlash(() => server.close());
		const onEvent = (event: FirmwareTestEvent) => {
			events.push(event.event);
			close(event);
		};
		const { error, report, junit } = await run({ timeout: 2_000, onEvent, fetch });
		expect(await failureOf(error)).toMatchObject({ exitCode: 8 });
		expect(report.result).toBe('error');
		expect(report.steps.map(({ status }) => status)).toEqual(['passed', 'error']);
		expect(junit).toContain('tests="2" failures="0" errors="1" skipped="0"');
		expect(junit).toMatch(/<error type="error" message="[^"]+">ready&#10;<\/error>/);
		expect(events).toContain('unreachable');
	});

	it('is reported when it is lost and when it is back, and the test continues', {
		tags: 'long',
	}, async () => {
		const events: string[] = [];
		const close = afterFlash(() => server.close());
		const onEvent = (event: FirmwareTestEvent) => {
			events.push(event.event);
			close(event);
			if (event.event === 'unreachable') {
				void listen(service, server.port).then((back) => {
					server = back;
				});
			}
			if (event.event === 'reachable') service.print('PASS\n');
		};
		const { error, report } = await run({ timeout: 20_000, onEvent });
		expect({ error, result: report.result }).toEqual({ error: undefined, result: 'passed' });
		expect(events).toEqual(
			expect.arrayContaining(['unreachable', 'reachable', 'expected', 'released']),
		);
	});
});

describe('what is not a failure of the firmware', () => {
	it('is an error of the board if the lease ends during the test', async () => {
		const onEvent = afterFlash(() => service.end('agent_lost', 'The agent has gone.'));
		const { report, junit } = await run({ onEvent });
		expect(report).toMatchObject({ result: 'board_failed', cause: 'agent_lost' });
		expect(report.steps.map(({ status }) => status)).toEqual(['passed', 'error']);
		expect(junit).toContain('failures="0" errors="1"');
	});

	it('is an error of its own if the account has too many leases, also after the wait', async () => {
		vi.spyOn(Math, 'random').mockReturnValue(-1.9); // short pauses
		service.faults.push(({ method, path }) =>
			method === 'POST' && path === '/v1/leases'
				? service.failure(409, 'lease_limit', 'It has lse_7.')
				: undefined,
		);
		const board = { boardType: 'arduino-uno', waitMs: 300 };
		const events: FirmwareTestEvent[] = [];
		const { report, junit } = await run({ board, onEvent: (event) => events.push(event) });
		expect(report).toMatchObject({ result: 'lease_limit', message: 'It has lse_7.' });
		expect(events).toEqual([{ event: 'lease_limit', message: 'It has lse_7.' }]);
		expect(service.requests('POST /v1/leases').length).toBeGreaterThan(1);
		expect(junit).toContain('<error type="lease_limit" message="It has lse_7."');
		vi.restoreAllMocks();
	});

	it('is an error of the account if the lease ends because it was not renewed', async () => {
		// A lease that has to be renewed within a second.
		const fetch: typeof globalThis.fetch = async (input, init) => {
			const response = await globalThis.fetch(input, init);
			if (init?.method !== 'POST' || !String(input).endsWith('/v1/leases')) return response;
			const lease = (await response.json()) as object;
			return Response.json({ ...lease, expires_in_ms: 1_000 }, response);
		};
		service.faults.push(({ path }) => {
			if (!path.endsWith('/renew')) return undefined;
			setImmediate(() => service.end('expired', 'The lease was not renewed in time.'));
			const error = { code: 'credits_exhausted', message: 'The credits are used up.' };
			return Response.json({ error }, { status: 402 });
		});
		const { error, report, junit } = await run({ fetch });
		const message = 'The credits are used up.';
		expect(report).toMatchObject({ result: 'error', cause: 'credits_exhausted', message });
		expect(await failureOf(error)).toMatchObject({ exitCode: 5, code: 'credits_exhausted' });
		expect(junit).toContain('failures="0" errors="1"');
	});

	it('is an error of the board if its console is disconnected when the time is over', async () => {
		const onEvent = afterFlash(() => service.change({ console_status: 'disconnected' }));
		const { report, junit } = await run({ timeout: 500, onEvent });
		expect(report).toMatchObject({
			result: 'board_failed',
			message: 'The console of the board is disconnected',
			cause: 'console_disconnected',
		});
		expect(report.steps.map(({ status }) => status)).toEqual(['passed', 'error']);
		expect(junit).toContain('failures="0" errors="1"');
	});

	it.each([
		['passes if the firmware restarts its board', 5_000, 'passed'],
		['is an error of the board after a longer time', 5_001, 'board_failed'],
	])('such as a console that was away %s', async (_, console_gap_ms, result) => {
		const onEvent = ({ event }: FirmwareTestEvent) => {
			const gap = { console_gap_offset: 6, console_gap_ms };
			if (event !== 'flashed') return;
			service.print('at work');
			service.change({ console_status: 'connected', ...gap });
		};
		const { report } = await run({ timeout: 200, onEvent, expect: [], fail: 'PANIC' });
		expect(report.result).toBe(result);
	});

	it('is an error of the board if it cannot be flashed', async () => {
		service.setOnAction((action) => service.finish(action, 'failed', 'No answer from the chip'));
		const { report, junit } = await run();
		const message = 'No answer from the chip';
		expect(report).toMatchObject({ result: 'board_failed', message, cause: 'action_failed' });
		expect(junit).toContain('tests="3" failures="0" errors="1" skipped="2"');
	});

	it('is leased if the firmware fits one of the boards of the type', async () => {
		const firmware = new TextEncoder().encode(':0400000001020304F2\n:00000001FF\n');
		const withMemory = (...starts: number[]) => {
			const data = starts.map((start) => ({ id: `brd_${start}`, memory: { start, size: 100 } }));
			service.faults.push(({ path }) =>
				path === '/v1/boards' ? Response.json({ data, next_cursor: null }) : undefined,
			);
		};
		withMemory(0x1000, 0x2000);
		const { report, error } = await run({ firmware });
		expect(report).toMatchObject({ result: 'error', leaseId: null, cause: 'invalid_firmware' });
		expect(report.message).toMatch(
			/^app\.hex: .* outside the flash \(0x1000 to 0x1063\): it may be for another type of board$/,
		);
		expect(await failureOf(error)).toMatchObject({ exitCode: 2, code: 'invalid_firmware' });
		service.faults.length = 0;
		withMemory(0x1000, 0);
		expect((await run({ firmware, expect: [] })).report).toMatchObject({ result: 'passed' });
	});

	it('is an error with the name of the file if the service rejects it', async () => {
		service.faults.push(({ path }) =>
			path.endsWith('/files')
				? service.failure(400, 'invalid_firmware', 'The ELF file is for ARM, not AVR.')
				: undefined,
		);
		const { error, report } = await run();
		expect(report).toMatchObject({
			result: 'error',
			message: 'app.hex: The ELF file is for ARM, not AVR.',
		});
		expect(await failureOf(error)).toMatchObject({ exitCode: 2, message: report.message });
	});
});

it('releases the board even after an outage of 15 seconds', async () => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
	vi.spyOn(Math, 'random').mockReturnValue(0);
	try {
		const { promise: releasing, resolve: onRelease } = Promise.withResolvers<void>();
		service.faults.push(({ method }) => {
			if (method !== 'DELETE') return undefined;
			onRelease();
			return service.lost();
		});
		const events: string[] = [];
		const onEvent = ({ event }: FirmwareTestEvent) => {
			events.push(event);
			if (event === 'flashed') service.print('PASS\n');
		};
		const firmware = new TextEncoder().encode(':00000001FF\n');
		const wanted = { boardType: 'arduino-uno' };
		const boards = [{ role: null, wanted, file: 'app.hex', firmware }];
		const test = { boards, lease: {}, steps: [{ expect: 'PASS' }], timeout: 5_000 };
		const running = runFirmwareTest(service.createClient(), test, { onEvent });
		await releasing;
		await vi.advanceTimersByTimeAsync(15_000);
		service.faults.length = 0;
		await vi.advanceTimersByTimeAsync(500);
		expect((await running).report.result).toBe('passed');
		expect(events).toContain('released');
	} finally {
		vi.useRealTimers();
		vi.restoreAllMocks();
	}
});

it('counts as a failure only what the console showed or did not show', {
	tags: 'long',
}, async () => {
	const { report, junit } = await run({ timeout: 300, onEvent: afterFlash(() => {}) });
	expect(report).toMatchObject({ result: 'not_seen' });
	expect(report.steps.map(({ status }) => status)).toEqual(['passed', 'failed']);
	expect(junit).toContain('failures="1" errors="0"');
});

describe('a board that prints nothing', () => {
	it('is an error of its own, because nothing is known of its firmware', async () => {
		const { error, report, junit } = await run({ timeout: 100, afterFail: 0 });
		expect(error).toBeUndefined();
		expect(report).toMatchObject({
			result: 'silent',
			message: expect.stringMatching(/^The console did not show "ready" .* Nothing was printed\.$/),
			hint: expect.stringMatching(/^The board has printed nothing since its last flash or reset\./),
		});
		expect(report.steps.map(({ status }) => status)).toEqual(['error', 'skipped']);
		expect(junit).toContain('failures="0" errors="1" skipped="1"');
		expect(junit).toContain('<error type="silent" message="The console did not show &quot;ready');
	});

	it.each([
		['until the time is over', ({ event }: FirmwareTestEvent) => event === 'flashed'],
		[
			'since a reset',
			(event: FirmwareTestEvent) => event.event === 'step' && event.step === 'wait 0.01 s',
		],
	])('but a single byte is one of the firmware: %s', { tags: 'long' }, async (_, isTime) => {
		const onEvent = (event: FirmwareTestEvent) => isTime(event) && service.print('.');
		const steps: ScenarioStep[] = [
			{ waitMs: 10 },
			{ waitMs: 20 },
			{ reset: true },
			{ expect: 'PASS' },
		];
		const { report } = await run({ timeout: 300, afterFail: 0, steps, onEvent });
		expect(report.result).toBe('not_seen');
		expect(report.steps.at(-1)?.status).toBe('failed');
	});
});

describe('the output around the end of a test', () => {
	/** Prints the parts one after the other, each once the one before was copied. */
	const printing = (...parts: string[]) => {
		const next = () => {
			const [part] = parts.splice(0, 1);
			if (part !== undefined) setTimeout(() => service.print(part), 20);
		};
		return ({ event }: FirmwareTestEvent) => {
			if (event === 'flashed' || event === 'console') next();
		};
	};

	it('goes on after what must not appear, with whole lines in the log, the message and JUnit', async () => {
		const parts = ['ready\n', 'Core panic', "'ed: 28\r\n", 'PC: 0x40\r\nA0: ', '0x80\r\nReb'];
		const onEvent = printing(...parts, 'oot\nnext');
		const { report, junit } = await run({ fail: 'panic', afterFail: 300, onEvent });
		expect(report.result).toBe('fail_seen');
		expect(report.console).toMatch(/^ready\nCore panic'ed: 28\r\nPC: 0x40\r\nA0: 0x80\r\nReboot\n/);
		const lines = ["Core panic'ed: 28", 'PC: 0x40', 'A0: 0x80', 'Reboot'];
		const message = `The console showed "panic":${lines.map((line) => `\n  ${line}`).join('')}`;
		expect(report.message).toContain(message);
		expect(report.steps[1]?.message).toBe(report.message);
		expect(junit).toMatch(/<failure type="fail_seen" message="[^"]*A0: 0x80&#10; {2}Reboot/);
		expect(Buffer.concat(report.output).toString()).toBe(report.console);
	});

	it('shows where the text appeared that must not appear, and not an earlier place', async () => {
		const onEvent = printing('ready\nboot 1\n', 'work\nboot 2\nlost\n');
		const steps: ScenarioStep[] = [{ expect: 'boot 1' }, { fail: 'boot' }, { expect: 'PASS' }];
		const { report } = await run({ steps, afterFail: 300, onEvent });
		expect(report.result).toBe('fail_seen');
		expect(report.message).toContain('The console showed "boot":\n  boot 2\n  lost');
	});

	it('goes on after the time is up', async () => {
		const onEvent = printing('ready\n', 'work');
		service.faults.push(({ path }) => {
			const isOver = path.endsWith('/console/sync');
			if (isOver) setTimeout(() => service.print('ing on it\nnext'), 50);
			return undefined;
		});
		const { report } = await run({ timeout: 200, afterFail: 300, onEvent });
		expect(report.console).toBe('ready\nworking on it\nnext');
		expect(report.message).toMatch(/ Its last lines:\n {2}ready\n {2}working on it\n {2}next$/);
	});

	it('ends with the line of the match', async () => {
		const onEvent = (event: FirmwareTestEvent) => {
			if (event.event === 'flashed') service.print('ready\nPASS: 3 te');
			if (event.event !== 'expected' || event.pattern !== 'PASS') return;
			setTimeout(() => service.print('sts\nnext line\n'), 20);
		};
		const { report } = await run({ onEvent });
		expect(report).toMatchObject({ result: 'passed', console: 'ready\nPASS: 3 tests\n' });
	});

	it('is not waited for after an interruption', async () => {
		const interruption = new AbortController();
		const onEvent = (event: FirmwareTestEvent) => {
			if (event.event === 'flashed') service.print('panic\n');
			if (event.event === 'console') setTimeout(() => interruption.abort(), 50);
		};
		const { signal } = interruption;
		const { report } = await run({ fail: 'panic', afterFail: 3_600_000, onEvent, signal });
		expect(report.result).toBe('fail_seen');
	});
});
