// What an agent does for a lease, and never does after it, when the network or the clock fails.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent } from '../src/index.ts';
import { sampleFirmware } from '../src/samples.ts';
import { address, createFakeService, token, until } from './support/fake-service.ts';
import {
	atEnd,
	type BoardSettings,
	isRunning,
	script,
	serviceOf,
	startWith,
	temporaryFolder,
} from './support/running.ts';

const uno: BoardSettings = { id: 'uno', type: 'arduino-uno', driver: 'emulated' };

/** How long the agent keeps a board beyond the end of its lease, which may have been renewed. */
const maxHold = 60_000;

const isReport = (request: string) => request.startsWith('POST /v1/agent/actions/');
const isConsole = (request: string) => request.startsWith('POST /v1/agent/console/');

/** A board whose tools record that they ran. */
async function recordingBoard(flash = 'echo flash >> "$2"') {
	const folder = await temporaryFolder();
	const file = join(folder, 'record');
	await writeFile(file, '');
	const note = (word: string) => script(`echo ${word} >> "$1"`, file);
	const board: BoardSettings = {
		id: 'real',
		type: 'real-board',
		driver: 'command',
		between_leases: 'keep',
		flash: script(flash, '{file}', file),
		reset: note('reset'),
		power_on: note('on'),
		power_off: note('off'),
		power_pause: 0,
	};
	return { board, folder, record: async () => (await readFile(file, 'utf8')).trim().split('\n') };
}

test('the agent reports what its boards can do', async () => {
	const { board } = await recordingBoard();
	const { service } = await startWith([uno, board]);
	expect(service.capabilities).toEqual({
		uno: {
			actions: ['flash', 'erase', 'reset', 'power_on', 'power_off', 'power_cycle'],
			console: true,
			between_leases: 'erase',
			memory: { start: 0, size: 32 * 1024, machine: 83 },
			pins: expect.objectContaining({ analog: ['A0', 'A1', 'A2', 'A3', 'A4', 'A5'], volts: 5 }),
			debug: true,
		},
		real: {
			actions: ['flash', 'reset', 'power_on', 'power_off', 'power_cycle'],
			console: false,
			between_leases: 'keep',
			memory: { start: 0, size: 0xffff_ffff },
		},
	});
});

test('actions run one after the other, and are reported in order', async () => {
	const { board, record } = await recordingBoard('sleep 0.8; echo flash >> "$2"');
	const { service } = await startWith([board]);
	const lease = service.grant('real');
	const flash = service.request(lease, 'flash', { file: Buffer.from('firmware') });
	const cycle = service.request(lease, 'power_cycle');
	await service.act(lease, 'reset');
	expect(await record()).toEqual(['on', 'flash', 'off', 'on', 'reset']);
	expect([flash, cycle]).toMatchObject([{ status: 'done' }, { status: 'done' }]);
	expect(flash.reports).toEqual(['running', 'done']);
});

test('an action that the board does not support fails with the reason', async () => {
	const { board } = await recordingBoard();
	const { service } = await startWith([board]);
	expect(await service.act(service.grant('real'), 'erase')).toMatchObject({
		status: 'failed',
		message: 'This board does not support erase',
	});
});

test('a report is repeated until the service responds, and the action runs once', async () => {
	const { board, record } = await recordingBoard();
	const { service } = await startWith([board]);
	const lease = service.grant('real');
	service.loseResponses.action = 3;
	const flash = await service.act(lease, 'flash', { file: Buffer.from('firmware') });
	await until(() => flash.reports.filter((status) => status === 'done').length > 0, 'done');
	await until(() => service.loseResponses.action === 0, 'responses lost');
	await service.act(lease, 'reset');
	expect(await record()).toEqual(['on', 'flash', 'reset']);
	expect(flash.reports.length).toBeGreaterThan(2);
});

test('an action that ends while the network is down is reported afterwards, and runs once', async () => {
	const { board, folder, record } = await recordingBoard(
		'echo flash >> "$2"; until test -e "$2.end"; do sleep 0.01; done',
	);
	const { service } = await startWith([board]);
	const lease = service.grant('real');
	const flash = service.request(lease, 'flash', { file: Buffer.from('firmware') });
	await until(async () => (await record()).at(-1) === 'flash', 'flashing');
	service.cut();
	await writeFile(join(folder, 'record.end'), '');
	await until(() => service.lost.some(isReport), 'a report is lost');
	service.repair();
	await until(() => flash.status === 'done', 'done');
	await service.act(lease, 'reset');
	expect(await record()).toEqual(['on', 'flash', 'reset']);
});

