// One board in virtual time: which lease it serves when the connection, the clock or the disk fails.
import { describe, expect, test } from 'vitest';
import type { AgentDependencies } from '../../src/agent.ts';
import type { BoardAction } from '../../src/drivers/hardware.ts';
import type { Fences } from '../../src/fences.ts';
import { wait } from '../../src/time.ts';
import { refusal } from '../support/fake-service.ts';
import { freeze, pass, recordingHardware, startInVirtualTime } from '../support/virtual.ts';

const noRoom = new Error('ENOSPC: no space left on device');

/** A board that prints its input, and `boot` when it is opened. */
function printing() {
	const { hardware } = recordingHardware();
	let print: (bytes: Uint8Array) => void = () => {};
	const echo: typeof hardware = {
		...hardware,
		async open(events) {
			print = (bytes) => events.output(bytes);
			events.connected();
			print(Buffer.from('boot'));
		},
		perform(work, signal, outputBegins) {
			outputBegins?.();
			return hardware.perform(work, signal);
		},
		write: async (bytes) => print(bytes),
	};
	return { hardwareOf: () => echo, hardware: echo };
}

/** What a proxy responds with. */
const page = (status: number) => new Response('<h1>Not today</h1>', { status });

/** Fences of a disk that may be full, and one of an earlier run. */
function fencesOnDisk({ full = false, fence = -1 } = {}) {
	const disk = { full };
	let highest = fence;
	const fences: Fences = {
		of: () => highest,
		async raise(_, fence) {
			highest = Math.max(highest, fence);
			if (disk.full) throw noRoom;
		},
	};
	return { disk, openFences: async () => fences };
}

describe('a lease whose end passes while the agent is cut off', () => {
	test('continues if it was renewed', async () => {
		const { service, record } = await startInVirtualTime();
		const lease = service.grant('real', 5_000);
		await pass(1_000);
		service.cut();
		lease.endsAt += 60_000;
		await pass(12_000);
		service.repair();
		service.write(lease, 'typed');
		await pass(3_000);
		expect(record).toEqual(['open', 'typed']);
	});

	test('is released after a minute, and reported at the next connection', async () => {
		const { service, record } = await startInVirtualTime();
		const lease = service.grant('real', 5_000);
		await pass(1_000);
		service.cut();
		lease.endsAt += 600_000;
		await pass(66_000);
		expect(record).toEqual(['open', 'close']);
		service.repair();
		await pass(6_000);
		expect(service.capabilities.real).toMatchObject({ fence: 1, released: true });
	});

	test('is released and reported at once while the agent is connected', async () => {
		const { service, record, logged } = await startInVirtualTime();
		service.grant('real', 5_000);
		await pass(66_000);
		expect(record).toEqual(['open', 'close']);
		expect(service.capabilities.real).toMatchObject({ fence: 1, released: true });
		// The fake service does not end it, which is never ignored silently.
		expect(logged).toContain('The service still has a lease that has ended here');
		service.grant('real');
		await pass(1_000);
		expect(record).toEqual(['open', 'close', 'open']);
		service.disconnect();
		await pass(2_000);
		expect(service.capabilities.real).toMatchObject({ fence: 2 });
		expect(service.capabilities.real).not.toHaveProperty('released');
	});
});

test('a lease that is renewed while the agent is connected continues', async () => {
	const { service, record } = await startInVirtualTime();
	const lease = service.grant('real', 5_000);
	await pass(1_000);
	service.renew(lease, 120_000);
	await pass(90_000);
	const reset = service.request(lease, 'reset');
	await pass(100);
	expect(reset.status).toBe('done');
	expect(record).toEqual(['open', 'reset']);
});

test('the service learns the highest fence of a board when the agent connects', async () => {
	const { service } = await startInVirtualTime(fencesOnDisk({ fence: 7 }));
	expect(service.capabilities.real).toMatchObject({ fence: 7 });
});

test('a lease with an older fence than that of an earlier run never touches the board', async () => {
	const { service, record, logged } = await startInVirtualTime(fencesOnDisk({ fence: 7 }));
	service.request(service.grant('real'), 'reset');
	await pass(1_000);
	expect(logged).toContain('An older fence is ignored');
	expect(record).toEqual([]);
});

