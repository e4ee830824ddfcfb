import { responseOf } from 'board-access';
import { describe, expect, it } from 'vitest';
import { apiKey, createClient, errorOf, useMockedService } from '../support/client.ts';

const service = useMockedService();

describe('a request to any endpoint', () => {
	it('returns the JSON unchanged, and its response', async () => {
		service()
			.post('/v1/new/thing', { some_field: 1 })
			.query({ a: 'b c', n: '1', flag: 'true' })
			.matchHeader('authorization', `Bearer ${apiKey}`)
			.matchHeader('content-type', 'application/json')
			.matchHeader('x-one', '1')
			.reply(201, { new_field: [1] }, { 'x-request-id': 'req_1' });
		const result = await createClient().request({
			method: 'POST',
			path: '/v1/new/thing',
			query: { a: 'b c', n: 1, flag: true, left: undefined },
			json: { some_field: 1 },
			headers: { 'x-one': '1' },
		});
		expect(result).toEqual({ new_field: [1] });
		expect(responseOf(result as object)).toMatchObject({ status: 201, requestId: 'req_1' });
	});

	it.each([
		['', undefined],
		['null', null],
		['5', 5],
		['"text"', 'text'],
	])('gives for the body %j %j', async (body, result) => {
		service().get('/v1/x').reply(200, body, { 'content-type': 'application/json' });
		expect(await createClient().request({ method: 'GET', path: '/v1/x' })).toBe(result);
	});

	it('returns a text body unchanged with as: text', async () => {
		service().get('/v1/x').reply(200, 'id,name\n', { 'content-type': 'text/csv' });
		const request = { method: 'GET', path: '/v1/x', as: 'text' } as const;
		expect(await createClient().request(request)).toBe('id,name\n');
		service()
			.get('/v1/x')
			.reply(404, { error: { code: 'not_found', message: 'No' } });
		expect(await errorOf(createClient().request(request))).toMatchObject({ code: 'not_found' });
	});

	it('returns the status of a response without a body with as: response', async () => {
		service().delete('/v1/x').reply(204, '', { 'x-request-id': 'req_1' });
		const request = { method: 'DELETE', path: '/v1/x', as: 'response' } as const;
		const response = await createClient().request(request);
		expect(response).toMatchObject({ status: 204, requestId: 'req_1', body: undefined });
		expect(response.headers.get('x-request-id')).toBe('req_1');
	});

	it('can ask whether something has changed', async () => {
		service().get('/v1/x').matchHeader('if-none-match', '"a"').reply(304, '', { etag: '"a"' });
		const headers = { 'if-none-match': '"a"' };
		const request = { method: 'GET', path: '/v1/x', as: 'response', headers } as const;
		expect(await createClient().request(request)).toMatchObject({ status: 304, body: undefined });
	});

	it('rejects a 304 in response to a change', async () => {
		service().delete('/v1/auth/keys/key_1').reply(304, '');
		expect(await errorOf(createClient().keys.revoke('key_1'))).toMatchObject({
			code: 'redirect_refused',
		});
	});

	it('sends an array in the query as a repeated parameter', async () => {
		service().get('/v1/x?a=1&a=2').reply(200, []);
		await createClient().request({ method: 'GET', path: '/v1/x', query: { a: [1, 2] } });
	});

	it('errors use the field names of the API', async () => {
		const errors = [{ path: 'board_type', message: 'must not be empty' }];
		service()
			.post('/v1/x')
			.reply(400, {
				error: { code: 'invalid_request', message: 'x', param: 'board_type', errors },
			});
		const work = createClient().request({ method: 'POST', path: '/v1/x', json: {} });
		expect(await errorOf(work)).toMatchObject({ param: 'board_type', issues: errors });
	});

	it('sends no content type without a body', async () => {
		let type: string | null = '';
		service()
			.delete('/v1/x')
			.reply((request: Request) => {
				type = request.headers.get('content-type');
				return [204];
			});
		await createClient().request({ method: 'DELETE', path: '/v1/x' });
		expect(type).toBeNull();
	});

	it.each([
		'v1/boards',
		'',
		'//elsewhere.example.com/x',
		'/\\elsewhere.example.com/x',
		'/v1/../../x',
		'/v1/./x',
		'/v1/%2e%2E/x',
		'/v1/..',
		'/v1/x?y=1',
		'/v1/x#y',
		'/v1/x\ny',
		'https://elsewhere.example.com/',
		`/v1/auth/keys/${apiKey}`,
		undefined as never,
	])('refuses the path %j before anything is sent', async (path) => {
		const error = await errorOf(createClient().request({ method: 'GET', path }));
		expect(error).toMatchObject({ name: 'InputError', outcome: 'not-sent' });
		expect(error).not.toHaveProperty('message', expect.stringContaining(apiKey));
	});

	it('rejects a body that is not JSON', async () => {
		const loop: { self?: unknown } = {};
		loop.self = loop;
		for (const json of [loop, 5n]) {
			expect(
				await errorOf(createClient().request({ method: 'POST', path: '/v1/x', json })),
			).toMatchObject({
				name: 'InputError',
				issues: [{ path: 'json', message: 'cannot be written as JSON' }],
			});
		}
	});
});

describe('the response behind a result', () => {
	it('is available for records and arrays of this client only', async () => {
		service()
			.get('/v1/boards')
			.reply(200, [{ id: 'a' }], { 'x-request-id': 'req_1', 'x-more': 'y' });
		const boards = await createClient().boards.list();
		expect(responseOf(boards)?.headers.get('x-more')).toBe('y');
		expect(responseOf([...boards])).toBeUndefined();
		expect(Object.keys(boards)).toEqual(['0']);
	});
});
