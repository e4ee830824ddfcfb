// What the agent reports about the console of a board, in virtual time.
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConsoleTracker } from '../../src/boards/console-tracker.ts';
import { ConsoleUpload } from '../../src/boards/console-upload.ts';
import type { ConsoleState } from '../../src/link/service.ts';
import { pass, startInVirtualTime, useVirtualTime } from '../support/virtual.ts';

function track() {
	useVirtualTime();
	const states: ConsoleState[] = [];
	const tracker = new ConsoleTracker({ report: (state) => states.push(state), take() {} });
	tracker.connected();
	const away = async (milliseconds: number) => {
		tracker.lost('unplugged');
		await pass(milliseconds);
		tracker.connected();
		return states.at(-1)?.gap_ms;
	};
	return { tracker, states, away, reset: () => tracker.during(async () => {}) };
}

describe('the state of a console', () => {
	test('is reported with each change and its reason', async () => {
		const { states, away } = track();
		await away(100);
		expect(states).toEqual([
			{ change: 1, status: 'connected', message: '', gap_ms: 0 },
			{ change: 2, status: 'disconnected', message: 'unplugged', gap_ms: 0 },
			{ change: 3, status: 'connected', message: '', gap_ms: 100 },
		]);
	});

	test('has no gap while the port of a restarting board is missing', async () => {
		const { away, reset } = track();
		await reset();
		expect(await away(2_000)).toBe(0);
		expect(await away(2_000)).toBe(0);
	});

	test('has a gap if the board takes longer, or disappears without an action', async () => {
		const { away, reset } = track();
		expect(await away(1_000)).toBe(1_000);
		expect(await away(500)).toBe(1_500);
		await reset();
		expect(await away(5_001)).toBe(5_001);
		await reset();
		await pass(4_000);
		expect(await away(1_001)).toBe(1_001);
	});

	test('has a gap that began before an action, whatever the action does to it', async () => {
		const { tracker, states, reset } = track();
		await reset();
		await pass(10_000);
		tracker.lost('unplugged');
		await pass(60_000);
		await reset();
		await pass(1_000);
		tracker.connected();
		expect(states.at(-1)?.gap_ms).toBe(61_000);
	});

	test('has no gap if the port disappears in one action and is back after a later one', async () => {
		const { tracker, states, reset } = track();
		await tracker.during(async () => tracker.lost('erased'));
		await pass(60_000);
		await reset();
		await pass(1_000);
		tracker.connected();
		expect(states.at(-1)).toMatchObject({ status: 'connected', gap_ms: 0 });
	});

	test('is reported until the service responds, even if the board is silent', async () => {
		const { service, hardware } = await startInVirtualTime();
		const { promise, resolve } = Promise.withResolvers<void>();
		hardware.open = async (events) => {
			events.connected();
			resolve();
		};
		const lease = service.grant('real');
		await promise;
		service.loseResponses.console = 2;
		await pass(10_000);
		expect(lease.consoleStates.length).toBe(3);
		expect(new Set(lease.consoleStates.map(({ change }) => change))).toEqual(new Set([1]));
	});

	test('that changes during a request is reported with the next one', async () => {
		useVirtualTime();
		const controller = new AbortController();
		onTestFinished(() => controller.abort());
		const sent: (string | undefined)[] = [];
		const upload = new ConsoleUpload({
			signal: controller.signal,
			async append({ offset, bytes, state }) {
				sent.push(state?.status);
				if (sent.length === 1) tracker.lost('unplugged');
				return offset + bytes.length;
			},
			onRejected: () => {},
		});
		const report = upload.report.bind(upload);
		const tracker = new ConsoleTracker({ report, take() {} });
		tracker.connected();
		upload.take(Buffer.from('text'));
		await pass(100);
		upload.take(Buffer.from('more'));
		await pass(2_000);
		expect(sent).toEqual(['connected', 'disconnected']);
	});

	test('is disconnected if the board cannot be opened', async () => {
		const { service, hardware } = await startInVirtualTime();
		hardware.open = async () => {
			throw new Error('Permission denied');
		};
		const lease = service.grant('real');
		await pass(2_000);
		const message = 'the board cannot be opened: Permission denied';
		expect(lease.consoleStates).toMatchObject([{ status: 'disconnected', message }]);
	});
});