test('the agent knows the fence of a lease that ended before it heard of it', async () => {
	const { service } = await startInVirtualTime();
	service.send({ boards: [{ board_id: 'real', fence: 7, lease: null }] });
	await pass(1_000);
	service.disconnect();
	await pass(2_000);
	expect(service.capabilities.real).toMatchObject({ fence: 7 });
});

test('a lease with an older fence than the current one changes nothing', async () => {
	const { service, record } = await startInVirtualTime();
	const old = service.grant('real');
	await pass(100);
	const { id, action } = service.request(service.grant('real'), 'reset');
	await pass(100);
	const stale = { id: `${id}-old`, action, file_id: null, flash_offset: null };
	const lease = { id: old.id, remaining_ms: 60_000, actions: [stale], input: null, sync: 0 };
	service.send({ boards: [{ board_id: 'real', fence: 1, lease }] });
	await pass(1_000);
	expect(record).toEqual(['open', 'close', 'open', 'reset']);
});

test('a board without a fence reports none', async () => {
	const { service } = await startInVirtualTime();
	const can = { actions: ['reset'], console: true, between_leases: 'keep' };
	expect(service.capabilities.real).toEqual(can);
});

test('a board is not closed for a lease that ended before the board was opened for it', async () => {
	const { hardware, record } = recordingHardware();
	const closing = Promise.withResolvers<void>();
	const slow = { ...hardware, close: () => hardware.close().then(() => closing.promise) };
	const { service } = await startInVirtualTime({ hardwareOf: () => slow });
	service.grant('real');
	await pass(100);
	const second = service.grant('real');
	await pass(100);
	service.release(second);
	await pass(100);
	closing.resolve();
	await pass(100);
	expect(record).toEqual(['open', 'close']);
});

describe('an agent that does not hear from the service', () => {
	/** A board whose steps wait for the service, in the middle of the first of two actions. */
	const open = async () => {
		const { hardware, record } = recordingHardware();
		const first = Promise.withResolvers<void>();
		const hardwareOf: AgentDependencies['hardwareOf'] = (_board, _file, permit) => ({
			...hardware,
			async perform(work, signal) {
				await permit();
				signal.throwIfAborted();
				await hardware.perform(work, signal);
				await first.promise;
				return '';
			},
			async close() {
				record.push('console closes');
				await permit();
				await hardware.close();
			},
		});
		const started = await startInVirtualTime({ hardwareOf });
		const lease = started.service.grant('real');
		const actions = [1, 2].map(() => started.service.request(lease, 'reset'));
		await pass(1_000);
		expect(record).toEqual(['open', 'reset']);
		return { ...started, lease, record, actions, endFirst: () => first.resolve() };
	};

	test('drops what is left to do on a board that another agent got while it was frozen', async () => {
		const { service, record, endFirst } = await open();
		service.take();
		freeze(40_000);
		endFirst();
		await pass(60_000);
		expect(record).toEqual(['open', 'reset', 'console closes']);
	});

	test('continues once the service has confirmed that it has the board', async () => {
		const { service, record, actions, endFirst } = await open();
		freeze(40_000);
		endFirst();
		await pass(5_000);
		expect(record).toEqual(['open', 'reset', 'reset']);
		expect(actions.map(({ status }) => status)).toEqual(['done', 'done']);
		expect(service.requests.filter((request) => request.endsWith('/work'))).toHaveLength(2);
	});

	test('does nothing more for a lease that ended while it was cut off', async () => {
		const { service, lease, record, endFirst } = await open();
		service.cut();
		await pass(10_000);
		endFirst();
		await pass(1_000);
		service.release(lease);
		service.repair();
		await pass(10_000);
		expect(record).toEqual(['open', 'reset', 'console closes', 'close']);
	});

	test('waits while it is cut off, and stops without the service', async () => {
		const { agent, service, record, endFirst } = await open();
		service.cut();
		await pass(10_000);
		endFirst();
		await pass(10_000);
		expect(record).toEqual(['open', 'reset']);
		await agent.stop();
		expect(record).toEqual(['open', 'reset', 'console closes']);
	});

	test('is still connected while it releases its boards to stop', async () => {
		const { agent, record, endFirst } = await open();
		const stopped = agent.stop();
		await pass(20_000);
		expect(agent.connected).toBe(true);
		endFirst();
		await stopped;
		expect(agent.connected).toBe(false);
		expect(record).toEqual(['open', 'reset', 'console closes', 'close']);
	});
});

