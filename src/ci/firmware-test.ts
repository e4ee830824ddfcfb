// Runs firmware on a leased board and decides whether it passed: the core of `board-access run` and
// of the action's command `run`.
import type { BoardAccess, Lease, LeaseInput, LeaseProgress } from 'board-access';

/** What to run, on which board, and what its console must show. */
export interface FirmwareTest {
	firmware: Uint8Array;
	flashOffset?: string | undefined;
	board: LeaseInput;
	/** What the console must show, in this order. */
	expect: readonly (string | RegExp)[];
	/** What the console must not show before. */
	fail?: RegExp | undefined;
	/** Milliseconds from the end of flashing until everything expected must have been seen. */
	timeout: number;
}

/** What happens meanwhile, for a person or a log that watches. */
export type FirmwareTestEvent =
	| { event: 'queued'; leaseId: string; position: number | null }
	| { event: 'preparing'; leaseId: string; boardId: string | null; step: string; status: string }
	| { event: 'leased'; leaseId: string; boardId: string | null }
	| { event: 'flashing'; bytes: number; total: number }
	| { event: 'flashed'; milliseconds: number }
	| { event: 'console'; text: string }
	| { event: 'expected'; pattern: string; matched: string }
	| { event: 'released'; credits: number | null };

export const firmwareTestResults = [
	'passed',
	'fail_seen',
	'not_seen',
	'board_failed',
	'no_board',
] as const;

/** How one expectation ended. */
export interface ExpectationOutcome {
	pattern: string;
	status: 'passed' | 'failed' | 'skipped';
	milliseconds: number;
	message: string;
}

export interface FirmwareTestReport {
	result: (typeof firmwareTestResults)[number];
	/** Why the test did not pass; empty if it did. */
	message: string;
	leaseId: string | null;
	boardId: string | null;
	expectations: ExpectationOutcome[];
	/** Everything that the console showed after the firmware was flashed. */
	console: string;
	milliseconds: number;
	credits: number | null;
}

interface Watching {
	onEvent?: ((event: FirmwareTestEvent) => void) | undefined;
	signal?: AbortSignal | undefined;
}

/**
 * Leases a board, flashes the firmware, waits for what is expected, and releases the board. Rejects
 * only for what is neither the firmware's doing nor the board's: credentials, input, an abort.
 */
export async function runFirmwareTest(
	client: BoardAccess,
	test: FirmwareTest,
	{ onEvent = () => {}, signal }: Watching = {},
): Promise<FirmwareTestReport> {
	const startedAt = performance.now();
	const report: FirmwareTestReport = {
		result: 'passed',
		message: '',
		leaseId: null,
		boardId: null,
		expectations: test.expect.map((pattern) => skipped(pattern)),
		console: '',
		milliseconds: 0,
		credits: null,
	};
	let lease: Lease | undefined;
	try {
		lease = await client.leases.create(test.board, {
			onProgress: (progress) => announce(progress, onEvent),
			signal,
		});
		report.leaseId = lease.id;
		report.boardId = lease.boardId ?? null;
		onEvent({ event: 'leased', leaseId: lease.id, boardId: report.boardId });
		await flashAndWatch(lease, test, { report, onEvent, signal });
	} catch (error) {
		const outcome = outcomeOf(error);
		if (!outcome) throw error;
		Object.assign(report, outcome);
	} finally {
		report.credits = await giveBack(lease, onEvent);
		report.milliseconds = Math.round(performance.now() - startedAt);
	}
	return report;
}

async function giveBack(lease: Lease | undefined, onEvent: (event: FirmwareTestEvent) => void) {
	if (!lease) return null;
	// A lease that cannot be released ends by itself, because nothing renews it any longer.
	const record = await lease.release({ timeout: 10_000 }).catch(() => undefined);
	const credits = record?.credits ?? null;
	onEvent({ event: 'released', credits });
	return credits;
}

interface Run {
	report: FirmwareTestReport;
	onEvent: (event: FirmwareTestEvent) => void;
	signal: AbortSignal | undefined;
}

