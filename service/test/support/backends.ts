// Where the service can run: called as a function or over a socket, on either database.
import { BoardAccess } from 'board-access';
import { inject } from 'vitest';
import { settingsFrom } from '../../../core/src/env.ts';
import {
	copyOf,
	type DatabaseKind,
	openSynchronized,
} from '../../../core/test/support/databases.ts';
import type { Demo } from '../../src/demo/seed.ts';
import { startServer } from '../../src/server.ts';
import { assemble, type ServiceOptions } from '../../src/service.ts';

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
	services: Assembled['services'];
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
	async open(options) {
		if (options?.database) return asFunction(await assemble({ demo: true, ...options }));
		const { location, demo } = await demoDatabase(kind);
		const database = await openSynchronized(location);
		const given = { ...demoLimits(), ...options, database: location };
		return asFunction(await assemble(given, { database }), demo);
	},
});

export const onSqlite = inProcessOn('SQLite');

export const onPostgres: Opening = {
	name: 'over a socket on PostgreSQL',
	kind: 'PostgreSQL',
	async open(options) {
		if (options?.database) return overSocket({ demo: true, ...options });
		const { location, demo } = await demoDatabase('PostgreSQL');
		return overSocket({ ...demoLimits(), ...options, database: location }, demo);
	},
};

/** Each database, for tests that call the service as a function. */
export const inProcess = [onSqlite, inProcessOn('PostgreSQL')];

/** Each way to call the service and each database once: neither depends on the other. */
export const backends = [onSqlite, onPostgres];

/** A database with the samples of the demo, and the credentials to use them with. */
async function demoDatabase(kind: DatabaseKind) {
	const { location, demo } = inject('samples')[kind];
	return { location: await copyOf(kind, location), demo };
}

function asFunction(service: Assembled, demo = service.demo) {
	const { app } = service;
	const fetch: typeof globalThis.fetch = async (input, init) =>
		app.fetch(new Request(input, init), {});
	return backend({ ...service, baseUrl: 'http://localhost', fetch }, demo);
}

async function overSocket(options: ServiceOptions, samples?: Demo) {
	const service = await startServer({ ...options, port: 0, host: '127.0.0.1' });
	const { address: baseUrl, stop: close, demo = samples } = service;
	return backend({ ...service, baseUrl, fetch, close }, demo);
}

/** Those of a demo, for a service that finds its samples in the database. */
function demoLimits(): ServiceOptions {
	const { host, port, database, baseUrl, webUrl, ...limits } = settingsFrom({}, { demo: true });
	return limits;
}

type Reached = Pick<Backend, 'baseUrl' | 'fetch' | 'app' | 'services' | 'close'>;

const nobody = { apiKey: '', freeApiKey: '', email: '', password: '' };

function backend({ baseUrl, fetch, app, services, close }: Reached, demo?: Demo): Backend {
	const { apiKey, freeApiKey, email, password } = demo ?? nobody;
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
		services,
		close,
	};
}