describe('while the disk is full', () => {
	test('an action fails as a failure of the agent, and the board works once there is space', async () => {
		const { disk, openFences } = fencesOnDisk({ full: true });
		const { service, record } = await startInVirtualTime({ openFences });
		const lease = service.grant('real');
		const failed = service.request(lease, 'reset');
		await pass(1_000);
		expect(failed).toMatchObject({
			status: 'failed',
			cause: 'agent',
			message: `The agent cannot store its state: ${noRoom.message}`,
		});
		expect(record).toEqual([]);
		disk.full = false;
		await pass(5_000);
		expect(record).toEqual(['open']);
		const reset = service.request(lease, 'reset');
		await pass(100);
		expect(reset.status).toBe('done');
	});

	test('the console has one notice', async () => {
		const { service } = await startInVirtualTime(fencesOnDisk({ full: true }));
		const lease = service.grant('real');
		await pass(20_000);
		expect(service.output(lease).match(/cannot be opened: [^…]*/g)).toEqual([
			`cannot be opened: The agent cannot store its state: ${noRoom.message} `,
		]);
	});
});

test('a board that does not open is opened again by the next action', async () => {
	const { hardware, record } = recordingHardware();
	let failures = 1;
	const open: typeof hardware.open = async (events) => {
		if (failures-- > 0) throw new Error('no power');
		await hardware.open(events);
	};
	const { service } = await startInVirtualTime({ hardwareOf: () => ({ ...hardware, open }) });
	const lease = service.grant('real');
	await pass(1_000);
	const reset = service.request(lease, 'reset');
	await pass(100);
	expect(reset.status).toBe('done');
	expect(record).toEqual(['open', 'reset']);
});

test('an action that a restored backup no longer knows as done is reported again, not repeated', async () => {
	const { service, record } = await startInVirtualTime();
	const reset = service.request(service.grant('real'), 'reset');
	await pass(100);
	expect(reset.status).toBe('done');
	reset.status = 'queued';
	service.disconnect();
	await pass(2_000);
	expect(reset.status).toBe('done');
	expect(record).toEqual(['open', 'reset']);
});

describe('a restored backup', () => {
	test('learns how much of a lease the agent knows, and gets no output that does not fit', async () => {
		const { hardware, hardwareOf } = printing();
		const { service } = await startInVirtualTime({ hardwareOf });
		const lease = service.grant('real');
		service.write(lease, 'typed');
		await pass(1_000);
		lease.output = Buffer.from('boo');
		lease.input = Buffer.from('ty');
		await hardware.write(Buffer.from('more'));
		await pass(1_000);
		service.disconnect();
		await pass(2_000);
		expect(service.capabilities.real).toMatchObject({
			fence: 1,
			lease: { id: lease.id, output: 9, input: 5, taken: 5, console_change: 1 },
		});
		expect(service.output(lease)).toBe('boo');
	});

	test('learns of no more than was confirmed', async () => {
		const { service } = await startInVirtualTime({ hardwareOf: printing().hardwareOf });
		service.refusals.console.push(...Array.from({ length: 9 }, () => page(503)));
		const lease = service.grant('real');
		service.write(lease, 'typed');
		await pass(5_000);
		service.disconnect();
		await pass(2_000);
		expect(lease.output).toHaveLength(0);
		expect(service.capabilities.real).toMatchObject({
			lease: { output: 0, input: 5, taken: 0, console_change: 0 },
		});
	});

	test('learns that the agent does not serve a lease of which a report was rejected', async () => {
		const { service, record } = await startInVirtualTime();
		const outdated = () => service.refusals.action.push(refusal(409, 'fence_outdated'));
		const ended = service.grant('real');
		outdated();
		service.request(ended, 'reset');
		await pass(1_000);
		service.release(ended);
		await pass(60_000);
		expect(service.requests.filter((request) => request === 'POST /v1/agent/work')).toHaveLength(1);
		const kept = service.grant('real');
		outdated();
		service.request(kept, 'reset');
		await pass(5_000);
		expect(record).toEqual(['open', 'reset', 'close', 'open', 'reset', 'close']);
		expect(service.capabilities.real).not.toHaveProperty('released');
		await pass(10_000);
		expect(service.capabilities.real).toMatchObject({ fence: 2, released: true });
	});

	test('learns that the agent does not serve another lease under the same fence', async () => {
		const { service, record } = await startInVirtualTime();
		const lease = service.grant('real');
		await pass(1_000);
		lease.id = 'lse_other';
		service.request(lease, 'reset');
		await pass(2_000);
		expect(service.capabilities.real).toMatchObject({ fence: 1, released: true });
		expect(record).toEqual(['open', 'close']);
	});

	test('learns that it has all output, even if its count of requests is lower', async () => {
		const { service } = await startInVirtualTime();
		const lease = service.grant('real');
		for (let count = 0; count < 3; count++) service.sync(lease);
		await pass(1_000);
		lease.sync = 0;
		service.disconnect();
		await pass(2_000);
		service.sync(lease);
		await pass(1_000);
		expect(lease.synced.at(-1)).toMatchObject({ sync: 1 });
	});
});

