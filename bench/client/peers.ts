// The clients that are compared, each doing what comes closest to `client.boards.list()`: a GET with
// a credential and a limit, the response as an array of objects. Each is set up as its own
// documentation begins, so its retries, timeouts and headers are its defaults.
import { apiKey, type Where } from './where.ts';

/** Returns the number of records. */
export type List = (limit: number) => Promise<number>;

export interface Peer {
	name: string;
	open(where: Where): Promise<List>;
}

const authorization = `Bearer ${apiKey}`;

interface Envelope {
	data: unknown[];
}

const globalFetch: Peer = {
	name: 'global fetch',
	open:
		async ({ origin, timeout }) =>
		async (limit) => {
			const response = await fetch(`${origin}/v1/boards?limit=${limit}`, {
				headers: { authorization },
				...(timeout && { signal: AbortSignal.timeout(timeout) }),
			});
			if (!response.ok) throw new Error(`status ${response.status}`);
			return ((await response.json()) as Envelope).data.length; // as the server responds
		},
};

const undici: Peer = {
	name: 'undici.request',
	async open({ origin, timeout }) {
		const { request } = await import('undici');
		return async (limit) => {
			const { statusCode, body } = await request(`${origin}/v1/boards?limit=${limit}`, {
				headers: { authorization },
				...(timeout && { headersTimeout: timeout, bodyTimeout: timeout }),
			});
			if (statusCode !== 200) throw new Error(`status ${statusCode}`);
			return ((await body.json()) as Envelope).data.length; // as the server responds
		};
	},
};

const ky: Peer = {
	name: 'ky',
	async open({ origin, timeout }) {
		const { default: ky } = await import('ky');
		const api = ky.create({
			prefix: origin,
			headers: { authorization },
			...(timeout && { timeout }),
		});
		return async (limit) =>
			(await api.get('v1/boards', { searchParams: { limit } }).json<Envelope>()).data.length;
	},
};

/** The minimum for a client that sends with ky. */
const kySending: Peer = {
	name: 'ky, only sending',
	async open({ origin, timeout }) {
		const { default: ky } = await import('ky');
		return async (limit) => {
			const response = await ky(`${origin}/v1/boards?limit=${limit}`, {
				headers: { authorization },
				retry: 0,
				timeout: timeout ?? false,
				throwHttpErrors: false,
			});
			if (!response.ok) throw new Error(`status ${response.status}`);
			return ((await response.json()) as Envelope).data.length; // as the server responds
		};
	},
};

const openapiFetch: Peer = {
	name: 'openapi-fetch',
	async open({ origin, timeout }) {
		const { default: createClient } = await import('openapi-fetch');
		interface Paths {
			'/v1/boards': {
				get: {
					parameters: { query: { limit: number } };
					responses: { 200: { content: { 'application/json': Envelope } } };
				};
			};
		}
		const client = createClient<Paths>({ baseUrl: origin, headers: { authorization } });
		return async (limit) => {
			const { data } = await client.GET('/v1/boards', {
				params: { query: { limit } },
				...(timeout && { signal: AbortSignal.timeout(timeout) }),
			});
			if (!data) throw new Error('no data');
			return data.data.length;
		};
	},
};

const openai: Peer = {
	name: 'openai',
	async open({ origin, timeout }) {
		const { default: OpenAI } = await import('openai');
		const client = new OpenAI({ apiKey, baseURL: `${origin}/v1`, ...(timeout && { timeout }) });
		return async (limit) => (await client.models.list({ query: { limit } })).data.length;
	},
};

const stripe: Peer = {
	name: 'stripe',
	async open({ origin, timeout }) {
		const { default: Stripe } = await import('stripe');
		const { hostname, port } = new URL(origin);
		const client = new Stripe(apiKey, {
			host: hostname,
			port,
			protocol: 'http',
			...(timeout && { timeout }),
		});
		return async (limit) => (await client.customers.list({ limit })).data.length;
	},
};

const octokit: Peer = {
	name: '@octokit/core',
	async open({ origin, timeout }) {
		const { Octokit } = await import('@octokit/core');
		const client = new Octokit({ baseUrl: origin, auth: apiKey });
		return async (limit) => {
			const request = timeout ? { signal: AbortSignal.timeout(timeout) } : {};
			const { data } = await client.request('GET /v1/boards', { limit, request });
			return (data as Envelope).data.length; // as the server responds
		};
	},
};

const axios: Peer = {
	name: 'axios',
	async open({ origin, timeout }) {
		const { default: axios } = await import('axios');
		const api = axios.create({
			baseURL: origin,
			headers: { authorization },
			...(timeout && { timeout }),
		});
		return async (limit) =>
			(await api.get<Envelope>('/v1/boards', { params: { limit } })).data.data.length;
	},
};

export const boardAccess: Peer = {
	name: 'board-access',
	async open({ origin, timeout }) {
		const { BoardAccess } = await import('../../dist/index.js');
		const client = new BoardAccess({ apiKey, baseUrl: origin, ...(timeout && { timeout }) });
		return async (limit) => (await client.boards.list({ pageSize: limit })).length;
	},
};

export const baseline = globalFetch;

export const peers: readonly Peer[] = [
	boardAccess,
	globalFetch,
	undici,
	ky,
	kySending,
	openapiFetch,
	openai,
	stripe,
	octokit,
	axios,
];
