// Limits what a network can ask for without a valid credential.
import { agentTokenPattern, apiKeyPattern } from 'board-access-contract';
import { currentMember } from 'board-access-core';
import { callerAddress } from 'board-access-http/address';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import type { Services } from '../services.ts';

/** Counts requests without an API key or an agent token, and rejects those above the limit. */
export function limitUnauthenticated(app: ServiceApp, services: Services) {
	const { cookies, limits, settings } = services;
	const count = (c: ServiceContext) =>
		limits.unauthenticated(callerAddress(c, settings)).catch(async (error) => {
			// Unauthenticated requests from the same network do not lock out logged-in users.
			const tokens = cookies.read(c.req.raw.headers);
			const account = await currentMember(services, tokens).catch(() => undefined);
			if (!account) throw error;
		});
	app.use((c, next) => (hasToken(c) ? next() : count(c).then(next)));
}

/** Counts a request whose key nothing checks, because its path does not exist. */
export async function limitUnknownPath(c: ServiceContext, { limits, settings }: Services) {
	if (hasToken(c)) await limits.unauthenticated(callerAddress(c, settings));
}

/** Whether the routes of the API will check a key or a token, which have a limit of their own. */
function hasToken({ req }: ServiceContext) {
	const token = /^Bearer +(\S+) *$/i.exec(req.header('authorization') ?? '')?.[1] ?? '';
	return (
		(req.path.startsWith('/v1/') || req.path === '/mcp') &&
		(apiKeyPattern.test(token) || agentTokenPattern.test(token))
	);
}
