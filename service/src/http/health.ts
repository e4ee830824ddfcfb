// /healthz: liveness. /readyz: readiness. /metrics: Prometheus metrics.
import { ping } from '../database/database.ts';
import type { Parts } from '../parts.ts';
import type { ServiceApp } from './environment.ts';
import { respond } from './respond.ts';

export function healthRoutes(
	app: ServiceApp,
	{ database, metrics }: Pick<Parts, 'database' | 'metrics'>,
) {
	app.get('/healthz', (c) => respond(c, { status: 'ok' }));

	app.get('/readyz', async (c) => {
		await ping(database);
		return respond(c, { status: 'ok' });
	});

	app.get('/metrics', async (c) =>
		c.body(await metrics.text(), 200, { 'content-type': metrics.contentType }),
	);
}
