// /healthz: liveness. /readyz: readiness. /metrics: Prometheus metrics.
import { hash, timingSafeEqual } from 'node:crypto';
import { ApiError, checkHealth } from 'board-access-core';
import type { ServiceApp } from 'board-access-http/environment';
import { respond } from 'board-access-http/respond';
import type { Services } from '../services.ts';

export function healthRoutes(app: ServiceApp, core: Services) {
	let pending: Promise<void> | undefined;

	app.get('/healthz', (c) => respond(c, { status: 'ok' }));

	app.get('/readyz', async (c) => {
		// However many requests arrive at once, they are checked once.
		pending ??= checkHealth(core).finally(() => (pending = undefined));
		await pending;
		return respond(c, { status: 'ok' });
	});
}

export function metricsRoute(app: ServiceApp, { metrics, settings: { metricsToken } }: Services) {
	app.get('/metrics', async (c) => {
		if (!metricsToken || !isBearer(c.req.header('authorization'), metricsToken)) {
			const sent = c.req.header('authorization');
			const message = sent ? 'The token is not valid.' : 'The metrics require a token.';
			throw new ApiError('credentials_missing', message, {
				hint: 'Set METRICS_TOKEN, and send Authorization: Bearer with its value.',
			});
		}
		return c.body(await metrics.text(), 200, { 'content-type': metrics.contentType });
	});
}

/** Compares digests, so that neither the length nor the time reveals anything. */
function isBearer(header = '', token: string) {
	const digest = (text: string) => hash('sha256', text, 'buffer');
	return timingSafeEqual(digest(header), digest(`Bearer ${token}`));
}
