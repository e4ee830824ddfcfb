// The HTTP application: every route, and what happens to a request that has none.
import { Hono } from 'hono';
import { baseImageRoutes } from './base-images/routes.ts';
import { boardRoutes } from './boards/routes.ts';
import { docsRoutes } from './openapi/routes.tsx';
import { healthRoutes } from './http/health.ts';
import { allowWebPages } from './http/cors.ts';
import type { Environment, ServiceApp } from './http/environment.ts';
import { ApiFault } from './http/fault.ts';
import { watchRequests } from './http/watch.ts';
import { keyRoutes } from './keys/routes.ts';
import type { Parts } from './parts.ts';
import { webPages } from './web/routes.ts';

export const createApp = (parts: Parts): ServiceApp => {
	const app = new Hono<Environment>();
	watchRequests(app, parts);
	allowWebPages(app, parts.settings);
	keyRoutes(app, parts);
	boardRoutes(app, parts);
	baseImageRoutes(app, parts);
	docsRoutes(app, parts);
	healthRoutes(app, parts);
	webPages(app, parts);
	app.notFound((c) => {
		const allowed = allowedMethods(app, c.req.path);
		if (allowed.length === 0) throw new ApiFault('not_found', 'There is nothing at this path.');
		throw new ApiFault('method_not_allowed', `This path does not take ${c.req.method}.`, {
			headers: { allow: allowed.join(', ') },
		});
	});
	return app;
};

const allowedMethods = (app: ServiceApp, path: string) =>
	['GET', 'POST', 'DELETE'].filter((method) =>
		app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
	);
