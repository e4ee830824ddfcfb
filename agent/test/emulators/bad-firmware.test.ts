// @module-tag long
// Firmware is untrusted: it floods, spins, crashes. The agent and the other boards keep working.
// biome-ignore lint/style/noRestrictedImports: a rate is measured over some time.
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { maxOutput } from '../../src/boards/output-limit.ts';
import { sampleFirmware } from '../../src/samples.ts';
import { chattyUno } from '../support/chatty-uno.ts';
import { until } from '../support/fake-service.ts';
import { type BoardSettings, startWith } from '../support/running.ts';

const board = (type: string, more: object = {}): BoardSettings => ({
	id: type,
	type,
	driver: 'emulated',
	...more,
});

const words = (...values: number[]) => {
	const bytes = new Uint8Array(values.length * 2);
	const view = new DataView(bytes.buffer);
	for (const [index, value] of values.entries()) view.setUint16(index * 2, value, true);
	return bytes;
};

/** Starts at the instruction after the vector table. */
const pico = (...instructions: number[]) => {
	const table = [0x0000, 0x2004, 0x0009, 0x1000];
	return words(...table, ...instructions);
};

const uno = {
	spins: words(0xcfff), // rjmp .
	// ldi r16, 'x'; sts UDR0, r16 without end, never asking whether the port is free
	floods: words(0xe708, 0x9300, 0x00c6, 0xcffd),
	sleeps: words(0xe001, 0xbf03, 0x9588, 0xcffe), // SE in SMCR; sleep; again
};

const picos = {
	spins: pico(0xe7fe), // b .
	// UART0 at full speed, without its flags: ldr r0, =UART0; str r0, [r0] without end
	floods: pico(0x4801, 0x6000, 0xe7fd, 0xbf00, 0x4000, 0x4003),
	// An entry point that jumps into nothing.
	crashes: pico(0x4800, 0x4700, 0x0000, 0xf000),
	undefined: pico(0xde00, 0xdead, 0xffff, 0xffff),
};

/** What is measured is a rate, and nothing is expected after any time. */
const timeToMeasure = () => wait(1_500);

const expectAlive = async (type: 'arduino-uno' | 'rp2040-pico', bad: Uint8Array) => {
	const { service, agent } = await startWith([
		board(type),
		{ ...board('arduino-uno'), id: 'other' },
	]);
	const lease = service.grant(type);
	expect(await service.act(lease, 'flash', { file: bad })).toMatchObject({ status: 'done' });
	// For as long as another board needs to print this.
	const other = service.grant('other');
	await service.act(other, 'flash', { file: chattyUno('meanwhile\n') });
	await service.expect(other, /(meanwhile\n){20}/);
	expect(await service.act(lease, 'flash', { file: await sampleFirmware(type) })).toMatchObject({
		status: 'done',
	});
	await service.expect(lease, /Hello from/);
	expect(agent.connected).toBe(true);
};

describe('a board is usable after firmware', () => {
	test.each(Object.entries(uno))('of an Uno that %s', (_, bad) => expectAlive('arduino-uno', bad));
	test.each(Object.entries(picos))('of a Pico that %s', (_, bad) =>
		expectAlive('rp2040-pico', bad),
	);
	test('of random bytes', () =>
		expectAlive('arduino-uno', crypto.getRandomValues(new Uint8Array(4096))));
	test('of random bytes after a vector table', () => {
		const noise = crypto.getRandomValues(new Uint16Array(4096));
		return expectAlive('rp2040-pico', pico(...noise));
	});
});

test('a flood of output is limited, and what is dropped is marked', async () => {
	const { service } = await startWith([board('arduino-uno')]);
	const lease = service.grant('arduino-uno');
	const begun = performance.now();
	await service.act(lease, 'flash', { file: uno.floods });
	await service.expect(lease, /bytes dropped …\]\r\n/);
	await until(() => lease.output.length > 2 * maxOutput, 'more of the flood');
	const seconds = (performance.now() - begun) / 1000;
	expect(lease.output.length).toBeLessThan(maxOutput * (seconds + 1.5));
	expect(service.output(lease).replaceAll(/\r\n\[… \d+ bytes dropped …\]\r\n/g, '')).toMatch(
		/^x+$/,
	);
});

test('firmware that spins stays within its share of a core, and firmware that sleeps uses almost no CPU', async () => {
	const usage = async (file: Uint8Array) => {
		const { service, agent } = await startWith([board('rp2040-pico', { cpu_share: 0.2 })]);
		await service.act(service.grant('rp2040-pico'), 'flash', { file });
		const begun = performance.now();
		const before = process.cpuUsage();
		await timeToMeasure();
		const { user, system } = process.cpuUsage(before);
		await agent.stop();
		return (user + system) / 1000 / (performance.now() - begun);
	};
	// Other processes only make these smaller. Without the limit, it is about 0.8.
	expect(await usage(picos.spins)).toBeLessThan(0.4);
	expect(await usage(await sampleFirmware('rp2040-pico'))).toBeLessThan(0.2);
});

test('the other boards keep working while one floods its console', async () => {
	const { service } = await startWith([
		board('arduino-uno'),
		{ ...board('arduino-uno'), id: 'other' },
	]);
	const bad = service.grant('arduino-uno');
	const good = service.grant('other');
	await service.act(bad, 'flash', { file: uno.floods });
	await service.act(good, 'flash', { file: await sampleFirmware('arduino-uno') });
	service.write(good, 'still here\r');
	await service.expect(good, /STILL HERE/);
});

test('an emulated board runs at real time, never ahead of it', async () => {
	// Base image: a tick each second, and the firmware sleeps in between.
	const { service } = await startWith([board('arduino-uno')]);
	const lease = service.grant('arduino-uno');
	const { sampleBaseImage } = await import('../../src/samples.ts');
	const file = await sampleBaseImage();
	const begun = performance.now();
	await service.act(lease, 'flash', { file });
	await service.expect(lease, /tick 3\r/);
	expect(performance.now() - begun).toBeGreaterThan(2_900);
});
