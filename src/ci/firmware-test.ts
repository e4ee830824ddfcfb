// Runs firmware on a leased board and decides whether it passed: the core of `board-access run` and
// of the action's command `run`.
import { setTimeout as wait } from 'node:timers/promises';
import type { BoardAccess, ConsoleOptions, Lease, LeaseInput, LeaseProgress } from 'board-access';
import { checkFit, namingFile } from './firmware-file.ts';
import {
	describeFailure,
	type EndedFirmwareTest,
	type ExpectationOutcome,
	emptyReport,
	type FirmwareTestReport,
	fieldsOf,
	isFailure,
	messageOf,
	resultOf,
} from './firmware-report.ts';
import type { ReachabilityEvent } from './reachability.ts';

/** What to run, on which board, and what its console must show. */
export interface FirmwareTest {
	/** The name of the firmware's file, for messages. */
	file: string;
	firmware: Uint8Array;
	raw?: boolean | undefined;
	flashOffset?: string | undefined;
	board: LeaseInput;
	/** What the console must show, in this order. */
	expect: readonly (string | RegExp)[];
	/** What the console must not show before. */
	fail?: string | RegExp | readonly (string | RegExp)[] | undefined;
	/** Milliseconds from the end of flashing until everything expected must have been seen. */
	timeout: number;
}

type LeaseProgressEvent =
	| { event: 'queued'; leaseId: string; position: number | null }
	| { event: 'preparing'; leaseId: string; boardId: string | null; step: string; status: string };

/** What happens during the test. */
export type FirmwareTestEvent =
	| LeaseProgressEvent
	| { event: 'leased'; leaseId: string; boardId: string | null }
	| { event: 'flashing'; bytes: number; total: number }
	| { event: 'flashed'; milliseconds: number; message: string }
	| { event: 'console'; text: string; bytes: Uint8Array }
	| { event: 'expected'; pattern: string; matched: string }
	| ReachabilityEvent
	| { event: 'released'; credits: number | null }
	| { event: 'not_released'; leaseId: string; message: string };

interface Watching {
	onEvent: (event: FirmwareTestEvent) => void;
	signal?: AbortSignal | undefined;
	/** Called when the console can no longer be read, and when it can be read again. */
	onConnection?: ConsoleOptions['onConnection'];
}

/** Leases a board, flashes the firmware, waits for what is expected, and releases the board. */
export async function runFirmwareTest(
	client: BoardAccess,
	test: FirmwareTest,
	watching: Watching,
): Promise<EndedFirmwareTest> {
	const startedAt = performance.now();
	const report = emptyReport(test);
	try {
		await leaseAndTest(client, test, { ...watching, report });
		return { report };
	} catch (error) {
		Object.assign(report, describeFailure(error, watching.signal));
		return { report, error: report.result === 'error' ? error : undefined };
	} finally {
		report.milliseconds = Math.round(performance.now() - startedAt);
	}
}

interface Run extends Watching {
	report: FirmwareTestReport;
}

async function leaseAndTest(client: BoardAccess, test: FirmwareTest, run: Run) {
	const { report, onEvent, signal } = run;
	const announce = announcer(onEvent);
	await checkFit(client, test, signal);
	const onProgress = (progress: LeaseProgress) => {
		report.leaseId = progress.lease.id;
		announce(progress);
	};
	let renewError: unknown;
	const onRenewFailed = (error: unknown) => {
		renewError = error;
	};
	const lease = await client.leases.create(
		{ ...test.board, requiresAgent: true },
		{ onProgress, onRenewFailed, signal },
	);
	report.leaseId = lease.id;
	report.boardId = lease.boardId ?? null;
	try {
		onEvent({ event: 'leased', leaseId: lease.id, boardId: report.boardId });
		await flashAndWatch(lease, test, run);
	} catch (error) {
		// Credits that are used up, for example: then the board is not to blame.
		throw (fieldsOf(error).reason === 'expired' && renewError) || error;
	} finally {
		report.credits = await release(lease, onEvent);
	}
}

async function release(lease: Lease, onEvent: Run['onEvent']) {
	if (lease.status === 'ended') return lease.credits ?? null;
	try {
		const { credits = null } = await lease.release();
		onEvent({ event: 'released', credits });
		return credits;
	} catch (error) {
		// It ends by itself, because nothing renews it any longer.
		onEvent({ event: 'not_released', leaseId: lease.id, message: messageOf(error) });
		return null;
	}
}

async function flashAndWatch(lease: Lease, test: FirmwareTest, run: Run) {
	const { report, onEvent, signal } = run;
	const flashedAt = await flash(lease, test, run);
	const reading = new AbortController();
	const decoder = new TextDecoder();
	const copied = copyConsole(lease, reading.signal, (bytes) => {
		const text = decoder.decode(bytes, { stream: true });
		report.output.push(bytes);
		report.console += text;
		onEvent({ event: 'console', text, bytes });
	});
	let seen = '';
	try {
		const deadline = flashedAt + test.timeout;
		seen = await waitForExpectations(lease, test, { ...run, deadline });
	} catch (error) {
		seen = fieldsOf(error).matched ?? '';
		throw error;
	} finally {
		if (!signal?.aborted) await untilCopied(copied, () => report.console.includes(seen));
		reading.abort();
		await copied;
	}
}

