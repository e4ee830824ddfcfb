// The errors of using a lease.
import { BoardAccessError, nameErrors } from './errors.ts';
import type { LeaseAction, LeaseEndReason } from './leases.ts';

/**
 * The lease has ended, so its board can no longer be used.
 *
 * @group Errors
 */
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

/**
 * The board or its agent could not carry out an action.
 *
 * @group Errors
 */
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
 * The console did not show the expected text in time, or showed the text that means failure.
 *
 * @group Errors
 */
export class ExpectationError extends BoardAccessError {
	declare name: 'ExpectationError';
	/** `fail_seen`: the text of `fail` appeared first; `not_seen`: the expected text did not appear in time. */
	declare readonly code: 'fail_seen' | 'not_seen';
	/** The last console output, at most 4,000 characters. */
	declare readonly output: string;
	/** The text that matched `fail`. */
	declare readonly matched?: string;

	/** @internal */
	constructor(message: string, { output, matched }: { output: string; matched?: string }) {
		super(message, {
			code: matched === undefined ? 'not_seen' : 'fail_seen',
			outcome: 'rejected',
			output,
			matched,
		});
	}
}

nameErrors({ LeaseEndedError, ActionFailedError, ExpectationError });
