import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BoardAccess } from 'board-access';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { describe, expect, it } from 'vitest';
import { useService } from '../../support/cli.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const { cli, demo, fetch } = useService({ agent: true });
const firmware = sampleFirmwarePath('arduino-uno');
const uno = ['run', firmware, '--type', 'arduino-uno'];

const client = () =>
	new BoardAccess({ baseUrl: 'http://localhost', apiKey: demo().apiKey, fetch: fetch() });

const liveLeases = async () => {
	const leases = await client().leases.list();
	return leases.filter(({ status }) => status !== 'ended');
};

const eventsOf = (stdout: string): ({ event: string } & Record<string, unknown>)[] =>
	stdout
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line));

/** Handles some requests in the test; the others reach the service. */
const intercepting = (
	intercept: (request: Request) => Promise<Response | undefined> | undefined,
) => {
	const send: typeof globalThis.fetch = async (input, init) => {
		const request = new Request(input, init);
		return (await intercept(request)) ?? (await fetch()(request));
	};
	return { fetch: send };
};

describe('run', () => {
	it('prints the console from the start of flashing, and reports each step', async () => {
		const { exitCode, stdout, stderr } = await cli([...uno, '--expect', 'Hello from']);
		expect(exitCode).toBe(0);
		expect(stdout).toMatch(/Hello from Arduino Uno\r\n$/);
		expect(stderr).toMatch(
			/Preparing brd_.*\nUsing (brd_arduino-uno-\d+) \(lse_\w+\)\nUploading [\d,]+ bytes\nUploaded [\d,]+ bytes\nFlashing\nFlashed and ready after .*: [\d,]+ bytes written\nFound Hello from\nReleased the board\nPassed: 1 found on \1 in [\d.]+ s\n$/,
		);
		expect(await liveLeases()).toEqual([]);
	});

	it('reports every step of the preparation, in order', async () => {
		const { stdout } = await cli([...uno, '--json']);
		const events = eventsOf(stdout).filter(({ event }) => event === 'preparing');
		const done = events.filter(({ status }) => status === 'done').map(({ step }) => step);
		const actions = await (await client().leases.get(String(events[0]?.leaseId))).actions();
		const steps = actions.filter(({ phase }) => phase === 'prepare');
		expect(steps.length).toBeGreaterThan(2);
		expect(done).toEqual(steps.map(({ action, name }) => [action, name].filter(Boolean).join(' ')));
	});

	it('ends when the time for the whole run is over, although the service is away during the flash', {
		tags: 'long',
	}, async () => {
		let isAway = false;
		const lost = intercepting(async ({ method, url, signal }) => {
			if (method === 'POST' && url.endsWith('/actions')) isAway = true;
			if (!isAway || method === 'DELETE') return undefined;
			return await new Promise((_, reject) => {
				signal.addEventListener('abort', () => reject(signal.reason));
			});
		});
		const { exitCode, stderr } = await cli([...uno, '--max-time', '6s'], lost);
		expect(stderr).toContain('The run was not over within 6 s, the limit of --max-time');
		expect(exitCode).toBe(8);
		expect(await liveLeases()).toEqual([]);
	});

	it('expects several texts in their order, as text or as a regular expression', {
		tags: 'long',
	}, async () => {
		const expected = ['--expect', '/hello\\b/i', '--expect', 'Uno'];
		expect(await cli([...uno, ...expected])).toMatchObject({
			exitCode: 0,
			stderr: expect.stringMatching(/Found \/hello\\b\/i\nFound Uno\n[\s\S]*Passed: 2 found/),
		});
		const reversed = ['--expect', 'Uno', '--expect', 'Hello', '--timeout', '1s'];
		expect(await cli([...uno, ...reversed])).toMatchObject({ exitCode: 10 });
	});

	it('carries out --expect and --send in the order in which they are typed', {
		tags: 'long',
	}, async () => {
		const typed = ['--expect', 'Hello', '--send', 'one\\x20\\x74wo\\r', '--expect', 'ONE TWO'];
		const { exitCode, stdout, stderr } = await cli([...uno, ...typed, '--fail', 'PANIC']);
		expect(exitCode).toBe(0);
		expect(stdout).toMatch(/Hello from Arduino Uno\r\nONE TWO\r\n$/);
		expect(stderr).toMatch(/Found Hello\n[\s\S]*Done: send 8 bytes\n[\s\S]*Found ONE TWO\n/);
		const open = ['--send', 'one', '--expect', 'ONE', '--timeout', '500ms'];
		expect(await cli([...uno, '--expect', 'Hello', ...open])).toMatchObject({
			exitCode: 10,
			stderr: expect.stringContaining('The last input does not end with \\r'),
		});
		const early = ['--send', 'pass\\r', '--fail', 'PASS', '--timeout', '5s'];
		expect(await cli([...uno, '--expect', 'Hello', ...early])).toMatchObject({ exitCode: 9 });
	});

	it('explains an escape that --send does not have', async () => {
		const { exitCode, stderr } = await cli([...uno, '--send', 'a\\q']);
		expect(exitCode).toBe(2);
		expect(stderr).toContain('\\q is not an escape. Use \\r, \\n, \\t, \\xNN, or \\\\');
	});

	describe('with --scenario', () => {
		const scenario = async (text: string) => {
			const file = join(await temporaryDirectory(), 'login.yml');
			await writeFile(file, text);
			return ['--scenario', file];
		};

		it('carries out its steps, and reports each of them', async () => {
			const steps = await scenario(`name: Greets again after a reset
version: 1
steps:
  - fail: [PANIC, '/assert.*/']
  - expect: 'Hello'
    timeout: 10s
  - wait: 50ms
  - send: "more\\r"
  - expect: /MOR(E)/
  - reset: true
  - expect: /from .*Uno/
`);
			const junit = join(await temporaryDirectory(), 'run.xml');
			const { exitCode, stdout, stderr } = await cli([
				...uno,
				...steps,
				'--json',
				'--junit',
				junit,
			]);
			expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
			const names = ['fail PANIC, /assert.*/', 'Hello', 'wait 0.05 s', 'send 5 bytes', '/MOR(E)/'];
			const { steps: reported } = eventsOf(stdout).at(-1) as unknown as { steps: object[] };
			expect(reported).toMatchObject(
				[...names, 'reset', '/from .*Uno/'].map((name) => ({ name, status: 'passed' })),
			);
			const xml = await readFile(junit, 'utf8');
			expect(xml).toContain('tests="7" failures="0" errors="0"');
			expect(xml).toContain('<testsuite name="uno-sample.hex: Greets again after a reset"');
			expect(stdout.match(/Hello from/g)?.length).toBe(2);
		});

		it('fails at the step that fails, and skips the others', { tags: 'long' }, async () => {
			const steps = await scenario(
				'steps: [{expect: Hello}, {expect: never, timeout: 300ms}, {send: x}]',
			);
			const { exitCode, stdout } = await cli([...uno, ...steps, '--json']);
			expect(exitCode).toBe(10);
			expect(eventsOf(stdout).at(-1)).toMatchObject({
				steps: [{ status: 'passed' }, { status: 'failed' }, { status: 'skipped' }],
				message: expect.stringMatching(/login\.yml:1: The console did not show "never"/),
			});
		});

		it.each([
			[
				'steps:\n  - expect: a\n  - expct: b',
				':3: there is no "expct". Did you mean expect? Allowed:',
			],
			['steps:\n  - expect: a\n  - wait: soon', ':3: wait: "soon" is not a duration'],
			['steps:\n  - expect: /(/', ':2: expect: /(/ is not a valid regular expression'],
			['steps:\n  - expect: 42', ':2: expect: must be text that is not empty, or a regular'],
			['steps:\n  - send: a\\q', ':2: send: \\q is not an escape'],
			['steps:\n  - reset: no', ':2: reset: must be true'],
			[
				'steps:\n  - expect: a\n    send: b',
				':2: a step has one of expect, fail, send, wait, reset',
			],
			['steps:\n  - send: a\n    timeout: 5s', ':3: only expect can have a timeout'],
			[
				'steps:\n  - expect: a\n    timeout: 0s',
				':3: timeout: must be a number of milliseconds, at least 1',
			],
			['steps:\n  - reset', ':2: must be a map of expect, fail,'],
			['steps: []', ':1: steps must be a list'],
			['name: x', ':1: steps must be a list'],
			['', ':1: must be a map of name, version, steps'],
			['name: x\nversion: 2\nsteps: [{reset: true}]', ':2: version must be 1'],
			['name: [x]\nsteps: [{reset: true}]', ':1: name must be text'],
			['steps:\n  - expect: "a', ':2: Missing closing "quote'],
			['__proto__: x\nsteps: []', ':1: there is no "__proto__"'],
			['steps:\n  - &a {wait: 1s}\n  - *a\n  - expect:', ':4: expect: must be text'],
			[
				'steps:\n  - reset: true\n  - expect: *x',
				':1: Unresolved alias (the anchor must be set before the alias): x',
			],
			[
				`a: &a [${'x,'.repeat(20)}]\nsteps: [{fail: [${'*a,'.repeat(200)}]}]`,
				':1: Excessive alias count',
			],
			['steps:\n  - reset: true\n  - expect: !regex ok', ':3: Unresolved tag: !regex'],
			['steps:\n  - ? [expect]\n    : x', ':2: With stringKeys, all keys must be strings'],
		])('rejects %j before it leases a board', async (text, message) => {
			const steps = await scenario(text);
			const { exitCode, stdout, stderr } = await cli([...uno, ...steps, '--json']);
			expect(exitCode).toBe(2);
			expect(JSON.parse(stderr).error).toMatchObject({
				code: 'invalid_scenario',
				message: expect.stringContaining(`login.yml${message}`),
			});
			expect(eventsOf(stdout).map(({ event }) => event)).toEqual(['result']);
		});

		it('is not combined with --expect or --send, and names a file that is missing', async () => {
			const steps = await scenario('steps: [{expect: Hello}]');
			for (const other of [
				['--expect', 'x'],
				['--send', 'x'],
			]) {
				expect(await cli([...uno, ...steps, ...other])).toMatchObject({ exitCode: 2, stdout: '' });
			}
			const message = 'The scenario none.yml cannot be read: it does not exist';
			const missing = await cli([...uno, '--scenario', 'none.yml']);
			expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
			const large = await cli([...uno, ...(await scenario(`steps: ${' '.repeat(256 * 1024)}[]`))]);
			const limit = 'login.yml is larger than 256 KiB';
			expect(large).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(limit) });
		});
	});

	describe('with --lease', () => {
		it('runs on the board of the lease, and leaves the lease', async () => {
			await using lease = await client().leases.create(
				{ boardId: 'brd_arduino-uno-01', durationMs: 1_800_000 },
				{ renew: false },
			);
			const { expiresAt } = lease;
			const expected = ['--lease', lease.id, '--expect', 'Hello'];
			const { exitCode, stderr } = await cli(['run', firmware, ...expected]);
			expect(exitCode).toBe(0);
			expect(stderr).toContain(`Using brd_arduino-uno-01 (${lease.id})\n`);
			expect(stderr).not.toContain('Released');
			await lease.refresh();
			expect(lease).toMatchObject({ status: 'active', expiresAt });
		});

		it('renews a lease that would end before the run may', { tags: 'long' }, async () => {
			await using lease = await client().leases.create(
				{ boardId: 'brd_arduino-uno-01' },
				{ renew: false },
			);
			const renewals: string[] = [];
			const soon = intercepting(async (request) => {
				if (request.url.endsWith('/renew')) renewals.push(request.url);
				if (request.method !== 'GET' || !request.url.endsWith(lease.id)) return undefined;
				const record = (await (await fetch()(request)).json()) as object;
				return Response.json({ ...record, expires_in_ms: 3_000 });
			});
			const watched = ['--fail', 'PANIC', '--timeout', '1500ms'];
			const running = cli(['run', firmware, '--lease', lease.id, ...watched], soon);
			expect(await running).toMatchObject({ exitCode: 0 });
			expect(renewals.length).toBeGreaterThan(0);
		});

		it.each(['--type x', '--board x', '--wait 1m', '--label x'])('rejects %s', async (other) => {
			const argv = ['run', firmware, '--lease', 'lse_1', ...other.split(' ')];
			const { exitCode, stdout, stderr } = await cli(argv);
			expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
			expect(stderr).toContain("cannot be used with option '--");
		});

		it('has exit code 11 for a lease that has ended, and 3 for one that does not exist', async () => {
			const lease = await client().leases.create({ boardId: 'brd_arduino-uno-01' });
			await lease.release();
			const on = (id: string) => cli(['run', firmware, '--lease', id]);
			const { exitCode, stderr } = await on(lease.id);
			expect(exitCode).toBe(11);
			expect(stderr).toMatch(
				/^error: The lease \w+ has ended: The lease was released\.\n {2}Lease a board again with "board-access leases create"/,
			);
			expect(await on('lse_none')).toMatchObject({ exitCode: 3 });
		});

		it('advises to switch the power on if the board cannot be flashed', async () => {
			await using lease = await client().leases.create({ boardId: 'brd_arduino-uno-01' });
			await lease.power('off');
			const { exitCode, stderr } = await cli(['run', firmware, '--lease', lease.id]);
			expect(exitCode).toBe(11);
			expect(stderr).toContain('If the power of the board is off, switch it on with "board-access');
			expect(stderr).not.toContain('Run the command again');
		});

		it('is named with the other ways to choose a board', async () => {
			expect((await cli(['run', firmware])).stderr).toContain(
				'--type or --board, or its lease with --lease',
			);
			expect((await cli('leases create')).stderr).toContain('either --type or --board\n');
		});
	});

	it('names the command that lists boards with an agent if the type has none', async () => {
		const { exitCode, stderr } = await cli([...uno.slice(0, 2), '--type', 'esp32-s3']);
		expect(exitCode).toBe(12);
		expect(stderr).toContain('  "board-access boards list --has-agent" lists the boards with');
	});

	it('has exit code 9 when one of the texts of --fail appears first', async () => {
		const fails = ['--fail', 'Panic', '--fail', '/from arduino/i'];
		const { exitCode, stderr } = await cli([...uno, '--expect', 'PASS', ...fails]);
		expect(exitCode).toBe(9);
		expect(stderr).toMatch(
			/Released the board\nerror: The console showed "from Arduino":\n {2}Hello from Arduino Uno\n$/,
		);
	});

	it('has exit code 10 when an expected text does not appear in time', async () => {
		const { exitCode, stderr } = await cli([...uno, '--expect', 'PASS', '--timeout', '300ms']);
		expect(exitCode).toBe(10);
		expect(stderr).toContain('error: The console did not show "PASS"');
		expect(stderr).toMatch(/ Its last lines:\n {2}Hello from Arduino Uno\n$/);
		expect(await liveLeases()).toEqual([]);
	});

	it('has exit code 13 when the board prints nothing, and a run that passes says so', async () => {
		const file = join(await temporaryDirectory(), 'silent.hex');
		await writeFile(file, ':02000000FFCF30\n:00000001FF\n'); // rjmp to itself
		const argv = ['run', file, '--type', 'arduino-uno', '--timeout', '300ms'];
		const { exitCode, stderr } = await cli([...argv, '--expect', 'x', '--after-fail', '0']);
		expect(exitCode).toBe(13);
		expect(stderr).toMatch(
			/Nothing was printed\.\n {2}The board has printed nothing since its last/,
		);
		expect(await cli([...argv, '--fail', 'x'])).toMatchObject({
			exitCode: 0,
			stderr: expect.stringMatching(/; its console showed nothing at all\n$/),
		});
	});

	it('watches for --fail until its time limit without --expect', { tags: 'long' }, async () => {
		const watch = (text: string) => cli([...uno, '--fail', text, '--timeout', '1s']);
		expect(await watch('Panic')).toMatchObject({
			exitCode: 0,
			stdout: expect.stringContaining('Hello'),
		});
		expect(await watch('Hello')).toMatchObject({ exitCode: 9 });
	});

	it('ends after flashing without --expect and --fail', async () => {
		expect(await cli(uno)).toMatchObject({
			exitCode: 0,
			stderr: expect.stringContaining('Passed: flashed on '),
		});
	});

	it('prints every event as a line of JSON, the error on standard error', async () => {
		const { stdout } = await cli([...uno, '--expect', 'Hello', '--json']);
		const events = eventsOf(stdout);
		expect(new Set(events.map(({ event }) => event))).toEqual(
			new Set([
				...['preparing', 'leased', 'flashing', 'flashed', 'console', 'expected'],
				...['released', 'result'],
			]),
		);
		expect(events.at(-1)).toMatchObject({
			event: 'result',
			result: 'passed',
			boardId: expect.stringMatching(/^brd_/),
			steps: [{ kind: 'expect', name: 'Hello', status: 'passed', message: '' }],
		});
		const failed = await cli([...uno, '--expect', 'x', '--timeout', '200ms', '--json']);
		expect(eventsOf(failed.stdout).at(-1)).toMatchObject({ event: 'result', result: 'not_seen' });
		expect(JSON.parse(failed.stderr).error).toMatchObject({
			code: 'not_seen',
			leaseId: expect.stringMatching(/^lse_/),
		});
	});

	it('escapes control sequences in JSON', async () => {
		const { stdout } = await cli([...uno, '--json', '--label', 'x', '--expect', '/Hello\u202e?/']);
		expect(stdout).not.toContain('\u202e');
	});

	it('writes the console and a JUnit report, whatever the result', async () => {
		const folder = await temporaryDirectory();
		const [log, junit] = [join(folder, 'run.log'), join(folder, 'run.xml')];
		const files = ['--log', log, '--junit', junit];
		const texts = ['--expect', 'Hello', '--expect', '<PASS>', '--expect', 'later'];
		const { exitCode } = await cli([...uno, ...texts, '--timeout', '500ms', ...files]);
		expect(exitCode).toBe(10);
		expect(await readFile(log, 'utf8')).toMatch(/Hello from Arduino Uno\r\n$/);
		const report = await readFile(junit, 'utf8');
		expect(report).toContain('tests="3" failures="1" errors="0" skipped="1"');
		expect(report).toMatch(
			/name="&lt;PASS&gt;"[^/]*><failure type="not_seen" message="The console did not show/,
		);
	});

	describe('with a file that cannot be written at the end', () => {
		const losing = async (lost: string, kept: string, texts: string[]) => {
			const [gone, file] = [await temporaryDirectory(), join(await temporaryDirectory(), 'kept')];
			const world = intercepting(
				async () => void (await rm(gone, { recursive: true, force: true })),
			);
			const files = [lost, join(gone, 'lost'), kept, file];
			const ended = await cli([...uno, ...texts, '--timeout', '500ms', ...files], world);
			return { ...ended, kept: await readFile(file, 'utf8') };
		};
		const reason = /error: The file .+lost cannot be written: its directory does not exist\n/;

		it.each([
			['--log', '--junit', '<failure type="not_seen" message="The console did not show'],
			['--junit', '--log', 'Hello from Arduino Uno'],
		])(
			'keeps the verdict without its %s, and writes its %s',
			{ tags: 'long' },
			async (lost, kept, content) => {
				const ended = await losing(lost, kept, ['--expect', 'Hello', '--expect', 'never']);
				expect(ended.exitCode).toBe(10);
				expect(ended.stderr).toMatch(reason);
				expect(ended.stderr).toMatch(/error: The console did not show .*never/);
				expect(ended.kept).toContain(content);
			},
		);

		it('has exit code 2 if the test passed', async () => {
			const ended = await losing('--log', '--junit', ['--expect', 'Hello']);
			expect(ended.exitCode).toBe(2);
			expect(ended.stderr).toMatch(reason);
			expect(ended.stderr).toContain('Passed: 1 found');
			expect(ended.kept).toContain('failures="0" errors="0"');
		});
	});

	describe('that fails before it requests a board', () => {
		const readme = ['run', 'README.md', '--type', 'arduino-uno'];
		const unwritable = [...uno, '--log', join('none', 'run.log')];

		it.each([
			['firmware that is missing', ['run', 'none.hex', '--type', 'arduino-uno'], {}, 2],
			['firmware that is rejected', readme, {}, 2],
			['no choice of a board', ['run', firmware], {}, 2],
			['a log that cannot be written', unwritable, {}, 2],
			['an invalid key', uno, { SERVICE_API_KEY: '"key"' }, 4],
			['a missing address', uno, { SERVICE_BASE_URL: '' }, 2],
			['a missing address and key', uno, { SERVICE_BASE_URL: '', SERVICE_API_KEY: '' }, 2],
		])('reports %s as an error of the run', async (_, argv, env, exitCode) => {
			const junit = join(await temporaryDirectory(), 'run.xml');
			await writeFile(junit, '<testsuites tests="1" failures="0" errors="0"/>');
			const ended = await cli([...argv, '--junit', junit, '--json', '--expect', 'x'], { env });
			const { message, code } = JSON.parse(ended.stderr).error;
			expect({ ...ended, events: eventsOf(ended.stdout) }).toMatchObject({
				exitCode,
				events: [{ event: 'result', result: 'error', cause: code, message }],
			});
			const report = await readFile(junit, 'utf8');
			expect(report).toContain('tests="2" failures="0" errors="1" skipped="1"');
			const text = message.replaceAll('"', '&quot;');
			expect(report).toMatch(/name="runs"[^/]*><error type="error" message="/);
			expect(report).toContain(`<error type="error" message="${text}">`);
		});
	});

	it('leaves a report if it is killed', async () => {
		const junit = join(await temporaryDirectory(), 'run.xml');
		let report = '';
		const watched = intercepting(async () => {
			report ||= await readFile(junit, 'utf8');
			return undefined;
		});
		await cli([...uno, '--junit', junit], watched);
		expect(report).toContain('<error type="error" message="The command was killed">');
		expect(await readFile(junit, 'utf8')).toContain('tests="1" failures="0" errors="0"');
	});

	it('rejects a file that it cannot write before it leases a board', async () => {
		const requests: Request[] = [];
		const watched = intercepting((request) => void requests.push(request));
		const argv = [...uno, '--log', join(await temporaryDirectory(), 'none', 'run.log')];
		expect(await cli(argv, watched)).toMatchObject({
			exitCode: 2,
			stderr: expect.stringContaining('run.log cannot be written: its directory does not exist'),
		});
		expect(requests).toEqual([]);
	});

	it.each([
		[['run', 'none.hex', '--type', 'arduino-uno'], 'none.hex cannot be read: it does not exist'],
		[['run', firmware], 'either --type or --board'],
		[[...uno, '--board', 'brd_1'], 'either --type or --board'],
		[[...uno, '--expect', '/(/'], '--expect'],
		[[...uno, '--expect', ''], '--expect is empty'],
		[[...uno, '--wait', 'soon'], '--wait'],
	])('has exit code 2 for an invalid command line: %j', async (argv, complaint) => {
		const { exitCode, stderr } = await cli(argv);
		expect({ exitCode, stderr }).toEqual({
			exitCode: 2,
			stderr: expect.stringContaining(complaint),
		});
		expect(stderr).not.toContain('unexpected');
	});

	it('suggests a similar board type', async () => {
		const argv = ['run', firmware, '--type', 'arduino-umo'];
		expect(await cli(argv)).toMatchObject({
			exitCode: 3,
			stderr: 'error: There is no board type "arduino-umo". Did you mean arduino-uno?\n',
		});
	});

	it('fails with exit code 12 without leasing a board if no agent drives one', async () => {
		const leases = (await client().leases.list()).length;
		for (const board of ['--type esp32-s3', '--board brd_esp32-s3-01']) {
			const argv = ['run', firmware, ...board.split(' ')];
			expect(await cli(argv)).toMatchObject({
				exitCode: 12,
				stderr: expect.stringMatching(
					/^error: No agent drives .*esp32-s3.*, so it can be leased, but not flashed or read\.\n/,
				),
			});
		}
		expect(await client().leases.list()).toHaveLength(leases);
	});

	it.each([
		['is broken', ':1000000\n', [], 'Line 1: half of a byte is missing'],
		['is cut off', ':0100000055AA\n', [], 'The end-of-file record is missing: the file is cut off'],
		['is empty', '', ['--raw'], 'The file is empty'],
		[
			'is of no known format',
			'# Title',
			[],
			'The file is neither Intel HEX, UF2 nor ELF. To flash its bytes as they are, pass --raw',
		],
		[
			'has addresses of its own',
			':00000001FF\n',
			['--raw', '--flash-offset', '0x100'],
			'The file is Intel HEX, which has its own addresses; a flash offset applies to raw files only',
		],
	])('rejects firmware that %s, before anything is sent', async (_, text, options, message) => {
		const file = join(await temporaryDirectory(), 'firmware.hex');
		await writeFile(file, text);
		const requests: Request[] = [];
		const watched = intercepting((request) => void requests.push(request));
		expect(await cli(['run', file, '--type', 'arduino-uno', ...options], watched)).toMatchObject({
			exitCode: 2,
			stderr: `error: ${file}: ${message}\n`,
		});
		expect(requests).toEqual([]);
	});

	it.each([
		['--type', 'arduino-uno'],
		['--board', 'brd_arduino-uno-01'],
	])(
		'rejects firmware for another board by the name of its file, and leases none: %s',
		async (...wanted) => {
			const requests: string[] = [];
			const watched = intercepting(({ method, url }) => {
				requests.push(`${method} ${new URL(url).pathname}`);
				return undefined;
			});
			const file = sampleFirmwarePath('rp2040-pico');
			const { exitCode, stderr } = await cli(['run', file, ...wanted], watched);
			expect(exitCode).toBe(2);
			expect(stderr).toMatch(
				/^error: \S+pico-sample\.uf2: The UF2 file has .*, outside the flash.*\n$/,
			);
			expect(requests).toEqual([expect.stringMatching(/^GET \/v1\/boards/)]);
		},
	);

	it('lets the service decide whether firmware fits boards without a known memory', async () => {
		const unknown = intercepting(async (request) => {
			if (!request.url.includes('/v1/boards')) return undefined;
			const { data } = await (await fetch()(request)).json();
			for (const board of data) board.memory = null;
			return Response.json({ data, next_cursor: null });
		});
		const file = sampleFirmwarePath('rp2040-pico');
		const { exitCode, stderr } = await cli(['run', file, '--type', 'arduino-uno'], unknown);
		expect(exitCode).toBe(2);
		expect(stderr).toMatch(/^Using[\s\S]*error: \S+pico-sample\.uf2: The UF2 file has .*/m);
		expect(stderr).not.toContain('Flashed');
	});

	it('flashes the bytes of any file with --raw', async () => {
		const argv = ['run', 'package.json', '--raw', '--type', 'arduino-uno'];
		expect(await cli(argv)).toMatchObject({ exitCode: 0 });
	});

	describe('without an available board', () => {
		const pico = sampleFirmwarePath('rp2040-pico');
		const argv = ['run', pico, '--board', 'brd_rp2040-pico-01'];

		it('has exit code 12, at once or after --wait', { tags: 'long' }, async () => {
			await using lease = await client().leases.create({ boardId: 'brd_rp2040-pico-01' });
			expect(await cli(argv)).toMatchObject({
				exitCode: 12,
				stderr: expect.stringMatching(
					/^error: The board brd_rp2040-pico-01 is in use\.\n.*--wait 10m/,
				),
			});
			const waited = await cli([...argv, '--wait', '1s']);
			expect(waited).toMatchObject({ exitCode: 12 });
			expect(waited.stderr).toContain('Waiting for a board, queue position 1\n');
			expect(lease.status).toBe('active');
		});

		it('leaves the queue when it is interrupted', async () => {
			await using _ = await client().leases.create({ boardId: 'brd_rp2040-pico-01' });
			const interruption = new AbortController();
			const running = cli([...argv, '--wait', '1h'], { signal: interruption.signal });
			await expect
				.poll(async () => (await liveLeases()).map(({ status }) => status))
				.toContain('queued');
			interruption.abort();
			expect(await running).toMatchObject({
				exitCode: 130,
				stderr: expect.stringContaining('Interrupted: leaving the queue.'),
			});
			expect((await liveLeases()).map(({ status }) => status)).toEqual(['active']);
		});
	});

	describe('when it is interrupted', () => {
		const interrupted = async (...rest: string[]) => {
			const interruption = new AbortController();
			const running = cli([...uno, '--expect', 'never', ...rest], { signal: interruption.signal });
			await expect
				.poll(async () => (await liveLeases()).map(({ status }) => status))
				.toEqual(['active']);
			const [{ id = '' } = {}] = await liveLeases();
			await expect
				.poll(async () => (await (await client().leases.get(id)).actions()).at(-1)?.phase)
				.toBe('use');
			interruption.abort();
			return await running;
		};

		it('releases the board first and reports it', async () => {
			const { exitCode, stderr } = await interrupted();
			expect(exitCode).toBe(130);
			expect(stderr).toMatch(
				/Interrupted: releasing the board\. .*\nReleased the board\nerror: Interrupted\n$/,
			);
			expect(await liveLeases()).toEqual([]);
		});

		it('still writes its files', async () => {
			const junit = join(await temporaryDirectory(), 'run.xml');
			await interrupted('--junit', junit);
			const report = await readFile(junit, 'utf8');
			expect(report).toContain('errors="1"');
			expect(report).toContain('<error type="error" message="Interrupted">');
		});
	});

	it.each([
		['admin', 'Ask an administrator'],
		['release', 'The lease was released while the command ran'],
	])('has exit code 11 when the lease ends early: %s', async (way, advice) => {
		const running = cli([...uno, '--expect', 'never']);
		await expect
			.poll(async () => (await liveLeases()).map(({ status }) => status))
			.toEqual(['active']);
		const [{ id = '' } = {}] = await liveLeases();
		if (way === 'release') await (await client().leases.get(id)).release();
		else await client().request({ method: 'DELETE', path: `/v1/admin/leases/${id}` });
		const { exitCode, stderr } = await running;
		expect(exitCode).toBe(11);
		expect(stderr).toMatch(new RegExp(`error: The lease \\w+ has ended: .*\\n {2}${advice}`));
		expect(stderr).not.toContain('Released');
	});

	it('says when the board could not be released', async () => {
		const world = intercepting((request) =>
			request.method === 'DELETE' ? Promise.resolve(new Response('', { status: 403 })) : undefined,
		);
		const { exitCode, stderr } = await cli([...uno, '--expect', 'Hello'], world);
		expect(exitCode).toBe(0);
		expect(stderr).toMatch(/lse_\w+ could not be released, and expires by itself/);
		for (const { id } of await liveLeases()) await (await client().leases.get(id)).release();
	});

	it('updates one line of steps on a terminal, and removes control sequences', async () => {
		const { stdout, stderr } = await cli([...uno, '--expect', '/Uno\\r\\n/', '--no-color'], {
			terminal: 80,
		});
		expect(stdout).toMatch(/Hello from Arduino Uno\r\n$/);
		const clearLine = `\r${String.fromCharCode(27)}[2K`;
		expect(stderr).toContain(`${clearLine}Using brd_`);
		expect(stderr).toMatch(/Flashing$/m);
		expect(stderr).toContain(`Flashing${clearLine}Flashed and ready`);
	});
});
