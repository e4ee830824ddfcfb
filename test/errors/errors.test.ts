import { readFile } from 'node:fs/promises';
import {
	ApiError,
	BoardAccessError,
	ConfigurationError,
	ConnectionError,
	type ErrorCode,
	InputError,
	isApiError,
	isBoardAccessError,
	RequestTimeoutError,
	ResponseError,
} from 'board-access';
import { describe, expect, it } from 'vitest';
import { createClient, errorOf, useMockedService } from '../support/client.ts';

const service = useMockedService();

const failWith = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
	service()
		.get('/v1/boards')
		.reply(status, body as never, headers);
	const error = await errorOf(createClient({ maxRetries: 0 }).boards.list());
	if (!(error instanceof ApiError)) throw error;
	return error;
};

describe('an error response', () => {
	it('in the format of the service has all of its fields', async () => {
		const error = await failWith(
			400,
			{
				error: {
					code: 'invalid_request',
					message: 'The request is not valid.',
					hint: 'Read the guide.',
					param: 'limit',
					errors: [{ path: 'limit', message: 'must be a number' }],
					request_id: 'req_body',
				},
			},
			{ 'x-request-id': 'req_header' },
		);
		expect(error).toMatchObject({
			name: 'ApiError',
			status: 400,
			code: 'invalid_request',
			message: 'The request is not valid.',
			hint: 'Read the guide.',
			param: 'pageSize',
			issues: [{ path: 'pageSize', message: 'must be a number' }],
			requestId: 'req_header',
			outcome: 'rejected',
		});
		expect(error.headers.get('x-request-id')).toBe('req_header');
		expect(error.body).toHaveProperty('error.code', 'invalid_request');
	});

	it('uses the names of the library for fields and parameters', async () => {
		const problems = [
			'board_type',
			'tags.rack_name',
			'tag',
			'limit',
			'flash_offset',
			'constructor',
			'',
		];
		const errors = problems.map((path) => ({ path, message: 'x' }));
		const error = await failWith(400, {
			error: { code: 'x', message: 'y', param: 'board_type', errors },
		});
		expect(error.param).toBe('boardType');
		expect(error.issues.map(({ path }) => path)).toEqual([
			'boardType',
			'tags.rack_name',
			'tags',
			'pageSize',
			'flashOffset',
			'constructor',
			'',
		]);
	});

	it('uses them in its sentences, too, which clients in the names of the API keep', async () => {
		const problem = { path: 'wait_seconds', message: 'must be at most 86400' };
		const limit = { path: 'limit', message: 'must be given once' };
		const error = {
			code: 'invalid_request',
			message: 'wait_seconds must be at most 86400; limit must be given once.',
			hint: 'Set wait_seconds, or choose another board_type than my_board_type.',
			param: 'wait_seconds',
			errors: [problem, limit],
		};
		expect(await failWith(400, { error })).toMatchObject({
			message: 'waitMs must be at most 86400 seconds; pageSize must be given once.',
			hint: 'Set waitMs, or choose another boardType than my_board_type.',
			param: 'waitMs',
			issues: [
				{ path: 'waitMs', message: 'must be at most 86400 seconds' },
				{ path: 'pageSize', message: 'must be given once' },
			],
		});
		service().get('/v1/boards').reply(400, { error });
		const raw = createClient().request({ method: 'GET', path: '/v1/boards' });
		const { errors: issues, ...same } = error;
		expect(await errorOf(raw)).toMatchObject({ ...same, issues });
	});

	it('knows every field of a request with more than one word', async () => {
		const text = await readFile(new URL('../../src/contract/requests.ts', import.meta.url), 'utf8');
		const names = [...text.matchAll(/^\t+([a-z]+(?:_[a-z]+)+):/gm)].map(([, name]) => name);
		// The service ignores these in a record that is sent back, so no sentence is about them.
		const ignored = /^(?:(?:created|updated)_at|lease_id|status_reason|keeps_firmware)$/;
		const words = names.filter((name) => !ignored.test(name ?? '')).join(', ');
		expect(words).toContain('wait_seconds');
		expect(await failWith(400, { error: { code: 'x', message: words } })).toMatchObject({
			message: expect.not.stringContaining('_'),
		});
	});

	it('takes the request ID from the body when no header has one', async () => {
		const error = await failWith(404, { error: { code: 'x', message: 'y', request_id: 'req_1' } });
		expect(error.requestId).toBe('req_1');
	});

	it('in the format problem+json is read too', async () => {
		const problem = { title: 'Payment', detail: 'Top up first', code: 'paid_tier_required' };
		const error = await failWith(402, problem, { 'content-type': 'application/problem+json' });
		expect(error).toMatchObject({ code: 'paid_tier_required', message: 'Top up first' });
	});

	it.each([
		[{ message: 'Bare' }, 'Bare'],
		[{ title: 'Only a title' }, 'Only a title'],
		[{ error: 'Just text' }, 'Just text'],
		[{ error: null, message: 'Null beside it' }, 'Null beside it'],
		[{ message: '  ' }, 'The service responded with status 418'],
		[{ message: 5 }, 'The service responded with status 418'],
		['<html><body>Bad gateway</body></html>', 'The service responded with status 418'],
		['', 'The service responded with status 418'],
		['{"message": "cut o', 'The service responded with status 418'],
		['null', 'The service responded with status 418'],
		['[1]', 'The service responded with status 418'],
	])('%j makes a short message and a code', async (body, message) => {
		expect(await failWith(418, body)).toMatchObject({ message, code: 'http_418' });
	});

	it('adds at most one short line to the message', async () => {
		const error = await failWith(500, { message: `a\n\tb\u0007 ${'x'.repeat(5000)}` });
		expect(error.message).toMatch(/^a b x{20,}…$/);
		expect(error.message.length).toBeLessThanOrEqual(301);
	});

	it('keeps at most 4 kB of the body', async () => {
		const page = `<html>${'x'.repeat(5000)}</html>`;
		expect((await failWith(502, page)).body).toBe(page.slice(0, 4096));
		expect((await failWith(502, 'short')).body).toBe('short');
	});

	it('omits malformed issues', async () => {
		const errors = [null, 5, { path: 1, message: 'x' }, { path: 'a', message: 'b', extra: 1 }];
		expect((await failWith(400, { errors })).issues).toEqual([{ path: 'a', message: 'b' }]);
		expect((await failWith(400, { errors: 'none' })).issues).toEqual([]);
	});

	it.each([
		[400, 'rejected'],
		[401, 'rejected'],
		[408, 'unknown'],
		[429, 'rejected'],
		[499, 'rejected'],
		[500, 'unknown'],
		[502, 'unknown'],
		[503, 'unknown'],
		[504, 'unknown'],
	])('with status %i leaves the outcome %s', async (status, outcome) => {
		service().post('/v1/auth/keys').reply(status, {});
		const creating = createClient({ maxRetries: 0 }).keys.create();
		expect(await errorOf(creating)).toMatchObject({ outcome });
	});

	it.each([
		['120', 120_000],
		['0', 0],
	])('says when to retry: %s', async (header, milliseconds) => {
		const before = Date.now();
		const { retryAt } = await failWith(403, {}, { 'retry-after': header });
		expect(retryAt?.getTime()).toBeGreaterThanOrEqual(before + milliseconds);
		expect(retryAt?.getTime()).toBeLessThan(before + milliseconds + 5000);
	});

	it('says when to retry: a date', async () => {
		const { retryAt } = await failWith(403, {}, { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' });
		expect(retryAt?.toISOString()).toBe('2100-01-01T00:00:00.000Z');
	});

	it.each(['soon', '', '99999999999999999999', '-5.5.5'])(
		'has no retryAt for %j',
		async (header) => {
			expect((await failWith(403, {}, { 'retry-after': header })).retryAt).toBeUndefined();
		},
	);
});

it('the error for an unusable response has its status, body and request ID', async () => {
	const headers = { 'x-request-id': 'req_1' };
	service()
		.get('/v1/boards')
		.reply(203, `<html>${'x'.repeat(9000)}`, headers);
	const error = await errorOf(createClient().boards.list());
	expect(error).toMatchObject({ name: 'ResponseError', status: 203, requestId: 'req_1' });
	expect(error).toHaveProperty('body.length', 4096);
	service()
		.get('/v1/boards')
		.reply(200, { data: [{ id: 5 }] });
	expect(await errorOf(createClient().boards.list())).toMatchObject({
		status: 200,
		body: { data: [{ id: 5 }] },
	});
});

describe('a successful response that is not JSON', () => {
	it.each([
		['<!doctype html><p>Log in', 'The response is a web page, not JSON'],
		['{"data": [', 'The response is not valid JSON'],
		['OK', 'The response is not valid JSON'],
	])('%j is an error with advice', async (body, message) => {
		service().get('/v1/boards').reply(200, body);
		expect(await errorOf(createClient().boards.list())).toMatchObject({
			name: 'ResponseError',
			code: 'invalid_response',
			message,
			hint: expect.stringContaining('base URL'),
			outcome: 'rejected',
			attempts: [{ status: 200, error: 'invalid_response' }],
		});
	});
});

describe('the error classes', () => {
	const errors: BoardAccessError[] = [
		new ConfigurationError('a', { code: 'option_invalid' }),
		new InputError([{ path: 'a', message: 'b' }]),
		new ApiError('a', { status: 404, code: 'key_not_found', headers: new Headers(), body: '' }),
		new ConnectionError('a', { code: 'connection_lost' }),
		new RequestTimeoutError(5),
		new ResponseError('a', { code: 'invalid_response' }),
	];

	it.each(errors)('$name has its name, and is an error of this library', (error) => {
		expect(error.name).toBe(error.constructor.name);
		expect(String(error)).toMatch(new RegExp(`^${error.name}: `));
		expect(error).toBeInstanceOf(BoardAccessError);
		expect(error).toBeInstanceOf(Error);
		expect(isBoardAccessError(error)).toBe(true);
		expect(Object.keys(error)).not.toContain('name');
	});

	it('nothing else is an error of this library', () => {
		for (const other of [new Error('a'), { code: 'b' }, null, undefined, 'timeout']) {
			expect(isBoardAccessError(other)).toBe(false);
			expect(isApiError(other)).toBe(false);
		}
	});

	it('an error of the service is recognized by its code', () => {
		const [, , error] = errors;
		expect(isApiError(error)).toBe(true);
		expect(isApiError(error, 'key_not_found')).toBe(true);
		expect(isApiError(error, 'paid_tier_required')).toBe(false);
		expect(isApiError(errors[0], 'option_invalid' as ErrorCode)).toBe(false);
	});

	it('an error of the service is recognized by its status too', () => {
		const [, , error] = errors;
		expect(isApiError(error, 404)).toBe(true);
		expect(isApiError(error, 429)).toBe(false);
		expect(isApiError(errors[5], 404)).toBe(false);
	});

	it('errors of another copy of the package are recognized', () => {
		class Foreign extends Error {
			override name = 'ApiError';
			code = 'key_not_found';
		}
		const error = Object.defineProperty(new Foreign(), Symbol.for('board-access.error'), {
			value: true,
		});
		expect(isApiError(error, 'key_not_found')).toBe(true);
	});
});
