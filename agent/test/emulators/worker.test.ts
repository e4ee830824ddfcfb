// How long the worker of a board runs and rests, on a clock that only firmware and rests advance.
import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Machine } from '../../src/emulators/boards.ts';

/** Runs firmware in a worker until the clock has this time, and returns how long it was busy. */
async function runUntil(end: number, cpuShare: number, machine: Pick<Machine, 'asleep' | 'run'>) {
	const port = Object.assign(new EventEmitter(), { postMessage() {} });
	let now = 0;
	let next = { slice: () => {}, at: 0 };
	const setTimeout = (slice: () => void, pause: number) => {
		next = { slice, at: now + pause };
	};
	let busy = 0;
	const run: Machine['run'] = (wanted, deadline) => {
		const started = now;
		const passed = machine.run(wanted, deadline);
		now += machine.asleep ? 0 : deadline - started;
		busy += now - started;
		return passed;
	};
	const pins = { sample: () => ({ leds: {}, pins: {} }), rest() {}, drive() {} };
	const started = { asleep: machine.asleep, run, pins };
	const serial = { input: [], output: [] };
	const computer = {
		flash: new Uint8Array(),
		serial,
		isBootable: () => true,
		start: () => started,
	};
	vi.resetModules();
	vi.doMock('node:worker_threads', () => ({
		parentPort: port,
		workerData: { emulator: 'arduino-uno', cpuShare },
	}));
	vi.doMock('../../src/emulators/arduino-uno.ts', () => ({ createArduinoUno: () => computer }));
	vi.spyOn(performance, 'now').mockImplementation(() => now);
	vi.stubGlobal('console', { ...console }); // the worker silences it
	onTestFinished(() => void vi.restoreAllMocks().unstubAllGlobals());
	await import('../../src/emulators/worker.ts');
	vi.stubGlobal('setTimeout', setTimeout);
	port.emit('message', { id: 1, name: 'perform', values: [{ action: 'reset' }] });
	await new Promise(setImmediate); // the call is answered before the board runs
	for (; now < end; next.slice()) now = Math.max(now, next.at);
	return busy;
}

test.each([0.1, 0.2, 0.5])(
	'firmware that spins gets %d of a core and no more',
	async (cpuShare) => {
		const busy = await runUntil(10_000, cpuShare, { asleep: false, run: (wanted) => wanted });
		expect(busy / 10_000).toBeCloseTo(cpuShare, 2);
	},
);

test('firmware that sleeps is checked 50 times a second, and has no time to catch up', async () => {
	const slices: number[] = [];
	const run = (wanted: number) => {
		slices.push(wanted);
		return wanted;
	};
	await runUntil(10_000, 0.2, { asleep: true, run });
	expect(slices).toHaveLength(501);
	expect(new Set(slices.slice(1))).toEqual(new Set([20e6]));
});