test('a lease that ended, but is live in a restored backup, is reported as released', async () => {
	const { service } = await startInVirtualTime();
	const lease = service.grant('real');
	await pass(100);
	service.release(lease);
	await pass(100);
	service.disconnect();
	await pass(2_000);
	expect(service.capabilities.real).toMatchObject({ fence: 1, released: true });
});

describe('a rejected request', () => {
	const refused = () => refusal(400, 'invalid_request');

	test.each([
		['by a proxy with 404', () => page(404)],
		['by a proxy with 403', () => page(403)],
		['by the service', refused],
	])('%s is repeated if it reports the end of an action', async (_, refuse) => {
		const { service, record } = await startInVirtualTime();
		const lease = service.grant('real');
		const reset = service.request(lease, 'reset');
		service.refusals.action.push(refuse());
		await pass(5_000);
		service.disconnect();
		await pass(5_000);
		expect(reset.status).toBe('done');
		expect(record).toEqual(['open', 'reset']);
	});

	test.each([
		['by a proxy with 404', () => page(404)],
		['by the service', refused],
	])('%s costs no output', async (_, refuse) => {
		const { hardware, hardwareOf } = printing();
		const { service } = await startInVirtualTime({ hardwareOf });
		const lease = service.grant('real');
		await pass(1_000);
		service.refusals.console.push(refuse(), refuse());
		await hardware.write(Buffer.from('one'));
		await hardware.write(Buffer.from('two'));
		await pass(20_000);
		expect(service.output(lease)).toBe('bootonetwo');
	});

	test('by the service is output that no action waits for', async () => {
		const { service } = await startInVirtualTime({ hardwareOf: printing().hardwareOf });
		service.refusals.console.push(...Array.from({ length: 100 }, refused));
		const reset = service.request(service.grant('real'), 'reset');
		await pass(20_000);
		expect(reset).toMatchObject({ status: 'done', consoleOffset: undefined });
		expect(service.refusals.console.length).toBeGreaterThan(90);
	});

	test('by the service never keeps the board from the next lease', async () => {
		const { service } = await startInVirtualTime({ hardwareOf: printing().hardwareOf });
		service.refusals.console.push(refused());
		const lease = service.grant('real');
		await pass(1_000);
		service.request(lease, 'reset');
		await pass(1_000);
		service.release(lease);
		const next = service.grant('real');
		await pass(1_000);
		expect(service.output(next)).toBe('boot');
	});
});

