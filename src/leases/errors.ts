// The errors of using a lease.
import { BoardAccessError, nameErrors } from '../errors/base.ts';
import type { ChannelErrorCode } from '../errors/details.ts';
import type { ApiError } from '../errors/errors.ts';
import type { LeaseAction, LeaseEndReason, LeaseRecord } from './types.ts';

/** The lease has ended, so its board can no longer be used. */
export class LeaseEndedError extends BoardAccessError<'lease_ended'> {
	declare name: 'LeaseEndedError';
	/** The lease that has ended. */
	declare readonly leaseId: string;
	/** Why it ended. */
	declare readonly reason: LeaseEndReason | (string & {});

	/** @internal */
	constructor(message: string, lease: Pick<LeaseEndedError, 'leaseId' | 'reason'>) {
		super(message, { code: 'lease_ended', outcome: 'unknown', ...lease });
	}
}

/** The lease is no longer shared with the account. If its holder shares it again, the same object works again. */
export class LeaseNotSharedError extends BoardAccessError<'lease_not_shared'> {
	declare name: 'LeaseNotSharedError';
	/** The lease that was shared. */
	declare readonly leaseId: string;

	/** @internal */
	constructor(leaseId: string, cause: ApiError) {
		const { attempts } = cause;
		super(`The lease ${leaseId} is no longer shared with you`, {
			code: 'lease_not_shared',
			hint: 'Ask its holder to share it again.',
			outcome: 'rejected',
			leaseId,
			attempts,
			cause,
		});
	}
}

/** No board is available: the lease did not wait for one, or has waited in vain. */
export class NoBoardError extends BoardAccessError<'no_board_available'> {
	declare name: 'NoBoardError';
	/** The lease that has waited; missing if it did not wait. */
	declare readonly leaseId?: string;
	/** The service's identifier for the rejected request; missing after a wait. */
	declare readonly requestId?: string;

	/** @internal */
	constructor(known: ApiError | { message: string; leaseId: string }) {
		const { message, leaseId, hint, requestId, attempts = [] }: NoBoard = known;
		const cause = known instanceof Error ? known : undefined;
		const details = { leaseId, hint, requestId, attempts, cause };
		super(message, { code: 'no_board_available', outcome: 'rejected', ...details });
	}
}

/** The board or its agent could not carry out an action. */
export class ActionFailedError extends BoardAccessError<'action_failed'> {
	declare name: 'ActionFailedError';
	/** The action, with the message of the agent. */
	declare readonly action: LeaseAction;

	/** @internal */
	constructor(action: LeaseAction) {
		super(action.message || `The board could not carry out ${action.action}`, {
			code: 'action_failed',
			outcome: 'unknown',
			action,
		});
	}
}

/**
 * The console did not show the expected text in time, or showed that of `fail` first. Thrown only if all
 * of it was read; the message ends with its last lines.
 */
export class ExpectationError extends BoardAccessError {
	declare name: 'ExpectationError';
	/** `fail_seen`: the text of `fail` appeared first; `not_seen`: the expected text did not appear in time. */
	declare readonly code: 'fail_seen' | 'not_seen';
	/** The last console output, at most 4,000 characters. */
	declare readonly output: string;
	/** The offset of the first byte of the console that was searched. */
	declare readonly from: number;
	/** The offset of the byte after the last one that was searched. */
	declare readonly to: number;
	/** The text that matched `fail`. */
	declare readonly matched?: string;
	/** True if a regular expression takes too long for this output, so that it is not known what it contains. */
	declare readonly searchStopped?: true;

	/** @internal */
	constructor(message: string, seen: SeenOnConsole) {
		super(message, {
			code: seen.matched === undefined ? 'not_seen' : 'fail_seen',
			outcome: 'rejected',
			...seen,
		});
	}
}

/**
 * The console did not show the expected text in time, but part of its output is missing. What the
 * firmware printed is not known.
 */
