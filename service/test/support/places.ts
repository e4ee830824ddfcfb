// Where the service can run: called as a function or over a socket, on either database.
import { BoardAccess } from 'board-access';
import { startServer } from '../../src/server.ts';
import { assemble, type ServiceOptions } from '../../src/service.ts';
import { type DatabaseKind, databaseKinds, emptyDatabase } from './databases.ts';

type Assembled = Awaited<ReturnType<typeof assemble>>;

export interface Place {
	baseUrl: string;
	/** The fetch function that reaches it. */
	fetch: typeof fetch;
	apiKey: string;
	freeApiKey: string;
	login: { email: string; password: string };
	/** A client with the administrator's key, or another. */
	client(apiKey?: string): BoardAccess;
	/** A request with the administrator's key, unless the headers say otherwise. */
	send(path: string, init?: RequestInit): Promise<Response>;
	app: Assembled['app'];
	parts: Assembled['parts'];
	close(): Promise<void>;
}

const ways = ['in-process', 'over a socket'] as const;

export const places = ways.flatMap((way) =>
	databaseKinds.map((kind) => ({
		name: `${way} on ${kind}`,
		kind,
		open: (options: ServiceOptions = {}) => openPlace(way, kind, options),
	})),
);

async function openPlace(
	way: (typeof ways)[number],
	kind: DatabaseKind,
	options: ServiceOptions,
): Promise<Place> {
	const database = options.database ?? (await emptyDatabase(kind));
	const wanted = { database, demo: true, ...options };
	return way === 'in-process' ? inProcess(wanted) : overSocket(wanted);
}

async function inProcess(options: ServiceOptions) {
	const service = await assemble(options);
	const { app } = service;
	const fetch: typeof globalThis.fetch = async (input, init) =>
		app.fetch(new Request(input, init), {});
	return place({ ...service, baseUrl: 'http://localhost', fetch });
}

async function overSocket(options: ServiceOptions) {
	const service = await startServer({ ...options, port: 0, host: '127.0.0.1' });
	return place({ ...service, baseUrl: service.address, fetch, close: service.stop });
}

function place({
	baseUrl,
	fetch,
	demo,
	app,
	parts,
	close,
}: Pick<Place, 'baseUrl' | 'fetch' | 'app' | 'parts' | 'close'> & Pick<Assembled, 'demo'>): Place {
	const { apiKey, freeApiKey, email, password } = demo ?? {
		apiKey: '',
		freeApiKey: '',
		email: '',
		password: '',
	};
	return {
		baseUrl,
		fetch,
		apiKey,
		freeApiKey,
		login: { email, password },
		client: (key = apiKey) => new BoardAccess({ baseUrl, apiKey: key, fetch }),
		send: (path, init = {}) => {
			const headers = new Headers(init.headers);
			if (!headers.has('authorization')) headers.set('authorization', `Bearer ${apiKey}`);
			if (headers.get('authorization') === 'none') headers.delete('authorization');
			return fetch(`${baseUrl}${path}`, { ...init, headers });
		},
		app,
		parts,
		close,
	};
}
