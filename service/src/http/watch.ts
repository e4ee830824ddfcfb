// Surrounds every request: its identifier, its log line, its measure, its faults.
import { randomUUID } from 'node:crypto';
import { redact } from 'board-access-contract';
import { routePath } from 'hono/route';
import { isDatabaseAway } from '../database/database.ts';
import type { Parts } from '../parts.ts';
import { faultPage, wantsPage } from '../web/error-page.tsx';
import type { ServiceApp, ServiceContext } from './environment.ts';
import { ApiFault, faultResponse } from './fault.ts';

const wellFormed = /^[\w.:-]{1,128}$/;

export const watchRequests = (app: ServiceApp, { log, metrics, stopping }: Parts) => {
	app.use(async (c, next) => {
		const started = performance.now();
		c.set('requestId', requestId(c));
		if (stopping.aborted) throw new ApiFault('unavailable', 'The service is stopping.');
		await next();
		const milliseconds = performance.now() - started;
		const { method } = c.req;
		const { status } = c.res;
		// The pattern instead of the path, which could hold anything.
		const route = routePath(c, -1);
		metrics.observe({ method, route, status }, milliseconds / 1000);
		log.info({ request: c.get('requestId'), method, route, status, milliseconds });
	});

	app.onError((error, c) => {
		const fault = asFault(error);
		if (fault.code === 'internal' || fault.code === 'unavailable') {
			log.error({ request: c.get('requestId'), error }, fault.message);
		}
		const respond = wantsPage(c.req.raw) ? faultPage : faultResponse;
		return respond(fault, c.req.raw, c.get('requestId'));
	});
};

const requestId = (c: ServiceContext) => {
	const given = c.req.header('x-request-id');
	return given && wellFormed.test(given) && redact(given) === given ? given : randomUUID();
};

const asFault = (error: Error) => {
	if (error instanceof ApiFault) return error;
	if (isDatabaseAway(error)) return new ApiFault('unavailable', 'The database cannot be reached.');
	return new ApiFault('internal', 'Something went wrong on our side.');
};
