// The headers that every response has: its identifier, and what a browser may do
// with it. A route that needs another value sets it itself.
import { randomUUID } from 'node:crypto';
import { redact } from 'board-access-contract';
import type { ServiceApp, ServiceContext } from './environment.ts';

const defaults = {
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
	'x-content-type-options': 'nosniff',
};

// Reading the headers of a finished response makes an object of them, so the responses of the API
// get theirs at once and are left alone.
const complete = Symbol('complete');

export function setResponseHeaders(app: ServiceApp) {
	app.use(async (c, next) => {
		const requestId = chooseRequestId(c);
		c.set('requestId', requestId);
		await next();
		if (!(complete in c.res)) addHeaders(c.res.headers, requestId);
	});
}

function addHeaders(headers: Headers, requestId: string) {
	headers.set('x-request-id', requestId);
	for (const [name, value] of Object.entries(defaults)) {
		if (!headers.has(name)) headers.set(name, value);
	}
}

interface ResponseParts {
	body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
	status: number;
	headers?: Record<string, string> | undefined;
	requestId: string;
}

export function completeResponse({ body, status, headers, requestId }: ResponseParts) {
	const response = new Response(body, {
		status,
		headers: { ...defaults, 'x-request-id': requestId, ...headers },
	});
	return Object.assign(response, { [complete]: true });
}

const wellFormed = /^[\w.:-]{1,128}$/;

// Hono's own `request-id` would also keep an API key that was sent as the identifier.
function chooseRequestId(c: ServiceContext) {
	const given = c.req.header('x-request-id');
	return given && wellFormed.test(given) && redact(given) === given ? given : randomUUID();
}