test('a new connection neither repeats actions nor input', async () => {
	const { service, agent, logged } = await startWith([uno]);
	const lease = service.grant('uno');
	await service.act(lease, 'flash', { file: await sampleFirmware('arduino-uno') });
	service.write(lease, 'one\r');
	await service.expect(lease, /ONE\r\n/);
	const { bootId } = agent;
	service.disconnect();
	const connections = () =>
		service.requests.filter((each) => each === 'POST /v1/agent/work').length;
	await until(() => connections() > 1, 'connected again');
	service.write(lease, 'two\r');
	await service.expect(lease, /TWO\r\n/);
	expect(service.output(lease)).toMatch(/^Hello[^\n]*\nONE\r\nTWO\r\n$/);
	expect(new Set(service.bootIds)).toEqual(new Set([bootId]));
	// Connections end all the time, so that the agent shows that it is alive.
	expect(logged.filter((line) => line.startsWith('Connected'))).toHaveLength(1);
});

test('a board that only the configuration or only the service has causes one warning, not one for each connection', async () => {
	const { service, logged } = await startWith([uno], {
		service: createFakeService({ elsewhere: 'arduino-uno' }),
	});
	const connections = () =>
		service.requests.filter((each) => each === 'POST /v1/agent/work').length;
	// The end of a connection comes after its first line, which the agent warns of.
	for (const count of [1, 2]) {
		service.disconnect();
		await until(() => connections() > count, 'connected again');
	}
	expect(logged.filter((line) => line.includes('this board'))).toEqual([
		expect.stringContaining('does not contain this board {"boardId":"elsewhere"}'),
		expect.stringContaining('not assigned this board to this agent {"boardId":"uno"}'),
	]);
});

test('the agent releases a board by its own clock when the connection is dead', async () => {
	const { board, folder, record } = await recordingBoard('sleep 60 & echo $! > "$2.pid"; wait');
	const { service, logged } = await startWith([board]);
	const lease = service.grant('real');
	service.request(lease, 'flash', { file: Buffer.from('firmware') });
	const pid = async () =>
		Number(await readFile(join(folder, 'record.pid'), 'utf8').catch(() => '0'));
	await until(async () => (await pid()) > 0, 'the tool runs');
	const child = await pid();
	expect(isRunning(child)).toBe(true);
	service.renew(lease, 500 - maxHold);
	service.cut();
	await until(() => !isRunning(child), 'the tool is ended');
	await until(async () => (await record()).at(-1) === 'off', 'the board is released');

	// The service still considers the lease active, and requests more.
	lease.endsAt = performance.now() + 60_000;
	service.request(lease, 'reset');
	service.repair();
	await until(
		() => logged.some((line) => line.startsWith('The service still has a lease')),
		'the agent has seen the lease',
	);
	await service.act(service.grant('real'), 'reset');
	expect(await record()).toEqual(['on', 'off', 'on', 'reset']);
});

test('the agent stops using a released board', async () => {
	const { board, record } = await recordingBoard();
	const { service } = await startWith([board]);
	const lease = service.grant('real');
	await service.act(lease, 'reset');
	service.release(lease);
	await until(async () => (await record()).at(-1) === 'off', 'the board is released');
	expect(await record()).toEqual(['on', 'reset', 'off']);
});

test('the next lease begins when the agent has finished the previous one', async () => {
	const { board, folder, record } = await recordingBoard(
		'trap "sleep 0.3; echo late >> $2; exit 1" TERM; touch "$2.ready"; sleep 60 & wait',
	);
	const { service } = await startWith([board]);
	const first = service.grant('real');
	const flash = service.request(first, 'flash', { file: Buffer.from('firmware') });
	await until(() => existsSync(join(folder, 'record.ready')), 'the tool runs');
	const second = service.grant('real');
	await service.act(second, 'reset');
	expect(await record()).toEqual(['on', 'late', 'off', 'on', 'reset']);
	expect(flash.reports).not.toContain('done');
	expect(flash.reports).not.toContain('failed');
});

