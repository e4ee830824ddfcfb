// Runs firmware on a leased board and decides whether it passed, for the command line and the action.
import { setTimeout as wait } from 'node:timers/promises';
import type {
	ActionProgress,
	AnyLease,
	BoardAccess,
	ConsoleOptions,
	LeaseInput,
	LeaseProgress,
	ScenarioStep,
	StepOutcome,
} from 'board-access';
import { checkFit, namingFile } from './firmware-file.ts';
import {
	type EndedFirmwareTest,
	emptyReport,
	type FirmwareTestReport,
	fieldsOf,
	isFailure,
	messageOf,
	reportFailure,
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
	/** The board to lease, or a lease that continues after the test. */
	board: LeaseInput | { leaseId: string };
	steps: readonly ScenarioStep[];
	/** The place of each step, such as `login.yml:5`, for messages. */
	places?: readonly string[] | undefined;
	/** Whether to end after the last step even if it is no expectation, instead of watching for `fail`. */
	isComplete?: boolean | undefined;
	/** What the console must not show. */
	fail?: string | RegExp | readonly (string | RegExp)[] | undefined;
	/** Milliseconds from the end of flashing for all steps, apart from those that only wait. */
	timeout: number;
	/** Milliseconds for which the output is still copied after a failure of the firmware. Default: 1,000. */
	afterFail?: number | undefined;
}

type LeaseProgressEvent =
	| { event: 'queued'; leaseId: string; position: number | null }
	| { event: 'preparing'; leaseId: string; boardId: string | null; step: string; status: string };

export type FirmwareTestEvent =
	| LeaseProgressEvent
	| { event: 'leased'; leaseId: string; boardId: string | null; creditsPerMinute: number | null }
	| ({ event: 'flashing' } & ActionProgress)
	| { event: 'flashed'; milliseconds: number; message: string }
	| { event: 'console'; text: string; bytes: Uint8Array }
	| { event: 'expected'; pattern: string; matched: string }
	| { event: 'step'; step: string }
	| { event: 'lease_limit'; message: string }
	| ReachabilityEvent
	| { event: 'released'; credits: number | null }
	| { event: 'not_released'; leaseId: string; message: string };

interface Watching {
	onEvent: (event: FirmwareTestEvent) => void;
	signal?: AbortSignal | undefined;
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
		reportFailure(report, error, watching.signal);
		return { report, error: report.result === 'error' ? error : undefined };
	} finally {
		report.milliseconds = Math.round(performance.now() - startedAt);
	}
}

interface Run extends Watching {
	report: FirmwareTestReport;
	/** Why the lease was not renewed. */
	renewError?: unknown;
}

async function leaseAndTest(client: BoardAccess, test: FirmwareTest, run: Run) {
	const { report, onEvent, signal } = run;
	const lease = await leaseFor(client, test, run);
	report.leaseId = lease.id;
	report.boardId = lease.boardId ?? null;
	try {
		const creditsPerMinute = await priceOf(client, report.boardId, signal);
		onEvent({ event: 'leased', leaseId: lease.id, boardId: report.boardId, creditsPerMinute });
		await flashAndWatch(lease, test, run);
	} catch (error) {
		// For example, the credits are used up.
		throw (fieldsOf(error).reason === 'expired' && run.renewError) || error;
	} finally {
		if (!('leaseId' in test.board)) report.credits = await release(lease, onEvent);
	}
}

async function leaseFor(client: BoardAccess, { board, ...test }: FirmwareTest, run: Run) {
	const { report, onEvent, signal } = run;
	const onRenewFailed = (error: unknown) => {
		run.renewError = error;
	};
	if ('leaseId' in board) {
		const lease = await client.leases.get(board.leaseId, { signal });
		if (lease.status === 'ended') lease.signal.throwIfAborted();
		const { boardId } = lease;
		if (boardId) await checkFit(client, { ...test, board: { boardId } }, signal);
		const lastsLongEnough = (lease.expiresInMs ?? 0) > maxFlash + maxRun(test);
		if (lastsLongEnough || lease.status !== 'active') return lease;
		return await client.leases.attach(lease.id, { onRenewFailed, signal });
	}
	await checkFit(client, { ...test, board }, signal);
	const announce = announcer(onEvent);
	const onProgress = (progress: LeaseProgress) => {
		report.leaseId = progress.lease.id;
		announce(progress);
	};
	const onLeaseLimit = ({ message }: Error) => onEvent({ event: 'lease_limit', message });
	const options = { onProgress, onRenewFailed, onLeaseLimit, signal };
	return await client.leases.create({ ...board, requiresAgent: true }, options);
}

/** The time that a lease should have for flashing, in milliseconds. */
const maxFlash = 120_000;

function maxRun({ steps, timeout, afterFail = 0 }: Omit<FirmwareTest, 'board'>) {
	return steps.reduce((sum, step) => sum + (step.waitMs ?? 0), timeout + afterFail);
}