async function flash(lease: Lease, test: FirmwareTest, { onEvent, signal }: Run) {
	const { raw, flashOffset } = test;
	const startedAt = performance.now();
	const onProgress = ({ bytes, total }: { bytes: number; total: number }) =>
		onEvent({ event: 'flashing', bytes, total });
	const flashing = lease.flash(test.firmware, { raw, flashOffset, signal, onProgress });
	const { message } = await flashing.catch((error: unknown) => {
		throw namingFile(error, test.file);
	});
	const flashedAt = performance.now();
	const milliseconds = Math.round(flashedAt - startedAt);
	onEvent({ event: 'flashed', milliseconds, message: message ?? '' });
	return flashedAt;
}

interface Waiting extends Run {
	deadline: number;
}

/** Returns the text that matched last. */
async function waitForExpectations(lease: Lease, test: FirmwareTest, waiting: Waiting) {
	const { report, onEvent, signal } = waiting;
	if (test.expect.length === 0) return await watchForFailure(lease, test, waiting);
	let seen = '';
	for (const [index, pattern] of test.expect.entries()) {
		const startedAt = performance.now();
		const outcome = (fields: Pick<ExpectationOutcome, 'status' | 'message'>) => {
			const milliseconds = Math.round(performance.now() - startedAt);
			report.expectations[index] = { pattern: String(pattern), milliseconds, ...fields };
		};
		try {
			const { matched } = await expectOnConsole(lease, pattern, test, waiting);
			outcome({ status: 'passed', message: '' });
			onEvent({ event: 'expected', pattern: String(pattern), matched });
			seen = matched;
		} catch (error) {
			const status = isFailure(resultOf(error)) ? 'failed' : 'error';
			outcome({ status, message: messageOf(error, signal) });
			throw error;
		}
	}
	return seen;
}

/** Firmware that restarts its board takes the port of the console along for a moment, in milliseconds. */
const longestRestart = 5_000;

/** With nothing to expect, the firmware passes if it does not fail before the time is up. */
async function watchForFailure(lease: Lease, test: FirmwareTest, waiting: Waiting) {
	if ([test.fail ?? []].flat().length === 0) return '';
	try {
		await expectOnConsole(lease, /(?!)/, test, waiting);
	} catch (error) {
		const { code, gapMs = Number.POSITIVE_INFINITY, searchStopped } = fieldsOf(error);
		const isRestart = code === 'console_interrupted' && gapMs <= longestRestart;
		if ((code !== 'not_seen' || searchStopped) && !isRestart) throw error;
	}
	return '';
}

async function expectOnConsole(
	lease: Lease,
	pattern: string | RegExp,
	{ fail }: FirmwareTest,
	{ deadline, signal, onConnection }: Waiting,
) {
	// Rounded up, because the message of a failure names it.
	const timeout = Math.max(1, Math.ceil((deadline - performance.now()) / 100) * 100);
	return await lease.console.expect(pattern, { fail, timeout, signal, onConnection });
}

async function copyConsole(lease: Lease, signal: AbortSignal, write: (bytes: Uint8Array) => void) {
	try {
		const from = lease.console.actionOffset;
		for await (const bytes of lease.console.read({ from, signal })) write(bytes);
	} catch {
		// The expectation says why the console ended.
	}
}

const copyTimeout = 2_000;
const endOfLine = 200;

/** The copy may be slightly behind the expectations, and the line with the last match may continue. */
async function untilCopied(copied: Promise<void>, isCopied: () => boolean) {
	const giveUpAt = performance.now() + copyTimeout;
	const isOver = () => Promise.race([copied.then(() => true), wait(20, false)]);
	while (!isCopied() && performance.now() < giveUpAt && !(await isOver()));
	await Promise.race([copied, wait(endOfLine)]);
}

/** Reports the position in the queue, and every step of the preparation in order, however short. */
export function announcer(onEvent: (event: LeaseProgressEvent) => void) {
	const reported = new Map<string, string>();
	return ({ lease, steps }: LeaseProgress) => {
		const { id: leaseId, boardId = null, queuePosition: position = null } = lease;
		if (lease.status === 'queued') return onEvent({ event: 'queued', leaseId, position });
		for (const { id, action, name, status = '' } of steps) {
			if (!status || status === 'queued' || reported.get(id) === status) continue;
			reported.set(id, status);
			const step = [action, name].filter(Boolean).join(' ');
			onEvent({ event: 'preparing', leaseId, boardId, step, status });
		}
	};
}
