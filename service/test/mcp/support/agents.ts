// Coding agents that use a service by its address /mcp, and the boards that they lease.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startAgent } from 'board-access-agent';
import { onTestFinished } from 'vitest';
import { agentOf, type Mode } from '../../../../test/support/coding-agent.ts';
import type { Backend, Opening } from '../../support/backends.ts';
import { type Bench, type BenchOptions, openBench } from '../../support/bench.ts';
import type { Lab } from '../../support/leasing.ts';

/** Where a service is reached. */
export type Place = Pick<Backend, 'baseUrl' | 'fetch'>;

export function placeOf({ app }: Pick<Lab, 'app'>): Place {
	return {
		baseUrl: 'http://localhost',
		fetch: async (input, init) => app.fetch(new Request(input, init), {}),
	};
}

interface Connecting {
	mode?: Mode;
	headers?: Record<string, string>;
}

/** Connects a coding agent until the end of the test. */
export async function connect(
	{ baseUrl, fetch }: Place,
	key: string,
	{ mode = 'legacy', headers = {} }: Connecting = {},
) {
	const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
	const transport = new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), {
		requestInit: { headers: { ...headers, authorization: `Bearer ${key}` } },
		fetch,
	});
	await client.connect(transport);
	onTestFinished(() => client.close());
	return agentOf(client);
}

/** Opens a service with boards `brd_bench_1`, …, of type `uno`, until the end of the test. They are emulated. */
export async function openBoards(opening: Opening, options: BenchOptions = {}) {
	const bench = await openBench(opening, { boardType: 'uno', ...options });
	onTestFinished(() => bench.close());
	await emulate(bench);
	return bench;
}

async function emulate({ token, boardIds, baseUrl, fetch }: Bench) {
	const boards = boardIds.map((id) => ({ id, type: 'arduino-uno', driver: 'emulated' as const }));
	const agent = await startAgent({ config: { service: baseUrl, token, boards }, fetch });
	onTestFinished(() => agent.stop());
	await agent.whenConnected();
}

/** A board that no agent drives: leases of it need no preparation. */
export function boardNamed(name: string, fields: object = {}) {
	return {
		id: `brd_${name}`,
		name,
		board_type: 'uno',
		status: 'available' as const,
		description: '',
		tags: {},
		...fields,
	};
}

export function base64(firmware: Uint8Array) {
	return Buffer.from(firmware).toString('base64');
}

/* Requests without a client. */

export function message(method: string, params: object = {}, id: number | string = 1) {
	return { jsonrpc: '2.0', id, method, params };
}

export function callOf(name: string, given: object = {}, id?: number | string) {
	return message('tools/call', { name, arguments: given }, id);
}

interface Sending {
	method?: string;
	headers?: Record<string, string>;
}

/** Sends what a client would, unless the headers say otherwise. */
export async function post(
	{ baseUrl, fetch }: Place,
	body: unknown,
	{ method = 'POST', headers = {} }: Sending = {},
) {
	const response = await fetch(`${baseUrl}/mcp`, {
		method,
		headers: {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
			...headers,
		},
		...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: readBody(text) };
}

/** The last message of a stream, or the whole body. */
function readBody(text: string) {
	const last =
		text
			.match(/^data: .*$/gm)
			?.at(-1)
			?.slice('data: '.length) ?? text;
	return last === '' ? undefined : JSON.parse(last);
}

export function withKey(key: string) {
	return { authorization: `Bearer ${key}` };
}
