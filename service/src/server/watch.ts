// Wraps every request: its log line, its metrics, its errors.

import { ApiError, asApiError, currentActor, currentMember } from 'board-access-core';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import { errorResponse } from 'board-access-http/respond';
import { errorPage, wantsPage } from 'board-access-web';
import { routePath } from 'hono/route';
import type { Services } from '../services.ts';

export function watchRequests(app: ServiceApp, services: Services) {
	const { log, metrics, stopping } = services;

	app.use(async (c, next) => {
		const started = performance.now();
		// Expected, so not logged as an error.
		if (stopping.aborted) {
			return respondToError(new ApiError('unavailable', 'The service is stopping.'), c, services);
		}
		// PostgreSQL rejects text with a NUL.
		if (c.req.url.includes('%00')) {
			throw new ApiError('invalid_request', 'The address must not contain NUL.');
		}
		await next();
		// To the microsecond: more digits say nothing, and cost time to write.
		const milliseconds = Math.round((performance.now() - started) * 1000) / 1000;
		const { method } = c.req;
		const { status } = c.res;
		// The pattern instead of the path, which could hold anything.
		const route = routePath(c, -1);
		metrics.observe({ method, route, status }, milliseconds / 1000);
		if (status === 429) metrics.reject(c.res.headers.get('ratelimit-policy'));
		const rejected = status >= 400 && status < 500 && whoWasRejected(c);
		log.info({ request: c.get('requestId'), method, route, status, milliseconds, ...rejected });
		return undefined;
	});

	app.onError(async (error, c) => {
		const known = asApiError(error);
		if (known.code === 'internal' || known.code === 'unavailable') {
			log.error({ request: c.get('requestId'), error }, known.message);
		}
		const response = await respondToError(known, c, services);
		// A form may have set a cookie before the error: that of a session that was confirmed.
		return c.get('form') ? c.newResponse(response.body, response) : response;
	});
}

/** What an operator needs to find out who guesses, probes or floods. */
function whoWasRejected({ error }: ServiceContext) {
	const { accountId: account, keyId: key, sessionId: session, ...actor } = currentActor();
	const code = error instanceof ApiError ? error.code : undefined;
	return { code, account, key, session, named: actor.namedId, address: actor.address };
}

async function respondToError(error: ApiError, c: ServiceContext, services: Services) {
	const request = c.req.raw;
	const requestId = c.get('requestId');
	if (!wantsPage(request)) return errorResponse(error, requestId);
	const broken = error.code === 'internal' || error.code === 'unavailable';
	const who = broken ? { accountUnknown: true } : await whoIs(services, request);
	const canSignUp = services.settings.signup === 'open';
	return errorPage(error, { request, requestId, account: undefined, canSignUp, ...who });
}

/** Who is logged in: an error page must not fail, even if the accounts do. */
async function whoIs(services: Services, { headers }: Request) {
	try {
		return {
			account: await currentMember(services, services.cookies.read(headers)),
			accountUnknown: false,
		};
	} catch {
		return { accountUnknown: true };
	}
}
