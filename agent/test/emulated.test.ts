// Emulated boards from end to end: the agent, its link, the worker thread and the sample firmware.
import { afterEach, describe, expect, test } from 'vitest';
import { type AgentConfig, type RunningAgent, startAgent } from '../src/index.ts';
import { sampleBaseImage, sampleFirmware } from '../src/samples.ts';
import { eepromReader, eepromWriter } from './support/chatty-uno.ts';
import {
	address,
	createFakeService,
	type FakeService,
	token,
	until,
} from './support/fake-service.ts';

let service: FakeService;
let agent: RunningAgent;

async function start(boards: AgentConfig['boards'], stateFile?: string): Promise<void> {
	service = createFakeService(Object.fromEntries(boards.map(({ id, type }) => [id, type])));
	const config = { service: address, token, boards, ...(stateFile && { state_file: stateFile }) };
	agent = await startAgent({ config, fetch: service.fetch });
	await agent.whenConnected();
}

afterEach(async () => {
	await agent.stop();
	service.stop();
});

const emulated = (type: string, more: object = {}) => ({
	id: 'board-1',
	type,
	driver: 'emulated' as const,
	...more,
});

test('an emulated board begins each lease with a new flash and EEPROM', async () => {
	await start([emulated('arduino-uno')]);
	const first = service.grant('board-1');
	await service.act(first, 'flash', { file: eepromWriter });
	await service.expect(first, /Z/);
	await service.act(first, 'flash', { file: eepromReader });
	await service.expect(first, /ZZZ/);
	service.release(first);
	const second = service.grant('board-1');
	await service.act(second, 'reset');
	expect(second.output).toHaveLength(0);
	await service.act(second, 'flash', { file: eepromReader });
	await until(() => second.output.length > 100, 'the firmware prints');
	expect(second.output.every((byte) => byte === 0xff)).toBe(true);
});