test('an older fence is ignored, even after a restart', async () => {
	const { board, folder, record } = await recordingBoard();
	const stateFile = join(folder, 'state.json');
	const { service, agent, logged } = await startWith([board], { stateFile });
	const action = {
		id: 'act_old',
		action: 'reset',
		file_id: null,
		flash_offset: null,
	};
	const wanted = (fence: number) => ({
		boards: [
			{
				board_id: 'real',
				fence,
				lease: { id: 'lse_old', remaining_ms: 60_000, actions: [action], input: null, sync: 0 },
			},
		],
	});
	service.grant('real');
	await service.act(service.grant('real'), 'reset');
	service.send(wanted(1));
	await until(
		() => logged.some((line) => line.startsWith('An older fence')),
		'the older fence is seen',
	);
	await service.act(service.grant('real'), 'reset');
	const before = await record();
	expect(before.filter((word) => word === 'reset')).toHaveLength(2);
	await agent.stop();

	const again = await startWith([board], { stateFile, service: serviceOf([board]) });
	again.service.send(wanted(2));
	await until(() => again.logged.some((line) => line.startsWith('An older fence')), 'seen again');
	again.service.send(wanted(4));
	await until(async () => (await record()).at(-1) === 'reset', 'a newer one is not ignored');
	expect(await record()).toEqual([...before, 'off', 'on', 'reset']);
});

test('a board is not touched while its fence cannot be stored', async () => {
	const { board, folder, record } = await recordingBoard();
	const stateFile = join(folder, 'state.json');
	await mkdir(`${stateFile}.new`); // where the new state would be written
	const { service } = await startWith([board], { stateFile });
	expect(await service.act(service.grant('real'), 'reset')).toMatchObject({
		status: 'failed',
		message: expect.stringContaining('EISDIR'),
	});
	expect(await record()).not.toContain('reset');
});

test('the agent says its version, its host and for how long it runs', async () => {
	const { service } = await startWith([(await recordingBoard()).board]);
	expect(service.program).toMatchObject({
		version: expect.stringMatching(/^\d+\.\d+\.\d+/),
		host: hostname(),
		uptime_ms: expect.any(Number),
	});
});

test('a temporary folder that cannot be written is a failure of the agent, until it can', async () => {
	const { board, folder, record } = await recordingBoard();
	const { service } = await startWith([board]);
	const lease = service.grant('real');
	await service.act(lease, 'reset');
	const { TMPDIR } = process.env;
	process.env.TMPDIR = join(folder, 'missing');
	atEnd(async () => {
		if (TMPDIR === undefined) delete process.env.TMPDIR;
		else process.env.TMPDIR = TMPDIR;
	});
	const file = Buffer.from('firmware');
	expect(await service.act(lease, 'flash', { file })).toMatchObject({
		status: 'failed',
		cause: 'agent',
		message: expect.stringContaining('The agent cannot write to its temporary folder: ENOENT'),
	});
	await mkdir(join(folder, 'missing'));
	expect(await service.act(lease, 'flash', { file })).toMatchObject({ status: 'done' });
	expect(await record()).toEqual(['on', 'reset', 'flash']);
});

test('a file that cannot be downloaded is a failure of the agent', async () => {
	const { board } = await recordingBoard();
	const { service } = await startWith([board]);
	const lease = service.grant('real');
	expect(
		await service.act(lease, 'flash', { file: Buffer.from('x'), fileId: 'fil_gone' }),
	).toMatchObject({
		status: 'failed',
		cause: 'agent',
		message: 'The agent cannot download the file: file_not_found',
	});
});

test('an action that was running before a restart is not run again', async () => {
	const { board, record } = await recordingBoard('echo flash >> "$2"; sleep 60');
	const { service, agent } = await startWith([board]);
	const lease = service.grant('real');
	const flash = service.request(lease, 'flash', { file: Buffer.from('firmware') });
	await until(async () => (await record()).at(-1) === 'flash', 'flashing');
	await until(() => flash.status === 'running', 'the service knows');
	await agent.stop();
	await startWith([board], { service });
	expect(service.bootIds).toHaveLength(2);
	await service.act(service.grant('real'), 'reset');
	expect(await record()).toEqual(['on', 'flash', 'off', 'on', 'reset']);
	expect(flash).toMatchObject({ status: 'running', reports: ['running'] });
});

