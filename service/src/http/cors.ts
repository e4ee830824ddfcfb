// Lets the web pages call the API when they have an address of their own.
import { cors } from 'hono/cors';
import type { Settings } from '../env.ts';
import type { ServiceApp } from './environment.ts';

export function allowWebPages(app: ServiceApp, { baseUrl, webUrl }: Settings) {
	const origin = new URL(webUrl).origin;
	if (origin === new URL(baseUrl).origin) return;
	const allowMethods = ['GET', 'POST', 'PATCH', 'DELETE'];
	app.use('/v1/*', cors({ origin, credentials: true, allowMethods, exposeHeaders }));
}

// What an answer tells beside its body; a browser shows a page of another origin no other header.
const exposeHeaders = [
	'X-Request-Id',
	'Retry-After',
	'RateLimit',
	'RateLimit-Policy',
	'Idempotent-Replayed',
	'X-Console-Offset',
];