async function flashAndWatch(lease: Lease, test: FirmwareTest, { report, onEvent, signal }: Run) {
	const flashStartedAt = performance.now();
	await lease.flash(test.firmware, {
		flashOffset: test.flashOffset,
		signal,
		onProgress: ({ bytes, total }) => onEvent({ event: 'flashing', bytes, total }),
	});
	const flashedAt = performance.now();
	onEvent({ event: 'flashed', milliseconds: Math.round(flashedAt - flashStartedAt) });
	const reading = new AbortController();
	const copied = copyConsole(lease, reading.signal, (text) => {
		report.console += text;
		onEvent({ event: 'console', text });
	});
	try {
		const deadline = flashedAt + test.timeout;
		for (const [index, pattern] of test.expect.entries()) {
			const outcome = await meetExpectation(lease, pattern, { test, deadline, signal });
			report.expectations[index] = outcome;
			onEvent({ event: 'expected', pattern: textOf(pattern), matched: outcome.message });
			outcome.message = '';
		}
	} catch (error) {
		const next = report.expectations.find(({ status }) => status === 'skipped');
		if (next) Object.assign(next, { status: 'failed', message: messageOf(error) });
		throw error;
	} finally {
		await settle(copied, reading);
	}
}

interface Waiting {
	test: FirmwareTest;
	deadline: number;
	signal: AbortSignal | undefined;
}

async function meetExpectation(
	lease: Lease,
	pattern: string | RegExp,
	{ test, deadline, signal }: Waiting,
): Promise<ExpectationOutcome> {
	const startedAt = performance.now();
	const timeout = Math.max(1, Math.ceil(deadline - startedAt));
	const { matched } = await lease.console.expect(pattern, { fail: test.fail, timeout, signal });
	const milliseconds = Math.round(performance.now() - startedAt);
	return { pattern: textOf(pattern), status: 'passed', milliseconds, message: matched };
}

async function copyConsole(lease: Lease, signal: AbortSignal, write: (text: string) => void) {
	try {
		for await (const text of lease.console.text({ signal })) write(text);
	} catch {
		// The expectation says why the console ended.
	}
}

/** What the console showed with the last expectation may be a moment behind it. */
async function settle(copied: Promise<void>, reading: AbortController) {
	const timer = setTimeout(() => reading.abort(), 200);
	await copied;
	clearTimeout(timer);
}

/** What an error says of the test; nothing for an error that is neither firmware nor board. */
function outcomeOf(error: unknown): Pick<FirmwareTestReport, 'result' | 'message'> | undefined {
	const { code, name, reason } = fieldsOf(error);
	const message = messageOf(error);
	if (code === 'fail_seen' || code === 'not_seen') return { result: code, message };
	if (code === 'no_board_available' || (code === 'lease_ended' && reason === 'no_board')) {
		return { result: 'no_board', message };
	}
	if (name === 'ActionFailedError' || code === 'lease_ended') {
		return { result: 'board_failed', message };
	}
	return undefined;
}

function fieldsOf(error: unknown): { code?: unknown; name?: unknown; reason?: unknown } {
	return typeof error === 'object' && error !== null ? error : {};
}

function messageOf(error: unknown) {
	return error instanceof Error ? error.message : String(error);
}

function announce({ lease, steps }: LeaseProgress, onEvent: (event: FirmwareTestEvent) => void) {
	if (lease.status === 'queued') {
		onEvent({ event: 'queued', leaseId: lease.id, position: lease.queuePosition ?? null });
		return;
	}
	const step = steps.findLast(({ status }) => status !== 'queued');
	if (!step) return;
	onEvent({
		event: 'preparing',
		leaseId: lease.id,
		boardId: lease.boardId ?? null,
		step: [step.action, step.name].filter(Boolean).join(' '),
		status: step.status ?? '',
	});
}

function textOf(pattern: string | RegExp) {
	return String(pattern);
}

function skipped(pattern: string | RegExp): ExpectationOutcome {
	return { pattern: textOf(pattern), status: 'skipped', milliseconds: 0, message: '' };
}
