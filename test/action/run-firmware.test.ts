import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BoardAccess } from 'board-access';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { createTestService, type TestService } from 'board-access-service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endJob, runStep } from '../../src/action/run.ts';
import { Runner } from '../../src/action/runner.ts';
import { apiKey as anyKey } from '../support/client.ts';
import { createLeaseService } from '../support/lease-service.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { prepareStep } from '../support/workflow-step.ts';

const firmware = sampleFirmwarePath('arduino-uno');

const step = async (inputs: Record<string, string>, fetch: typeof globalThis.fetch) => {
	const prepared = await prepareStep(
		{ command: 'run', 'base-url': 'http://localhost', firmware, ...inputs },
		{ RUNNER_TEMP: await temporaryDirectory() },
	);
	const lines: string[] = [];
	const print = (text: string) => lines.push(text);
	const exitCode = await runStep(new Runner(prepared.env, print), fetch);
	const end = async () =>
		endJob(new Runner({ ...prepared.env, ...(await prepared.state()) }, print), fetch);
	return { ...prepared, exitCode, end, log: () => lines.join('') };
};

describe('run with an emulated board', () => {
	let service: TestService;
	beforeAll(async () => {
		service = await createTestService({ agent: true });
	}, 30_000);
	afterAll(() => service.close());

	const run = (inputs: Record<string, string>) =>
		step({ 'api-key': service.demo.apiKey, 'board-type': 'arduino-uno', ...inputs }, service.fetch);
	const liveLeases = async () => {
		const headers = { authorization: `Bearer ${service.demo.apiKey}` };
		const response = await service.fetch('http://localhost/v1/leases?status=active', { headers });
		return (await response.json()).data;
	};

	it('passes when the console shows everything in order', async () => {
		const { exitCode, outputs, summary, log, end } = await run({ expect: 'Hello\n/Uno\\s/' });
		expect({ exitCode, log: log() }).toMatchObject({ exitCode: 0 });
		const { 'board-id': boardId = '', 'console-file': file = '', result } = await outputs();
		expect(result).toBe('passed');
		expect(await readFile(file, 'utf8')).toContain('Hello from Arduino Uno\r\n');
		expect(log()).toMatch(/^[^[\n]*Hello from Arduino Uno$/m);
		const page = await summary();
		for (const text of ['passed', boardId, 'Hello', '/Uno\\s/', 'Hello from Arduino Uno']) {
			expect(page).toContain(text);
		}
		expect(await liveLeases()).toEqual([]);
		expect(await end()).toBe(0);
	});

	it('carries out a scenario, and lists its steps in the summary', async () => {
		const scenario = join(await temporaryDirectory(), 'twice.yml');
		await writeFile(scenario, 'steps: [{expect: Hello}, {send: "one\\\\r"}, {expect: ONE}]');
		const { exitCode, summary, log } = await run({ scenario });
		expect({ exitCode, log: log() }).toMatchObject({ exitCode: 0 });
		expect(await summary()).toContain('<td>send 4 bytes</td><td>passed</td>');
		expect(await summary()).toContain('uno-sample.hex: twice.yml</td><td>passed</td>');
		expect((await run({ scenario, expect: 'x' })).log()).toContain('the input scenario, which');
		await writeFile(scenario, 'steps: [{expct: Hello}]');
		const wrong = await run({ scenario });
		expect(wrong.exitCode).toBe(1);
		expect(wrong.log()).toMatch(
			/::error::\S+twice\.yml:1: there is no "expct"\. Did you mean expect/,
		);
		expect(wrong.log()).not.toContain('[leased]');
	});

	it('runs on the lease of lease-id, and never releases it', async () => {
		const { apiKey } = service.demo;
		const client = new BoardAccess({ baseUrl: 'http://localhost', apiKey, fetch: service.fetch });
		await using lease = await client.leases.create({ boardId: 'brd_arduino-uno-01' });
		const on = { 'lease-id': lease.id, 'board-type': '', expect: 'Hello' };
		const { exitCode, outputs, end } = await run(on);
		expect(exitCode).toBe(0);
		expect(await outputs()).toMatchObject({ 'board-id': 'brd_arduino-uno-01', result: 'passed' });
		expect(await end()).toBe(0);
		await lease.refresh();
		expect(lease.status).toBe('active');
		const both = await run({ 'lease-id': lease.id });
		expect(both.log()).toContain('Set either the input lease-id, or board-id or board-type');
	});

	it('uses the board that board-id names', async () => {
		const { outputs } = await run({ 'board-id': 'brd_arduino-uno-02', expect: 'Hello' });
		expect(await outputs()).toMatchObject({ 'board-id': 'brd_arduino-uno-02', result: 'passed' });
	});

	it('fails when the fail text appears first, and shows the console', {
		tags: 'long',
	}, async () => {
		const { exitCode, outputs, summary, log } = await run({ expect: 'PASS', fail: '/from \\w+/' });
		expect(exitCode).toBe(1);
		expect(log()).toContain('::error::');
		expect(await outputs()).toMatchObject({ result: 'fail_seen' });
		expect(await summary()).toContain('<td>failed</td>');
		expect(await liveLeases()).toEqual([]);
	});

	it('fails when the text does not appear in time', { tags: 'long' }, async () => {
		const { exitCode, outputs } = await run({ expect: 'PASS', timeout: '1s' });
		expect({ exitCode, outputs: await outputs() }).toMatchObject({
			exitCode: 1,
			outputs: { result: 'not_seen' },
		});
	});

	it('fails when no board is available', async () => {
		const { apiKey } = service.demo;
		const { fetch } = service;
		const client = new BoardAccess({ baseUrl: 'http://localhost', apiKey, fetch });
		await using _ = await client.leases.create({ boardId: 'brd_rp2040-pico-01' });
		const { exitCode, outputs, end } = await run({
			'board-id': 'brd_rp2040-pico-01',
			firmware: sampleFirmwarePath('rp2040-pico'),
			wait: '0s',
		});
		expect({ exitCode, outputs: await outputs() }).toMatchObject({
			exitCode: 1,
			outputs: { result: 'no_board' },
		});
		expect(await end()).toBe(0);
	});

	it('rejects firmware for another board before it leases one', async () => {
		const { exitCode, log, outputs } = await run({ firmware: sampleFirmwarePath('rp2040-pico') });
		expect({ exitCode, outputs: await outputs() }).toMatchObject({
			exitCode: 1,
			outputs: { result: 'error' },
		});
		expect(log()).toMatch(/::error::\S+pico-sample\.uf2: The UF2 file has .*, outside the flash/);
		expect(log()).not.toContain('[leased]');
	});

	it('fails without leasing a board that no agent drives', async () => {
		const { exitCode, log } = await run({ 'board-type': 'esp32-s3' });
		expect(exitCode).toBe(1);
		expect(log()).toContain('::error::No agent drives a board of type esp32-s3');
	});

	it('flashes raw firmware at flash-offset', async () => {
		const raw = { 'flash-offset': '0x7000000', firmware: 'package.json', raw: 'true' };
		const { exitCode, log } = await run(raw);
		expect(exitCode).toBe(1);
		expect(log()).toContain('0x7000000');
	});

	it('rejects a file of no known format before it requests a board', async () => {
		const service = createLeaseService();
		const inputs = { 'api-key': anyKey, 'board-type': 'arduino-uno', firmware: 'package.json' };
		const { exitCode, log, outputs } = await step(inputs, service.fetch);
		expect({ exitCode, outputs: await outputs() }).toEqual({
			exitCode: 1,
			outputs: { result: 'error' },
		});
		expect(log()).toContain(
			'::error::package.json: The file is neither Intel HEX, UF2 nor ELF. To flash its bytes as they are, pass the input raw: true',
		);
		expect(service.requests('POST /v1/leases')).toEqual([]);
	});

	it.each([
		{ 'api-key': '"key"' },
		{ 'api-key': '' },
		{ 'base-url': '' },
		{ firmware: 'none.hex' },
		{ timeout: 'soon' },
	])('has the result error for what fails before it asks for a board: %j', async (inputs) => {
		const { exitCode, outputs } = await run(inputs);
		expect({ exitCode, outputs: await outputs() }).toEqual({
			exitCode: 1,
			outputs: { result: 'error' },
		});
	});

	it('names the input that is missing or invalid', async () => {
		const without = async (inputs: Record<string, string>) => (await run(inputs)).log();
		expect(await without({ firmware: '' })).toContain('The input firmware is required');
		expect(await without({ 'board-type': '' })).toContain('The input board-type is required');
		expect(await without({ timeout: 'soon' })).toContain('"soon" is not a duration');
		expect(await without({ expect: '/(/' })).toContain('is not a valid regular expression');
	});
});

describe('what a board prints', () => {
	const show = async (text: string) => {
		const service = createLeaseService();
		service.setOnAction((action) => {
			service.finish(action, 'done');
			for (const piece of [text.slice(0, 3), text.slice(3), '\nend\n']) service.print(piece);
		});
		return step({ 'api-key': anyKey, 'board-type': 'arduino-uno', expect: 'end' }, service.fetch);
	};

	it('is neither markup nor Markdown in the summary', async () => {
		const { summary } = await show('<img src=x>\n \t\n\n# Title & **bold**\n</pre></details>');
		const page = await summary();
		expect(page).toContain(
			'&lt;img src=x&gt;\n&nbsp;\n&nbsp;\n# Title &amp; **bold**\n&lt;/pre&gt;',
		);
		expect(page.trimEnd().slice(page.indexOf('<pre>'))).not.toMatch(/^\s*$/m);
	});

	it('is not a command for the runner', async () => {
		const { log } = await show('::add-mask::a\n\x85::error::b\nx ##[set-output name=result;]c');
		expect(log()).toContain(': :add-mask::a\n');
		expect(log().replace(/^::add-mask::key_\w+$/gm, '')).not.toMatch(/^[\s\x85]*::|##\[/m);
	});

	it('is one line of the log for each line', async () => {
		const { log } = await show('first line\r\nsecond');
		expect(log()).toContain('\nfirst line\nsecond\nend\n');
	});
});

it('has the result silent for a board that prints nothing', async () => {
	const inputs = { 'api-key': anyKey, 'board-type': 'uno', expect: 'PASS', timeout: '100ms' };
	const after = { 'after-fail': '0s' };
	const { exitCode, outputs, log } = await step(
		{ ...inputs, ...after },
		createLeaseService().fetch,
	);
	expect({ exitCode, outputs: await outputs() }).toMatchObject({
		exitCode: 1,
		outputs: { result: 'silent' },
	});
	expect(log()).toContain('Nothing was printed.%0AThe board has printed nothing');
});

it('shows the lines after the fail text in the summary', async () => {
	const service = createLeaseService();
	service.setOnAction((action) => {
		service.finish(action, 'done');
		service.print('panic\n');
	});
	let listings = 0;
	const fetch: typeof globalThis.fetch = (input, init) => {
		// The scenario looks for other actions once it has failed.
		const isOver = service.actions.length > 0 && String(input).endsWith('/actions') && !init?.body;
		if (isOver && ++listings === 2) setTimeout(() => service.print('backtrace\n'), 50);
		return service.fetch(input, init);
	};
	const inputs = { 'api-key': anyKey, 'board-type': 'uno', expect: 'PASS', fail: 'panic' };
	const { summary, outputs } = await step(inputs, fetch);
	expect(await outputs()).toMatchObject({ result: 'fail_seen' });
	expect(await summary()).toMatch(/showed &quot;panic&quot;: panic backtrace</);
	expect(await summary()).toMatch(/<pre>panic\nbacktrace\n/);
});

it('warns while the service cannot be reached, and when it is back', async () => {
	const service = createLeaseService();
	service.faults.push(({ path }) =>
		path === '/v1/leases' && service.requests('POST /v1/leases').length === 1
			? service.lost()
			: undefined,
	);
	const { exitCode, log } = await step(
		{ 'api-key': anyKey, 'board-type': 'arduino-uno' },
		service.fetch,
	);
	expect(exitCode).toBe(0);
	expect(log()).toMatch(
		/::warning::The service cannot be reached; retrying\n::warning::The service is back\n/,
	);
});

it('has the result error, not not_seen, when the service is unreachable during an expectation', {
	tags: 'long',
}, async () => {
	const service = createLeaseService();
	const rejection = new Response('', { status: 400 });
	const fetch: typeof globalThis.fetch = async (input, init) => {
		if (init?.method === 'DELETE') return rejection;
		if (service.actions.length > 0 && String(input).includes('/console')) {
			return new Response('', { status: 502 });
		}
		return service.fetch(input, init);
	};
	const inputs = { 'api-key': anyKey, 'board-type': 'uno', expect: 'PASS', timeout: '1s' };
	const { exitCode, outputs, summary } = await step(inputs, fetch);
	expect(exitCode).toBe(1);
	expect(await outputs()).toMatchObject({ result: 'error' });
	expect(await summary()).toMatch(/<td>PASS<\/td><td>error<\/td>/);
});

it('rejects a board ID that a shell would interpret', async () => {
	const service = createLeaseService();
	const { exitCode, outputs, log } = await step(
		{ 'api-key': anyKey, 'board-id': '$(reboot)' },
		service.fetch,
	);
	expect({ exitCode, outputs: await outputs() }).toEqual({
		exitCode: 1,
		outputs: { result: 'error' },
	});
	expect(log()).toContain('not allowed in a shell');
	expect(service.requests('DELETE /v1/leases')).toHaveLength(1);
});

it('releases the lease of a step that ended in the queue when the job ends', async () => {
	const service = createLeaseService();
	service.enqueue(2);
	const prepared = await prepareStep(
		{ command: 'run', 'base-url': 'http://localhost', 'api-key': anyKey, 'board-type': 'uno' },
		{ STATE_leaseId: 'lse_1' },
	);
	expect(await endJob(new Runner(prepared.env, () => {}), service.fetch)).toBe(0);
	expect(service.requests('DELETE /v1/leases')).toHaveLength(1);
});