/** What the board costs, if it can be read at once. */
async function priceOf(client: BoardAccess, boardId: string | null, signal?: AbortSignal) {
	const options = { signal, timeout: 2_000, maxRetries: 0 };
	const board = await client.boards.get(boardId ?? '', options).catch(() => undefined);
	return board?.creditsPerMinute ?? null;
}

async function release(lease: AnyLease, onEvent: Run['onEvent']) {
	if (lease.status === 'ended') return lease.credits ?? null;
	try {
		const { credits = null } = await lease.release();
		onEvent({ event: 'released', credits });
		return credits;
	} catch (error) {
		// The lease expires by itself.
		onEvent({ event: 'not_released', leaseId: lease.id, message: messageOf(error) });
		return null;
	}
}

/** How long to read the rest of the last line, in milliseconds. */
const endOfLine = 200;

async function flashAndWatch(lease: AnyLease, test: FirmwareTest, run: Run) {
	await flash(lease, test, run);
	const copy = startCopying(lease, run);
	try {
		await carryOut(lease, test, run);
	} catch (error) {
		// A panic is often followed by its reason, such as a backtrace.
		if (isFailure(resultOf(error))) await copy.goOn(test.afterFail ?? 1_000);
		throw error;
	} finally {
		await copy.endLine();
	}
}

/** Copies the console to the report, up to the end of a line. */
function startCopying(lease: AnyLease, { report, onEvent, signal }: Run) {
	const reading = new AbortController();
	const decoder = new TextDecoder();
	let isLastLine = false;
	const write = (received: Uint8Array) => {
		if (reading.signal.aborted) return;
		const end = isLastLine ? received.indexOf(newline) + 1 : 0;
		const bytes = end > 0 ? received.subarray(0, end) : received;
		const text = decoder.decode(bytes, { stream: true });
		report.output.push(bytes);
		report.console += text;
		onEvent({ event: 'console', text, bytes });
		if (end > 0) reading.abort();
	};
	const copied = copyConsole(lease, reading.signal, write);
	const goOn = async (milliseconds: number) => {
		const over = wait(milliseconds, undefined, { signal }).catch(() => {});
		await Promise.race([copied, over]);
	};
	const endLine = async () => {
		isLastLine = true;
		if (report.output.at(-1)?.at(-1) !== newline) await goOn(endOfLine);
		reading.abort();
		await copied;
	};
	return { goOn, endLine };
}

const newline = 0x0a;

async function flash(lease: AnyLease, test: FirmwareTest, { onEvent, signal }: Run) {
	const { raw, flashOffset } = test;
	const startedAt = performance.now();
	const onProgress = (progress: ActionProgress) => onEvent({ event: 'flashing', ...progress });
	const flashing = lease.flash(test.firmware, { raw, flashOffset, signal, onProgress });
	const { message } = await flashing.catch((error: unknown) => {
		throw namingFile(error, test.file);
	});
	const milliseconds = Math.round(performance.now() - startedAt);
	onEvent({ event: 'flashed', milliseconds, message: message ?? '' });
}

async function carryOut(lease: AnyLease, test: FirmwareTest, run: Run) {
	const { report, onEvent, signal, onConnection } = run;
	const { steps, timeout } = test;
	const fails = [test.fail ?? []].flat();
	const first: ScenarioStep[] = fails.length > 0 ? [{ fail: fails }] : [];
	// Without an expectation at the end, the firmware passes if it does not fail in time.
	const isOpen = !test.isComplete && steps.at(-1)?.expect === undefined;
	const isWatched = fails.length > 0 && isOpen;
	const last: ScenarioStep[] = isWatched ? [{ waitMs: timeout }] : [];
	const onStep = ({ index, durationMs, match, error, step }: StepOutcome) => {
		const place = test.places?.[index - first.length];
		if (place && error instanceof Error && !signal?.aborted)
			error.message = `${place}: ${error.message}`;
		const outcome = report.steps[index - first.length];
		if (!outcome) return;
		outcome.milliseconds = durationMs;
		outcome.status = error ? 'error' : 'passed';
		if (error) return;
		if (match) onEvent({ event: 'expected', pattern: outcome.name, matched: match.matched });
		else if (step.fail === undefined) onEvent({ event: 'step', step: outcome.name });
	};
	const options = { timeout, signal, onConnection, onStep };
	const all = [...first, ...steps, ...last];
	if (all.length > 0) await lease.run(all, options);
}

async function copyConsole(
	lease: AnyLease,
	signal: AbortSignal,
	write: (bytes: Uint8Array) => void,
) {
	try {
		const from = lease.console.actionOffset;
		for await (const bytes of lease.console.read({ from, signal })) write(bytes);
	} catch {
		// The expectation reports why.
	}
}

/** Reports the queue position, and every step of the preparation. */
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
