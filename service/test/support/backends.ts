// Where the service can run: called as a function or over a socket, on either database.
import { BoardAccess } from 'board-access';
import { startServer } from '../../src/server.ts';
import { assemble, type ServiceOptions } from '../../src/service.ts';
import { type DatabaseKind, migratedDatabase } from './databases.ts';

type Assembled = Awaited<ReturnType<typeof assemble>>;

export interface Backend {
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

export interface Opening {
	name: string;
	kind: DatabaseKind;
	open(options?: ServiceOptions): Promise<Backend>;
}

const inProcessOn = (kind: DatabaseKind): Opening => ({
	name: `in-process on ${kind}`,
	kind,
	open: async (options) =>
		openInProcess({ database: await migratedDatabase(kind), demo: true, ...options }),
});

export const onSqlite = inProcessOn('SQLite');

export const onPostgres: Opening = {
	name: 'over a socket on PostgreSQL',
	kind: 'PostgreSQL',
	open: async (options) =>
		openSocket({ database: await migratedDatabase('PostgreSQL'), demo: true, ...options }),
};

/** Each database, for tests that call the service as a function. */
export const inProcess = [onSqlite, inProcessOn('PostgreSQL')];

/** Each way to call the service and each database once: neither depends on the other. */
export const backends = [onSqlite, onPostgres];

async function openInProcess(options: ServiceOptions) {
	const service = await assemble(options);
	const { app } = service;
	const fetch: typeof globalThis.fetch = async (input, init) =>
		app.fetch(new Request(input, init), {});
	return backend({ ...service, baseUrl: 'http://localhost', fetch });
}

async function openSocket(options: ServiceOptions) {
	const service = await startServer({ ...options, port: 0, host: '127.0.0.1' });
	return backend({ ...service, baseUrl: service.address, fetch, close: service.stop });
}

function backend({
	baseUrl,
	fetch,
	demo,
	app,
	parts,
	close,
}: Pick<Backend, 'baseUrl' | 'fetch' | 'app' | 'parts' | 'close'> &
	Pick<Assembled, 'demo'>): Backend {
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
