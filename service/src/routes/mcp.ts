// /mcp: the tools for coding agents, over streamable HTTP. What they do are requests to this service with the key of
// the caller, so that its rights and limits hold.
import { ApiError, asActor, currentActor } from 'board-access-core';
import { isOwnOrigin } from 'board-access-http/csrf';
import type { ServiceApp } from 'board-access-http/environment';
import type { Place } from 'board-access-mcp';
import type { Services } from '../services.ts';

/** A reverse proxy ends what takes longer. */
const maxSeconds = 120;

/** In bytes: firmware arrives as text that a model has written. */
const maxRequestBodySize = 2 ** 18;

const place: Place = {
	firmware: 'file in base64',
	readFirmware: async (given) => {
		if (/^[\w+/=-]+$/.test(given)) return new Uint8Array(Buffer.from(given, 'base64'));
		throw new Error(
			'The firmware must be a file in base64; "board-access mcp" takes names of files',
		);
	},
	// A regular expression or a long text could keep everybody waiting.
	readPattern: (text) => {
		if (text.length <= 64 && !/^\/.+\/[a-z]*$/is.test(text)) return text;
		throw new Error('Pass a text of at most 64 characters; "board-access mcp" takes others');
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
		// With the credentials and from the address of the caller.
		const send = async (request: Request) => {
			for (const name of ['authorization', 'x-forwarded-for']) {
				const value = c.req.header(name);
				if (value !== undefined) request.headers.set(name, value);
			}
			return await app.fetch(request, c.env);
		};
		const { origin } = new URL(c.req.url);
		const found = await send(new Request(`${origin}/v1/account`));
		if (!found.ok) return found;
		const { id }: { id: string } = await found.json();
		loaded ??= load();
		const { createClient, createMcpHandler, createToolServer, tools } = await loaded;
		const client = createClient(origin, (url, init) => send(new Request(url, init)));
		const around = <Result>(work: () => Promise<Result>) => limits.toolCall(id, work);
		const server = () => createToolServer({ client, tools, around });
		const handler = createMcpHandler(server, { maxRequestBodySize });
		// Calls may take longer than a service that stops waits for them.
		const signal = AbortSignal.any([c.req.raw.signal, stopping]);
		const request = new Request(c.req.raw, { signal });
		return await asActor({ ...currentActor(), via: 'mcp' }, () => handler.fetch(request));
	});
}

async function load() {
	const [{ createMcpHandler }, { boardTools, ...tools }] = await Promise.all([
		import('@modelcontextprotocol/server'),
		import('board-access-mcp'),
	]);
	return { ...tools, createMcpHandler, tools: boardTools(place) };
}