describe('what a board prints while it is prepared', () => {
	/** A board that prints `old` before each action begins. An action takes a second. */
	async function prepare(...actions: BoardAction[]) {
		const { hardware } = printing();
		const print = (text: string) => hardware.write(Buffer.from(text));
		const busy: typeof hardware = {
			...hardware,
			actions,
			async perform({ action }, _, outputBegins) {
				await print('old ');
				outputBegins?.();
				await print(`${action} begins `);
				await wait(1_000);
				await print(`${action} ends `);
				return '';
			},
		};
		const { service } = await startInVirtualTime({ hardwareOf: () => busy });
		return { service, print, ...service.prepare('real', actions) };
	}

	test('belongs to the previous lease until the last action begins', async () => {
		const { service, lease, steps } = await prepare('power_cycle', 'erase', 'reset');
		service.push('real');
		await pass(500);
		service.disconnect();
		await pass(5_000);
		expect(steps.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
		expect(service.output(lease)).toBe('reset begins reset ends ');
	});

	test('belongs to the previous lease until a reset has ended, if nothing was done before', async () => {
		const { service, lease, print } = await prepare('reset');
		service.push('real');
		await pass(2_000);
		await print('new');
		await pass(1_000);
		expect(service.output(lease)).toBe('new');
	});

	test('belongs to the previous lease while a file is downloaded', async () => {
		const { service, lease, steps, print } = await prepare('erase', 'reset');
		for (const step of steps) step.isWaiting = true;
		service.push('real');
		await pass(1_000);
		await print('old ');
		for (const step of steps) step.isWaiting = false;
		service.push('real');
		await pass(5_000);
		expect(service.output(lease)).toBe('reset begins reset ends ');
	});

	test('belongs to the lease once it is prepared', async () => {
		const { service, lease, steps, print } = await prepare('reset');
		for (const step of steps) step.isWaiting = true;
		service.push('real');
		await pass(1_000);
		for (const step of steps) step.status = 'done';
		service.push('real');
		await pass(1_000);
		await print('new');
		await pass(1_000);
		expect(service.output(lease)).toBe('new');
	});
});

test('an action is reported as running if it takes long, and otherwise only its end', async () => {
	let reset = Promise.withResolvers<void>();
	const { hardware } = recordingHardware();
	const slow = { ...hardware, perform: () => reset.promise.then(() => '') };
	const { service } = await startInVirtualTime({ hardwareOf: () => slow });
	const lease = service.grant('real');
	const long = service.request(lease, 'reset');
	await pass(1_000);
	expect(long.reports).toEqual(['running']);
	reset.resolve();
	await pass(0);
	expect(long.reports).toEqual(['running', 'done']);

	reset = Promise.withResolvers();
	const short = service.request(lease, 'reset');
	await pass(100);
	reset.resolve();
	await pass(1_000);
	expect(short.reports).toEqual(['done']);
});

test('the progress of a flash tool is reported at most once a second, and is 100 when it is done', async () => {
	const done = Promise.withResolvers<void>();
	let report: (percent: number) => void = () => {};
	const { hardware } = recordingHardware();
	const flashing: typeof hardware = {
		...hardware,
		perform: async (_work, _signal, _outputBegins, onProgress = () => {}) => {
			report = onProgress;
			await done.promise;
			return '';
		},
	};
	const { service } = await startInVirtualTime({ hardwareOf: () => flashing });
	const lease = service.grant('real');
	const action = service.request(lease, 'reset');
	await pass(200);
	report(3);
	await pass(200);
	expect([action.reports, action.progress]).toEqual([['running'], [3]]);
	for (let percent = 4; percent < 44; percent++) {
		report(percent);
		await pass(50);
	}
	await pass(1_000);
	expect(action.progress.length).toBeLessThanOrEqual(4);
	expect(action.progress.at(-1)).toBe(43);
	done.resolve();
	await pass(0);
	report(44);
	await pass(2_000);
	expect(action.progress.at(-1)).toBe(100);
	expect(action.reports.at(-1)).toBe('done');
});

test('an action whose tool prints no percentages has no progress', async () => {
	const { hardware } = recordingHardware();
	const { service } = await startInVirtualTime({ hardwareOf: () => hardware });
	const action = service.request(service.grant('real'), 'reset');
	await pass(1_000);
	expect([action.status, action.progress]).toEqual(['done', []]);
});
