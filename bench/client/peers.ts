// The clients that are compared, each doing what comes closest to `client.boards.list()`: a GET with
// a credential and a limit, the response as an array of objects. Each is set up as its own
// documentation begins, so its retries, timeouts and headers are its defaults.
import { apiKey, type Where } from './where.ts';

/** Returns the number of records. */
export type List = (limit: number) => Promise<number>;

export interface Peer {
	name: string;
	/** The package on npm; none for what the runtime has. */
	packageName?: string;
	/** Packages that it needs besides its own. */
	withPackages?: readonly string[];
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
			return ((await response.json()) as Envelope).data.length; // the server answers so
		},
};

const undici: Peer = {
	name: 'undici.request',
	packageName: 'undici',
	async open({ origin, timeout }) {
		const { request } = await import('undici');
		return async (limit) => {
			const { statusCode, body } = await request(`${origin}/v1/boards?limit=${limit}`, {
				headers: { authorization },
				...(timeout && { headersTimeout: timeout, bodyTimeout: timeout }),
			});
			if (statusCode !== 200) throw new Error(`status ${statusCode}`);
			return ((await body.json()) as Envelope).data.length; // the server answers so
		};
	},
};

const ky: Peer = {
	name: 'ky',
	packageName: 'ky',
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
			return ((await response.json()) as Envelope).data.length; // the server answers so
		};
	},
};

const openapiFetch: Peer = {
	name: 'openapi-fetch',
	packageName: 'openapi-fetch',
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
	packageName: 'openai',
	async open({ origin, timeout }) {
		const { default: OpenAI } = await import('openai');
		const client = new OpenAI({ apiKey, baseURL: `${origin}/v1`, ...(timeout && { timeout }) });
		return async (limit) => (await client.models.list({ query: { limit } })).data.length;
	},
};

const anthropic: Peer = {
	name: '@anthropic-ai/sdk',
	packageName: '@anthropic-ai/sdk',
	async open({ origin, timeout }) {
		const { default: Anthropic } = await import('@anthropic-ai/sdk');
		const client = new Anthropic({ apiKey, baseURL: origin, ...(timeout && { timeout }) });
		return async (limit) => (await client.models.list({ limit })).data.length;
	},
};

const stripe: Peer = {
	name: 'stripe',
	packageName: 'stripe',
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
	packageName: '@octokit/core',
	async open({ origin, timeout }) {
		const { Octokit } = await import('@octokit/core');
		const client = new Octokit({ baseUrl: origin, auth: apiKey });
		return async (limit) => {
			const request = timeout ? { signal: AbortSignal.timeout(timeout) } : {};
			const { data } = await client.request('GET /v1/boards', { limit, request });
			return (data as Envelope).data.length; // the server answers so
		};
	},
};

const octokitRetry: Peer = {
	name: '@octokit/core + retry',
	packageName: '@octokit/plugin-retry',
	withPackages: ['@octokit/core'],
	async open({ origin, timeout }) {
		const { Octokit } = await import('@octokit/core');
		const { retry } = await import('@octokit/plugin-retry');
		const client = new (Octokit.plugin(retry))({ baseUrl: origin, auth: apiKey });
		return async (limit) => {
			const request = timeout ? { signal: AbortSignal.timeout(timeout) } : {};
			const { data } = await client.request('GET /v1/boards', { limit, request });
			return (data as Envelope).data.length; // the server answers so
		};
	},
};

const cloudflare: Peer = {
	name: 'cloudflare',
	packageName: 'cloudflare',
	async open({ origin, timeout }) {
		const { default: Cloudflare } = await import('cloudflare');
		const client = new Cloudflare({
			apiToken: apiKey,
			baseURL: origin,
			...(timeout && { timeout }),
		});
		return async (limit) => (await client.zones.list({ per_page: limit })).result.length;
	},
};

const resend: Peer = {
	name: 'resend',
	packageName: 'resend',
	async open({ origin }) {
		process.env.RESEND_BASE_URL = origin; // read while the module loads
		const { Resend } = await import('resend');
		const client = new Resend(apiKey);
		return async (limit) => {
			const { data, error } = await client.domains.list({ limit });
			if (!data) throw new Error(error?.message);
			return data.data.length;
		};
	},
};

const notion: Peer = {
	name: '@notionhq/client',
	packageName: '@notionhq/client',
	async open({ origin, timeout }) {
		const { Client } = await import('@notionhq/client');
		const client = new Client({
			auth: apiKey,
			baseUrl: origin,
			...(timeout && { timeoutMs: timeout }),
		});
		return async (limit) => (await client.users.list({ page_size: limit })).results.length;
	},
};

const got: Peer = {
	name: 'got',
	packageName: 'got',
	async open({ origin, timeout }) {
		const { default: got } = await import('got');
		const api = got.extend({
			prefixUrl: origin,
			headers: { authorization },
			...(timeout && { timeout: { request: timeout } }),
		});
		return async (limit) =>
			(await api.get('v1/boards', { searchParams: { limit } }).json<Envelope>()).data.length;
	},
};

const axios: Peer = {
	name: 'axios',
	packageName: 'axios',
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
	anthropic,
	stripe,
	octokit,
	octokitRetry,
	cloudflare,
	resend,
	notion,
	got,
	axios,
];
