// Browsers send cookies automatically, so changes must come from our own pages.
import { ApiError, type Settings } from 'board-access-core';
import type { ServiceContext } from './environment.ts';
import { hasName } from './server/host.ts';

/** The methods that change nothing. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Rejects a change that another site may have made the browser send. */
export function requireOwnOrigin(c: ServiceContext, settings: Settings) {
	if (safeMethods.has(c.req.method) || isOwnOrigin(c, settings)) return;
	const message = 'A request with a session cookie must come from this site.';
	const hint = 'Programs use an API key instead of the cookie.';
	throw new ApiError('origin_refused', message, { hint });
}

/** Whether a page of this service has sent the request. */
export function isOwnOrigin(c: ServiceContext, { baseUrl, webUrl }: Settings) {
	const site = c.req.header('sec-fetch-site');
	if (site === 'same-origin') return true;
	const configured = [baseUrl, webUrl];
	// A service without a configured address is reached by any name of its machine.
	const own = configured.some(hasName) ? configured : [...configured, c.req.url];
	const origins = own.map((url) => new URL(url).origin);
	return site !== 'cross-site' && origins.includes(c.req.header('origin') ?? '');
}