test('the agent stops using a lease whose fence is outdated', async () => {
	const { board, record } = await recordingBoard('sleep 0.2');
	const { service, logged } = await startWith([board]);
	const lease = service.grant('real');
	service.request(lease, 'flash', { file: Buffer.from('firmware') });
	await until(async () => (await record()).at(-1) === 'on', 'the board is acquired');
	// Without a line that says so.
	lease.live = false;
	await until(async () => (await record()).at(-1) === 'off', 'the board is released');
	expect(logged.join('\n')).toContain('fence_outdated');
});

test('no console byte is lost or repeated when responses are lost', async () => {
	const { service } = await startWith([uno]);
	const lease = service.grant('uno');
	service.loseResponses.console = 2;
	await service.act(lease, 'flash', { file: await sampleFirmware('arduino-uno') });
	service.write(lease, 'one\r');
	await service.expect(lease, /ONE\r\n/);
	service.loseResponses.console = 1;
	service.write(lease, 'two\r');
	await service.expect(lease, /TWO\r\n/);
	service.write(lease, 'three\r');
	await service.expect(lease, /THREE\r\n/);
	expect(service.output(lease)).toMatch(/^Hello[^\n]*\nONE\r\nTWO\r\nTHREE\r\n$/);
});

test('the agent confirms input once, whether or not the board prints something', async () => {
	const { service } = await startWith([uno]);
	const lease = service.grant('uno');
	service.write(lease, 'to a board without firmware');
	await until(() => lease.confirmed.length > 0, 'confirmed');
	await service.act(lease, 'flash', { file: await sampleFirmware('arduino-uno') });
	await service.expect(lease, /Hello/);
	service.write(lease, 'one\r');
	await service.expect(lease, /ONE\r\n/);
	await until(() => lease.confirmed.length > 1, 'confirmed');
	await service.act(lease, 'reset');
	await service.expect(lease, /Hello[\s\S]*Hello/);
	expect(lease.confirmed).toEqual([27, 31]);
});

test('the agent reports how much input the service has lost', async () => {
	const { service } = await startWith([uno]);
	const lease = service.grant('uno');
	await service.act(lease, 'flash', { file: await sampleFirmware('arduino-uno') });
	const send = (input: { offset: number; data: string }) => {
		const { boardId: board_id, fence, id } = lease;
		const wanted = { id, remaining_ms: 60_000, actions: [], input, sync: 0 };
		service.send({ boards: [{ board_id, fence, lease: wanted }] });
	};
	send({ offset: 9, data: '' });
	await service.expect(lease, /\[… 9 bytes of input were lost …\]/);
	send({ offset: 12, data: Buffer.from('one\r').toString('base64') });
	await service.expect(lease, /\[… 3 bytes of input were lost …\][\s\S]*ONE\r\n/);
});

test('output from a network outage arrives afterwards', async () => {
	const { service } = await startWith([uno]);
	const lease = service.grant('uno');
	await service.act(lease, 'flash', { file: await sampleFirmware('arduino-uno') });
	await service.expect(lease, /Hello/);
	service.write(lease, 'while cut\r');
	service.cut();
	await until(() => service.lost.some(isConsole), 'output is lost');
	expect(service.output(lease)).not.toContain('WHILE CUT');
	service.repair();
	await service.expect(lease, /WHILE CUT\r\n/);
});

test('a rejected token is logged once, without the token, and the agent keeps retrying', async () => {
	const logged: string[] = [];
	const record = (details: object, message: string) => {
		logged.push(`${message} ${JSON.stringify(details)}`);
	};
	const service = serviceOf([uno]);
	const other = token.replace('0', 'f');
	const agent = await startAgent({
		config: { service: address, token: other, boards: [uno] },
		fetch: service.fetch,
		log: { info: record, warn: record, error: record },
	});
	await until(() => service.requests.length >= 3, 'three attempts');
	await agent.stop();
	expect(logged).toEqual(['The service is not reachable {"reason":"agent_token_invalid"}']);
});
