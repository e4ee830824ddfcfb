// What an error says if the file that explains it cannot be loaded, or does not arrive.
import { expect, it } from 'vitest';
import type { ApiError, ResponseError } from '../src/errors.ts';
import { createTransport, type Explain } from '../src/lib/request.ts';
import { readSettings } from '../src/lib/settings.ts';
import { apiKey, errorOf } from './support/client.ts';

const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const hanging = () => new Promise<never>(() => {});

const requestOf = (
	response: () => Response,
	explain: Explain,
	options = {},
	method: 'GET' | 'POST' = 'GET',
) => {
	const settings = readSettings({
		apiKey,
		baseUrl: 'https://boards.example.com',
		fetch: async () => response(),
		maxRetries: 0,
		...options,
	});
	const { request } = createTransport({ ...settings, explain });
	return request({ method, path: '/v1/boards', read: (body) => body });
};

const unpaid = () =>
	Response.json(
		{ error: { code: 'paid_tier_required', message: 'Pay first' } },
		{ status: 402, headers: { 'x-request-id': 'req_1', 'retry-after': '60' } },
	);

it('an error status is still an error of the service, with its status and attempts', async () => {
	const error = (await errorOf(requestOf(unpaid, missing))) as ApiError;
	expect(error).toMatchObject({
		name: 'ApiError',
		message: 'The service responded with status 402',
		code: 'http_402',
		status: 402,
		outcome: 'rejected',
		requestId: 'req_1',
		issues: [],
		attempts: [{ status: 402, error: 'http_402', requestId: 'req_1' }],
	});
	expect(error.retryAt?.getTime()).toBeGreaterThan(Date.now() + 50_000);
	expect(error.body).toBeUndefined();
});

it('a 409 may be a creation that is still being carried out', async () => {
	const conflict = () => Response.json({}, { status: 409 });
	expect(await errorOf(requestOf(conflict, missing, {}, 'POST'))).toMatchObject({
		code: 'http_409',
		outcome: 'unknown',
	});
});

it('a response that is not JSON is reported with its status', async () => {
	const page = () => new Response('<html>', { headers: { 'x-request-id': 'req_1' } });
	const error = (await errorOf(requestOf(page, missing))) as ResponseError;
	expect(error).toMatchObject({ code: 'invalid_response', status: 200, requestId: 'req_1' });
	const elsewhere = () => new Response(null, { status: 302, headers: { location: '/elsewhere' } });
	expect(await errorOf(requestOf(elsewhere, missing))).toMatchObject({
		name: 'ResponseError',
		code: 'redirect_refused',
		status: 302,
	});
});

it('the time limit of the request covers the file', async () => {
	const error = await errorOf(requestOf(unpaid, hanging, { timeout: 50 }));
	expect(error).toMatchObject({ name: 'ApiError', status: 402 });
});

it('a request is retried without the file', async () => {
	let attempts = 0;
	const response = () => {
		attempts += 1;
		return attempts === 1 ? new Response('', { status: 502 }) : Response.json([]);
	};
	expect(await requestOf(response, missing, { maxRetries: 1 })).toEqual([]);
	expect(attempts).toBe(2);
});
