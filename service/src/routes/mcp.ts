// /mcp: the tools for coding agents, over streamable HTTP. What they do are requests to this service with the key of
// the caller, so that its rights and limits hold.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, asActor, currentActor } from 'board-access-core';
import { isOwnOrigin } from 'board-access-http/csrf';
import type { ServiceApp, ServiceContext } from 'board-access-http/environment';
import type { Place } from 'board-access-mcp';
import type { Services } from '../services.ts';

/** A reverse proxy ends what takes longer. */
const maxSeconds = 120;

/** In bytes: firmware arrives as text that a model has written. */
const maxRequestBodySize = 2 ** 20;

const place: Place = {
	firmware: 'file in base64',
	readFirmware: async (given) => {
		if (/^[\w+/=-]+$/.test(given)) return new Uint8Array(Buffer.from(given, 'base64'));
		throw new Error(
			'The firmware must be a file in base64; "board-access mcp" takes names of files',
		);
	},
	// A regular expression could keep everybody waiting.
	readPattern: (text) => {
		if (!/^\/.+\/[a-z]*$/is.test(text)) return text;
		throw new Error('Pass a text; only "board-access mcp" takes regular expressions');
	},
	maxSeconds,
	maxConsole: 65_536,
};

export function mcpRoute(app: ServiceApp, { limits, settings, stopping }: Services) {
	if (!settings.mcp) return;
	// With the first request: it takes longer to load than the rest of the service.
	let loaded: ReturnType<typeof load> | undefined;
	app.all('/mcp', async (c) => {
		// Only browsers send it.
		if (c.req.header('origin') !== undefined && !isOwnOrigin(c, settings)) {
			const message = 'Pages of other sites cannot use this address.';
			throw new ApiError('origin_refused', message, { hint: 'Programs send no Origin.' });
		}
		const send = sender(app, c);
		const found = await send(new Request(new URL('/v1/account', c.req.url)));
		if (!found.ok) return found;
		const { id }: { id: string } = await found.json();
		loaded ??= load();
		const { respond } = await loaded;
		const caller = { send, limit: (work: Work) => limits.toolCall(id, work) };
		// Calls may take longer than a service that stops waits for them.
		const signal = AbortSignal.any([c.req.raw.signal, stopping]);
		const request = new Request(c.req.raw, { signal });
		return await asActor({ ...currentActor(), via: 'mcp' }, () => respond(request, caller));
	});
}

type Work = () => Promise<CallToolResult>;

interface Caller {
	send(request: Request): Promise<Response>;
	limit(work: Work): Promise<CallToolResult>;
}

async function load() {
	const [{ createMcpHandler }, { boardTools, createClient, createToolServer }] = await Promise.all([
		import('@modelcontextprotocol/server'),
		import('board-access-mcp'),
	]);
	const tools = boardTools(place);
	return {
		respond(request: Request, { send, limit }: Caller) {
			const { origin } = new URL(request.url);
			const client = createClient(origin, (url, init) => send(new Request(url, init)));
			const server = () => createToolServer({ client, tools, around: limit });
			return createMcpHandler(server, { maxRequestBodySize }).fetch(request);
		},
	};
}

/** Sends requests to this service with the credentials and from the address of another request. */
function sender(app: ServiceApp, c: ServiceContext): Caller['send'] {
	const passed = ['authorization', 'x-forwarded-for'].flatMap((name) => {
		const value = c.req.header(name);
		return value === undefined ? [] : [[name, value] as const];
	});
	return async (request) => {
		for (const [name, value] of passed) request.headers.set(name, value);
		return await app.fetch(request, c.env);
	};
}
