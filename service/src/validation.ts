// Words for what is wrong with a value, where the rule itself has none.
import { redact } from 'board-access-contract';
import type * as z from 'zod/mini';

export const explain = (issue: z.core.$ZodRawIssue): string => {
	switch (issue.code) {
		case 'invalid_value':
			return `must be one of ${issue.values.join(', ')}`;
		case 'invalid_type':
			return issue.input === undefined ? 'is required' : `must be of type ${issue.expected}`;
		case 'too_small':
			return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters long' : ''}`;
		case 'too_big':
			return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
		default:
			return 'is not valid';
	}
};

/** What an issue says, and of which field: one that is not known is named itself. */
export const faultsOf = (issue: z.core.$ZodIssue) => {
	const path = issue.path.join('.');
	if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
	return issue.keys.map((key) => ({ path: tellable(key), message: 'is not known here' }));
};

/** A name that somebody else gave, short and without an API key in it. */
export const tellable = (name: string) => redact(name).slice(0, 100);
