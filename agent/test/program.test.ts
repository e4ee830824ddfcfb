// The command as a process: what `check` says, how `start` ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { folderName, markOf } from '../src/drivers/survivors.ts';
import { createFakeService, token, until } from './support/fake-service.ts';
import { listen } from './support/listen.ts';
import { atEnd, temporaryFolder } from './support/running.ts';

const program = new URL('../dist/main.js', import.meta.url).pathname;

const board = (id: string, more: object = {}) => ({
	id,
	type: 'arduino-uno',
	driver: 'emulated',
	...more,
});

async function configured(service: string, boards: object[], more: object = {}): Promise<string> {
	const file = join(await temporaryFolder(), 'agent.yaml');
	await writeFile(file, JSON.stringify({ service, token, boards, ...more }));
	return file;
}

function start(...args: string[]) {
	const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
	const ended = once(child, 'close').then(([code]) => code);
	atEnd(async () => {
		if (child.exitCode === null) child.kill('SIGKILL');
		await ended;
	});
	return { child, ended, output: () => output };
}

test('check reports what works on each board, and succeeds', async () => {
	const types = { one: 'arduino-uno', two: 'rp2040-pico', three: 'any' };
	const service = await listen(createFakeService(types));
	const pico = { id: 'two', type: 'rp2040-pico', driver: 'emulated' };
	const tool = {
		id: 'three',
		type: 'any',
		driver: 'command',
		between_leases: 'keep',
		reset: ['sh'],
	};
	const file = await configured(service, [board('one'), pico, tool]);
	const mark = markOf(join(dirname(file), 'board-access-agent.state.json'), 'three');
	const inUse = await mkdtemp(join(tmpdir(), folderName(mark)));
	const { ended, output } = start('check', '--config', file);
	expect(await ended).toBe(0);
	// The folder of an agent that runs stays.
	await rmdir(inUse);
	expect(output().trim().split('\n')).toEqual([
		`ok      ${service}: accepts the token`,
		'ok      one (arduino-uno, emulated): the emulator starts',
		'ok      two (rp2040-pico, emulated): the emulator starts',
		'ok      three (any, command): sh is installed',
	]);
});

test('check compares the boards with those of the service, and fails if they differ', async () => {
	const types = { one: 'arduino-uno', two: 'esp32', four: 'rp2040-pico' };
	const service = createFakeService(types);
	service.take();
	const address = await listen(service);
	const file = await configured(address, [board('one'), board('two'), board('three')]);
	const { ended, output } = start('check', '--config', file);
	expect(await ended).toBe(1);
	expect(output().trim().split('\n')).toEqual([
		`ok      ${address}: accepts the token; an agent with this token is connected on raspberry-1`,
		"failed  two: its type is 'arduino-uno' here, and 'esp32' in the service",
		'failed  three: The service has not assigned this board to this agent, or has no board with this ID',
		'failed  four (Board four): The configuration does not contain this board',
		...['one', 'two', 'three'].map(
			(id) => `ok      ${id} (arduino-uno, emulated): the emulator starts`,
		),
	]);
	// A running agent is left alone.
	expect(service.requests).toEqual(['GET /v1/agent']);
});

test('check says that an older service cannot compare the boards', async () => {
	const service = await listen(createFakeService({}, { isOld: true }));
	const { ended, output } = start('check', '--config', await configured(service, [board('one')]));
	expect(await ended).toBe(0);
	expect(output()).toContain(
		`ok      ${service}: accepts the token, but is too old to say which boards are assigned\n`,
	);
});

test('check reports what does not work, and fails', async () => {
	const broken = {
		id: 'two',
		type: 'any',
		driver: 'command',
		between_leases: 'keep',
		flash: ['no-such-tool'],
		console: { type: 'tcp', port: 1 },
	};
	const rom = board('three', { boot_rom: 'none.bin' });
	const file = await configured('http://127.0.0.1:1', [board('one'), broken, rom]);
	const { ended, output } = start('check', '--config', file);
	expect(await ended).toBe(1);
	expect(output()).toMatch(/^failed {2}http:\/\/127\.0\.0\.1:1: /m);
	expect(output()).toMatch(/^ok {6}one /m);
	expect(output()).toMatch(/^failed {2}two .*no-such-tool is not installed; connect ECONNREFUSED/m);
	expect(output()).toMatch(/^failed {2}three .*ENOENT.*none\.bin/m);
});

