import { expect, test } from 'vitest';
import { causeOfReport } from '../../src/operations/failures.ts';

test.each([
	['power_on', undefined, 'power_on_failed'],
	['power_on', 'board', 'power_on_failed'],
	['flash', 'verify_failed', 'verify_failed'],
	['flash', 'no_device', 'no_device'],
	['flash', 'timeout', 'timeout'],
	['flash', 'agent', 'agent_failed'],
	['reset', undefined, 'reset_failed'],
	['erase', 'not_erased', 'not_erased'],
] as const)(
	'%s that fails, of which the agent reports %s, is recorded as %s',
	(action, reported, cause) => {
		expect(causeOfReport(action, reported)).toBe(cause);
	},
);
