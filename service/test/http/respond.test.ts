// Responses with an error, and those to a request whose change is committed.
import { type ErrorCode, errorStatuses } from 'board-access-contract';
import { expect, test } from 'vitest';
import { ApiError, afterChange } from '../../../core/src/errors.ts';
import { errorResponse } from '../../src/http/respond.ts';

test('an error of the API after a change is the response', async () => {
	const error = new ApiError('board_not_found', 'There is no such board.');
	await expect(afterChange(Promise.reject(error))).rejects.toBe(error);
});

test('an error of the database after a change does not say that nothing has changed', async () => {
	const cause = new Error('database is locked');
	await expect(afterChange(Promise.reject(cause))).rejects.toMatchObject({
		message: 'The change is committed, but its result cannot be read.',
		cause,
	});
});

const unauthenticated = Object.keys(errorStatuses).filter(
	(code) => errorStatuses[code as ErrorCode] === 401,
);

test.each(unauthenticated)('the 401 %s says how to authenticate', (code) => {
	const response = errorResponse(new ApiError(code as ErrorCode, 'no'), 'req_1');
	expect(new Headers(response.headers).get('www-authenticate')).toMatch(/^Bearer/);
});
