// The HTTP application: every route, and what happens to a request that has none.

import { ApiError, asActor, currentActor } from 'board-access-core';
import { exactAddress } from 'board-access-http/address';
import { type Environment, methods, type ServiceApp } from 'board-access-http/environment';
import { setResponseHeaders } from 'board-access-http/headers';
import { assetRoutes, webPages } from 'board-access-web';
import { Hono } from 'hono';
import { openapiDocument, openapiRoute } from './openapi/document.ts';
import { operations } from './openapi/operations.ts';
import { agentLinkRoutes } from './routes/agent-link.ts';
import { boardAnswers } from './routes/boards.ts';
import { channelRoutes } from './routes/channels.ts';
import { keyAnswers } from './routes/keys.ts';
import { leaseConsoleAnswers } from './routes/leases/console.ts';
import { leaseAnswers } from './routes/leases/leases.ts';
import { leaseListAnswers } from './routes/leases/lists.ts';
import { mcpRoute } from './routes/mcp.ts';
import { serveOperations } from './routes/serve.ts';
import { allowWebPages } from './server/cors.ts';
import { healthRoutes, metricsRoute } from './server/health.ts';
import { limitUnauthenticated, limitUnknownPath } from './server/unauthenticated.ts';
import { watchRequests } from './server/watch.ts';
import type { Services } from './services.ts';

export function createApp(services: Services): ServiceApp {
	const app = new Hono<Environment>();
	setResponseHeaders(app);
	// The credentials later add who sent the request.
	app.use((c, next) => {
		const via = currentActor().via === 'mcp' ? 'mcp' : 'visitor';
		return asActor({ via, address: exactAddress(c, services.settings) }, next);
	});
	watchRequests(app, services);
	allowWebPages(app, services.settings);
	healthRoutes(app, services);
	assetRoutes(app);
	channelRoutes(app, services);
	// Routes above are not rate-limited, or limit themselves.
	limitUnauthenticated(app, services);
	mcpRoute(app, services);
	serveOperations(app, services, {
		...keyAnswers(services),
		...boardAnswers(services),
		...leaseListAnswers(services),
		...leaseAnswers(services),
		...leaseConsoleAnswers(services),
	});
	agentLinkRoutes(app, services);
	openapiRoute(app, services);
	metricsRoute(app, services);
	webPages(app, { ...services, operations, openapiDocument });
	app.notFound(async (c) => {
		await limitUnknownPath(c, services);
		const allowed = allowedMethods(app, c.req.path);
		if (allowed.length === 0) throw new ApiError('not_found', 'This path does not exist.');
		throw new ApiError('method_not_allowed', `This path does not support ${c.req.method}.`, {
			headers: { allow: allowed.join(', ') },
		});
	});
	return app;
}

function allowedMethods(app: ServiceApp, path: string) {
	return methods.filter((method) =>
		app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
	);
}
