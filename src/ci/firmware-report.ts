// How a firmware test ended, and what an error means for its result.
import type { ScenarioStep } from 'board-access';
import { visible } from '../contract/printable.ts';

/** `error`: caused by neither the firmware nor the board. */
export type FirmwareTestResult =
	| 'passed'
	| 'fail_seen'
	| 'not_seen'
	/** Nothing was printed since the flash. */
	| 'silent'
	| 'board_failed'
	| 'no_board'
	/** The account has as many leases as it may. */
	| 'lease_limit'
	| 'error';

/** `failed`: by the firmware; `error`: by something else. */
export interface StepReport {
	kind: 'expect' | 'fail' | 'send' | 'wait' | 'reset';
	/** What the step does; of an expectation, its pattern. */
	name: string;
	status: 'passed' | 'failed' | 'error' | 'skipped';
	milliseconds: number;
	message: string;
}

export interface FirmwareTestReport {
	result: FirmwareTestResult;
	/** Why the test did not pass; empty if it did. */
	message: string;
	/** The code of the error, or the reason for which the lease ended; empty if the test passed. */
	cause: string;
	/** Why an expected text may not have appeared. */
	hint?: string | undefined;
	leaseId: string | null;
	boardId: string | null;
	/** All boards of the test, by their roles. */
	boards: { role: string | null; boardId: string | null; leaseId: string }[];
	steps: StepReport[];
	/** Everything that the firmware under test printed, as text and as bytes. */
	console: string;
	output: Uint8Array[];
	milliseconds: number;
	credits: number | null;
}

export interface EndedFirmwareTest {
	report: FirmwareTestReport;
	/** Why the result is `error`: what was thrown. */
	error?: unknown;
}

interface Tested {
	steps?: readonly ScenarioStep[];
	roles?: readonly (string | null)[] | undefined;
}

export function titleOf(firmware: string, scenario?: string) {
	return scenario ? `${firmware}: ${scenario}` : firmware;
}

/** A test that failed before it began. */
export function failedTest(test: Tested, error: unknown) {
	const report = emptyReport(test);
	reportFailure(report, error);
	return { report, error };
}

export function reportFailure(report: FirmwareTestReport, error: unknown, signal?: AbortSignal) {
	const { code = '', reason = code, hint, from, to } = fieldsOf(error);
	const found = resultOf(error) ?? 'error';
	const isSilent = found === 'not_seen' && from === to && report.output.length === 0;
	const result = isSilent ? 'silent' : found;
	const message = withOutput(messageOf(error, signal), error, report.console);
	const advice = isFailure(found) ? hint : undefined;
	Object.assign(report, { result, message, cause: String(reason), hint: advice });
	const failed = report.steps.find(({ status }) => status === 'error');
	if (failed) Object.assign(failed, { message, status: isFailure(result) ? 'failed' : 'error' });
}

const maxLines = 10;
const maxLine = 200;

/** The message of an expectation with whole lines, also with later ones. */
function withOutput(message: string, error: unknown, console: string) {
	const [sentence = '', shown] = message.split('. Its last lines:\n');
	const { matched = '', output = '' } = fieldsOf(error);
	const at = console.lastIndexOf(output);
	if (shown === undefined || at < 0) return message;
	// The output of the error ends with what was matched.
	const found = at + output.length - matched.length;
	const start = matched ? console.lastIndexOf('\n', found) + 1 : 0;
	const lines = console
		.slice(start)
		.split(/[\r\n]+/)
		.filter((line) => line !== '');
	const relevant = matched ? lines.slice(0, maxLines) : lines.slice(-maxLines);
	const printed = relevant.map((line) => `\n  ${visible(line.slice(-maxLine))}`).join('');
	return `${sentence}${matched ? ':' : '. Its last lines:'}${printed}`;
}

export function emptyReport({ steps = [], roles = [] }: Tested): FirmwareTestReport {
	return {
		result: 'passed',
		message: '',
		cause: '',
		leaseId: null,
		boardId: null,
		boards: [],
		steps: steps.map((step, index) => ({
			...nameOf(step, roles[index]),
			status: 'skipped',
			milliseconds: 0,
			message: '',
		})),
		console: '',
		output: [],
		milliseconds: 0,
		credits: null,
	};
}

/** Without what was sent, which may be a password. */
function nameOf(step: ScenarioStep, role?: string | null): Pick<StepReport, 'kind' | 'name'> {
	if (role) {
		const { kind, name } = nameOf(step);
		return { kind, name: `${role}: ${name}` };
	}
	const { expect, fail, send, waitMs } = step;
	if (expect !== undefined) return { kind: 'expect', name: String(expect) };
	if (fail !== undefined) return { kind: 'fail', name: `fail ${[fail].flat().join(', ')}` };
	if (waitMs !== undefined) return { kind: 'wait', name: `wait ${waitMs / 1000} s` };
	if (send === undefined) return { kind: 'reset', name: 'reset' };
	const { length } = typeof send === 'string' ? Buffer.from(send) : send;
	return { kind: 'send', name: `send ${length} bytes` };
}

export function isFailure(result: FirmwareTestResult | undefined) {
	return result === 'fail_seen' || result === 'not_seen';
}

/** Undefined for an error of neither the firmware nor the board. */
export function resultOf(error: unknown): FirmwareTestResult | undefined {
	const { code, name, attempts = [] } = fieldsOf(error);
	if (code === 'fail_seen' || code === 'not_seen') return code;
	if (code === 'no_board_available') return 'no_board';
	// Actions and files of a lease have the same code.
	const created = ['/v1/leases', '/v1/lease-groups'].includes(`${attempts.at(-1)?.path}`);
	if (code === 'lease_limit' && created) return code;
	const isOfBoard = name === 'ActionFailedError' || name === 'ConsoleUnavailableError';
	return isOfBoard || code === 'lease_ended' ? 'board_failed' : undefined;
}

interface ErrorFields {
	code?: unknown;
	name?: unknown;
	reason?: unknown;
	hint?: string;
	from?: number;
	to?: number;
	matched?: string;
	output?: string;
	attempts?: readonly { path?: string }[];
}

export function fieldsOf(error: unknown): ErrorFields {
	return typeof error === 'object' && error !== null ? error : {};
}

export function messageOf(error: unknown, signal?: AbortSignal) {
	// The default reason of a signal says nothing of use.
	if (signal?.aborted && fieldsOf(error).name === 'AbortError') return 'Interrupted';
	return error instanceof Error ? error.message : String(error);
}