test('start rejects an invalid file and names the invalid settings', async () => {
	const { ended, output } = start(
		'start',
		'--config',
		await configured('https://x.test', [board('one', { cpu_share: 3 })]),
	);
	expect(await ended).toBe(1);
	expect(output()).toMatch(/^boards\[0\]\.cpu_share: /);
});

test('start drives the boards until it receives a signal', async () => {
	const service = createFakeService({ one: 'arduino-uno' });
	const { child, ended, output } = start(
		'start',
		'--config',
		await configured(await listen(service), [board('one')]),
	);
	await until(() => output().includes('Connected to the service'), 'connected');
	const lease = service.grant('one');
	expect(await service.act(lease, 'reset')).toMatchObject({ status: 'done' });
	child.kill('SIGINT');
	expect(await ended).toBe(0);
	expect(service.stopped).toEqual(service.bootIds);
	expect(output()).not.toContain(token);
	for (const line of output().trim().split('\n'))
		expect(JSON.parse(line)).toMatchObject({ level: 'info' });
});

test('start continues when nobody reads its log any more', async () => {
	const service = await listen(createFakeService({ one: 'arduino-uno' }));
	const { child, ended, output } = start(
		'start',
		'--config',
		await configured(service, [board('one')]),
	);
	await until(() => /Connected/.test(output()), 'the agent is connected');
	child.stdout.destroy();
	child.kill('SIGTERM');
	expect(await ended).toBe(0);
});

/** A process that drives the board `one`, with a lease on it. */
async function startLeased(more: object = {}) {
	const service = createFakeService({ one: 'arduino-uno', two: 'arduino-uno' });
	const address = await listen(service);
	const file = await configured(address, [board('one')], more);
	const started = start('start', '--config', file);
	const says = (text: string) => until(() => started.output().includes(text), text);
	await says('Connected to the service');
	const lease = service.grant('one');
	await service.act(lease, 'reset');
	return { ...started, says, service, address, file, lease };
}

const draining = 'Accepting no new leases';

test('SIGTERM waits for the leases, and a second one does not', async () => {
	const first = await startLeased();
	first.child.kill('SIGTERM');
	await first.says(draining);
	expect(first.service.stopped).toEqual([]);
	await first.service.act(first.lease, 'reset');
	first.service.release(first.lease);
	expect(await first.ended).toBe(0);
	const second = await startLeased();
	second.child.kill('SIGTERM');
	await second.says(draining);
	second.child.kill('SIGTERM');
	expect(await second.ended).toBe(0);
	expect(second.service.stopped).toEqual(second.service.bootIds);
});

test('SIGTERM waits no longer than drain_timeout', async () => {
	const { child, ended, output } = await startLeased({ drain_timeout: 0.2 });
	child.kill('SIGTERM');
	expect(await ended).toBe(0);
	expect(output()).toContain('drain_timeout has passed');
});

test('drain reaches the running agent, and fails without one', async () => {
	const { ended, says, service, file, lease } = await startLeased({ drain_timeout: 0 });
	const command = start('drain', '--config', file);
	expect(await command.ended).toBe(0);
	expect(command.output()).toMatch(/^The agent accepts no new leases/);
	await says(draining);
	await service.act(lease, 'reset');
	service.release(lease);
	expect(await ended).toBe(0);
	const alone = start('drain', '--config', file);
	expect(await alone.ended).toBe(1);
	expect(alone.output()).toMatch(/^No running agent has noticed .*\.drain\. Use the config/);
});

test('the configuration is read again on SIGHUP and when its file is replaced', async () => {
	const { child, ended, says, output, service, address, file, lease } = await startLeased();
	await writeFile(file, 'boards: [');
	child.kill('SIGHUP');
	await says('The configuration cannot be used');
	const draft = await configured(address, [board('one'), board('two')]);
	await rename(draft, file);
	await says('The configuration was read again');
	await until(() => 'two' in service.capabilities, 'the other board is there');
	await service.act(lease, 'reset');
	expect(service.bootIds).toHaveLength(1);
	expect(output()).not.toContain('Releasing the board');
	child.kill('SIGINT');
	expect(await ended).toBe(0);
});
