// The clients that are compared, each doing what comes closest to `client.boards.list()`: a GET with
// a credential and a limit, the response as an array of objects. Each is set up as its own
// documentation begins, so its retries, timeouts and headers are its defaults.

export interface Where {
	/** The origin of the server. */
	origin: string;
	/** Milliseconds for a request; by default that of each client. */
	timeout?: number;
}

const apiKey = `key_${'0123456789abcdef'.repeat(3)}`;

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
		const { BoardAccess } = await import('../../../dist/index.js');
		const client = new BoardAccess({ apiKey, baseUrl: origin, ...(timeout && { timeout }) });
		return async (limit) => (await client.boards.list({ pageSize: limit })).length;
	},
};

export const baseline = globalFetch;

export const peers: readonly Peer[] = [
	boardAccess,
	globalFetch,
	ky,
	openai,
	stripe,
	octokit,
	axios,
];