describe.each(['arduino-uno', 'rp2040-pico'] as const)('an emulated %s', (type) => {
	test('is flashed, prints its greeting, echoes input and obeys commands', async () => {
		await start([emulated(type)]);
		const lease = service.grant('board-1');
		const flashed = await service.act(lease, 'flash', { file: await sampleFirmware(type) });
		expect(flashed.status).toBe('done');
		await service.expect(lease, /^Hello from .*\r\n/);
		service.write(lease, 'good morning\r');
		await service.expect(lease, /GOOD MORNING\r\n/);
		service.write(lease, 'pass\rfail\rhelp\r');
		await service.expect(lease, /PASS\r\nFAIL\r\nCommands: help/);
	});

	test('loses no byte of a long line of input', async () => {
		await start([emulated(type)]);
		const lease = service.grant('board-1');
		await service.act(lease, 'flash', { file: await sampleFirmware(type) });
		const lines = Array.from({ length: 20 }, (_, index) => `${index}:${'abcdefghij'.repeat(9)}`);
		service.write(lease, lines.map((line) => `${line}\r`).join(''));
		await service.expect(lease, new RegExp(lines.map((line) => line.toUpperCase()).join('\r\n')));
	});

	test('confirms no more input than fits its serial port, and an action does not wait for the rest', async () => {
		await start([emulated(type)]);
		const lease = service.grant('board-1');
		service.write(lease, 'x'.repeat(10_000));
		await until(() => lease.confirmed.at(-1) === 4096, 'a part of the input is confirmed');
		await service.act(lease, 'power_off');
		await service.expect(
			lease,
			/\[… 5904 bytes of input may not have arrived: The firmware did not read them/,
		);
		service.write(lease, 'nobody');
		await service.expect(
			lease,
			/\[… 6 bytes of input may not have arrived: The board has no power …\]/,
		);
		await until(() => lease.confirmed.at(-1) === 10_006, 'all input is confirmed');
		await service.act(lease, 'power_on');
		await service.act(lease, 'flash', { file: await sampleFirmware(type) });
		service.write(lease, 'after\r');
		await service.expect(lease, /Hello[^\n]*\nAFTER\r\n$/);
		expect(Math.max(...lease.confirmed.filter((end) => end < 10_000))).toBe(4096);
	});

	test('that reads no input is released', { tags: 'long' }, async () => {
		await start([emulated(type)]);
		const lease = service.grant('board-1');
		service.write(lease, 'x'.repeat(10_000));
		await until(() => lease.confirmed.at(-1) === 4096, 'a part of the input is confirmed');
		const next = service.grant('board-1');
		await service.act(next, 'flash', { file: await sampleFirmware(type) });
		service.write(next, 'next\r');
		await service.expect(next, /^Hello[^\n]*\nNEXT\r\n$/);
	});

	test('starts again on reset, and is blank after erase', async () => {
		await start([emulated(type)]);
		const lease = service.grant('board-1');
		await service.act(lease, 'flash', { file: await sampleFirmware(type) });
		await service.expect(lease, /Hello[^\n]*\n/);
		expect(await service.act(lease, 'reset')).toMatchObject({ status: 'done' });
		await service.expect(lease, /Hello.*Hello[^\n]*\n/s);
		await service.act(lease, 'erase');
		await service.act(lease, 'reset');
		await service.act(lease, 'flash', { file: await sampleFirmware(type) });
		await service.expect(lease, /^(Hello[^\n]*\n){3}$/);
	});

	test('shows its whole boot output from the offset of a flash on', async () => {
		await start([emulated(type)]);
		const lease = service.grant('board-1');
		for (const _ of [1, 2, 3]) {
			const flash = await service.act(lease, 'flash', { file: await sampleFirmware(type) });
			const own = () => lease.output.subarray(flash.consoleOffset).toString();
			await until(() => own().endsWith('\n'), 'the firmware has started');
			expect(own()).toMatch(/^Hello from [^\n]*\r\n$/);
		}
	});

	test('does nothing without power', async () => {
		await start([emulated(type)]);
		const lease = service.grant('board-1');
		await service.act(lease, 'flash', { file: await sampleFirmware(type) });
		await service.expect(lease, /Hello[^\n]*\n/);
		await service.act(lease, 'power_off');
		expect(await service.act(lease, 'reset')).toMatchObject({
			status: 'failed',
			message: 'The board has no power',
		});
		await service.act(lease, 'power_on');
		await service.expect(lease, /^(Hello[^\n]*\n){2}$/);
		await service.act(lease, 'power_cycle');
		await service.expect(lease, /^(Hello[^\n]*\n){3}$/);
	});

	test('rejects firmware for another board', async () => {
		await start([emulated(type)]);
		const lease = service.grant('board-1');
		const other = type === 'arduino-uno' ? 'rp2040-pico' : 'arduino-uno';
		expect(await service.act(lease, 'flash', { file: await sampleFirmware(other) })).toMatchObject({
			status: 'failed',
			message: expect.stringContaining('outside the flash'),
		});
	});

	test('begins each lease with an empty flash', async () => {
		await start([emulated(type)]);
		const first = service.grant('board-1');
		await service.act(first, 'flash', { file: await sampleFirmware(type) });
		await service.expect(first, /Hello/);
		const second = service.grant('board-1');
		await service.act(second, 'reset');
		await service.act(second, 'flash', { file: await sampleFirmware(type) });
		await service.expect(second, /^Hello[^\n]*\n$/);
	});
});

test('two base images and then the firmware of the user are flashed', async () => {
	await start([emulated('arduino-uno')]);
	const lease = service.grant('board-1');
	service.request(lease, 'power_cycle');
	service.request(lease, 'erase');
	service.request(lease, 'flash', { file: await sampleBaseImage() });
	await service.act(lease, 'reset');
	await service.expect(lease, /Base image.*tick 1\r\n/s);
	await service.act(lease, 'flash', { file: await sampleFirmware('arduino-uno') });
	await service.expect(lease, /Hello/);
	expect(lease.actions.map(({ status }) => status)).toEqual(Array(5).fill('done'));
});

test('several boards run at the same time', async () => {
	const ids = ['a', 'b', 'c'];
	await start(ids.map((id) => ({ ...emulated('arduino-uno'), id })));
	expect(service.capabilities).toMatchObject({ a: { console: true }, c: { console: true } });
	const leases = ids.map((id) => service.grant(id));
	const file = await sampleFirmware('arduino-uno');
	await Promise.all(leases.map((lease) => service.act(lease, 'flash', { file })));
	for (const lease of leases) service.write(lease, `i am ${lease.boardId}\r`);
	await Promise.all(
		leases.map((lease) => service.expect(lease, new RegExp(`I AM ${lease.boardId}`, 'i'))),
	);
	await until(() => service.requests.length > 0, 'requests');
});
