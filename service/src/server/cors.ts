// Allows the web pages to call the API when they have a separate address.

import type { Settings } from 'board-access-core';
import { methods, type ServiceApp } from 'board-access-http/environment';
import { cors } from 'hono/cors';

export function allowWebPages(app: ServiceApp, { baseUrl, webUrl }: Settings) {
	const origin = new URL(webUrl).origin;
	if (origin === new URL(baseUrl).origin) return;
	const allowMethods = [...methods];
	app.use('/v1/*', cors({ origin, credentials: true, allowMethods, exposeHeaders }));
}

// The response headers that a browser shows to a page of another origin.
const exposeHeaders = [
	'X-Request-Id',
	'ETag',
	'Retry-After',
	'RateLimit',
	'RateLimit-Policy',
	'Idempotent-Replayed',
	'X-Agent-Connected',
	'X-Console-End',
	'X-Console-Offset',
];