export class ConsoleUnavailableError extends BoardAccessError {
	declare name: 'ConsoleUnavailableError';
	/** `console_disconnected`: it still is; `console_interrupted`: it is connected, but output is missing. */
	declare readonly code: 'console_disconnected' | 'console_interrupted';
	/** For how many milliseconds it was disconnected. */
	declare readonly gapMs?: number;

	/** @internal */
	constructor({ consoleStatus, consoleLostAt, consoleMessage, consoleGapMs }: ConsoleState = {}) {
		const isBack = (consoleStatus ?? 'connected') === 'connected';
		const since = consoleLostAt ? ` (since ${consoleLostAt})` : '';
		const reason = consoleMessage ? `: ${consoleMessage}` : '';
		const message = isBack
			? `Part of the console output of the board is missing${consoleGapMs ? ` (${consoleGapMs / 1000} s)` : ''}`
			: `The console of the board is ${consoleStatus}${since}${reason}`;
		super(message, {
			code: isBack ? 'console_interrupted' : 'console_disconnected',
			hint: 'Some output is not known, so this does not mean that the firmware failed.',
			outcome: 'rejected',
			gapMs: isBack ? (consoleGapMs ?? undefined) : undefined,
		});
	}
}

type NoBoard = Pick<Error, 'message'> &
	Partial<Pick<NoBoardError, 'leaseId' | 'hint' | 'requestId' | 'attempts'>>;

type ConsoleState = Partial<LeaseRecord>;

export interface SeenOnConsole extends Pick<ExpectationError, 'output' | 'from' | 'to'> {
	matched?: string | undefined;
	searchStopped?: true | undefined;
	hint?: string | undefined;
}

/**
 * A write stopped half way; `cause` says why. It may have sent more than the service has confirmed. A
 * write of which nothing was sent rejects with the reason itself.
 */
export class WriteError extends BoardAccessError<'write_incomplete'> {
	declare name: 'WriteError';
	/** How many bytes the service has confirmed. */
	declare readonly sent: number;
	/** How many bytes there were to send. */
	declare readonly total: number;

	/** @internal */
	constructor({ sent, total, cause }: { sent: number; total: number; cause: unknown }) {
		const reason = cause instanceof Error ? `: ${cause.message}` : '';
		super(`Only ${sent} of ${total} bytes are confirmed as sent${reason}`, {
			code: 'write_incomplete',
			outcome: 'unknown',
			sent,
			total,
			cause,
		});
	}
}

/**
 * Something else acted on the board before or during a scenario, so its result would say nothing. `cause` is
 * the error of the step that failed meanwhile.
 */
export class ScenarioError extends BoardAccessError<'scenario_disturbed'> {
	declare name: 'ScenarioError';
	/** The action that was not of the scenario. */
	declare readonly action: LeaseAction;

	/** @internal */
	constructor(action: LeaseAction, cause?: unknown) {
		const { id, status, createdAt } = action;
		const other = `${action.action} (${id}, requested at ${createdAt}, ${status})`;
		super(`The scenario was disturbed: its board had another action, ${other}`, {
			code: 'scenario_disturbed',
			hint: 'Reset or flash the board, and run it again while nobody else uses the lease.',
			outcome: 'unknown',
			action,
			cause,
		});
	}
}

/** A channel to a port of a board has ended, or was not opened. */
export class ChannelError extends BoardAccessError {
	declare name: 'ChannelError';
	/**
	 * `port_failed`: the port of the board, or its debugger. `overrun`: the board printed more than was read.
	 * `connection_lost`: for longer than 15 seconds. `agent_lost`: the agent of the board did not connect.
	 * `credential_ended` and `access_ended`: the account may no longer use the lease.
	 */
	declare readonly code: ChannelErrorCode;

	/** @internal */
	constructor(message: string, code: string, cause: unknown) {
		super(message, { code, outcome: 'unknown', cause });
	}
}

nameErrors({
	ChannelError,
	LeaseEndedError,
	LeaseNotSharedError,
	NoBoardError,
	ActionFailedError,
	ExpectationError,
	ConsoleUnavailableError,
	WriteError,
	ScenarioError,
});
