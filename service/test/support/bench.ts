// A service with boards that an agent drives, and a user of them, wherever the service runs.
import { expect, vi } from 'vitest';
import { issueAgent } from '../../../core/src/agents/store.ts';
import { importBoards } from '../../../core/src/boards/import.ts';
import type { ServiceOptions } from '../../src/service.ts';
import type { Backend, Opening } from './backends.ts';
import { sendAs } from './scripted-agent.ts';

export interface BenchOptions extends ServiceOptions {
	boards?: number;
	boardType?: string;
}

/** Opens a backend with boards `brd_bench_1`, `brd_bench_2`, … of a new agent. */
export async function openBench(
	{ open }: Opening,
	{ boards = 1, boardType = 'bench', ...options }: BenchOptions = {},
) {
	const backend = await open(options);
	const { query } = backend.services.database;
	const boardIds = Array.from({ length: boards }, (_, index) => `brd_bench_${index + 1}`);
	await importBoards(
		query,
		boardIds.map((id) => ({
			id,
			name: id,
			board_type: boardType,
			status: 'available',
			description: '',
			tags: {},
		})),
	);
	const { token, id } = await issueAgent(query, { name: 'Bench', board_ids: boardIds });
	return {
		...backend,
		agentId: id,
		token,
		boardIds,
		boardType,
		sendAsAgent: sendAs(backend.baseUrl, token, backend.fetch),
		user: createUser(backend),
	};
}

export type Bench = Awaited<ReturnType<typeof openBench>>;
/** Requests of a user, by way of a backend. */
export function createUser({ send }: Pick<Backend, 'send'>, apiKey?: string) {
	const authorization: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
	const json = async (path: string, method = 'GET', body?: unknown) => {
		const response = await send(`/v1${path}`, {
			method,
			headers: { ...authorization, ...(body !== undefined && jsonType) },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		return { status: response.status, body: await response.json() };
	};
	const waitFor = async (leaseId: string, status: string) => {
		let lease = (await json(`/leases/${leaseId}`)).body;
		await vi.waitFor(
			async () => {
				lease = (await json(`/leases/${leaseId}`)).body;
				expect(lease.status).toBe(status);
			},
			{ timeout: 20_000, interval: 20 },
		);
		return lease;
	};
	const act = async (leaseId: string, input: object) => {
		const { status, body } = await json(`/leases/${leaseId}/actions`, 'POST', input);
		expect({ status, body }).toMatchObject({ status: 202 });
		return (await json(`/leases/${leaseId}/actions/${body.id}?wait=30`)).body;
	};
	const upload = (leaseId: string, data: Uint8Array | string, query = '') =>
		send(`/v1/leases/${leaseId}/files${query}`, {
			method: 'POST',
			headers: { ...authorization, 'content-type': 'application/octet-stream' },
			body: Buffer.from(data),
		});
	return {
		json,
		waitFor,
		act,
		upload,
		lease: async (input: object) => (await json('/leases', 'POST', input)).body,
		/** Leases and waits until the board is prepared. */
		async activeLease(input: object) {
			const { status, body } = await json('/leases', 'POST', input);
			expect({ status, body }).toMatchObject({ status: 201 });
			return waitFor(body.id, 'active');
		},
		async flash(leaseId: string, data: Uint8Array | string) {
			const file = await (await upload(leaseId, data)).json();
			return act(leaseId, { action: 'flash', file_id: file.id });
		},
		type: (leaseId: string, text: string, query = '') =>
			send(`/v1/leases/${leaseId}/console${query}`, {
				method: 'POST',
				headers: { ...authorization, 'content-type': 'application/octet-stream' },
				body: text,
			}),
		release: (leaseId: string) => json(`/leases/${leaseId}`, 'DELETE'),
		console: (leaseId: string, from = 0, headers: Record<string, string> = {}) =>
			readConsole((signal) =>
				send(`/v1/leases/${leaseId}/console?from=${from}`, {
					headers: { ...authorization, ...headers },
					signal,
				}),
			),
	};
}

const jsonType = { 'content-type': 'application/json' };

/** Collects what a console sends. */
async function readConsole(open: (signal: AbortSignal) => Promise<Response>) {
	const leave = new AbortController();
	const response = await open(leave.signal);
	const pieces: Buffer[] = [];
	const collect = async () => {
		for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece));
	};
	let closed = false;
	const ended = collect()
		.catch(() => {})
		.finally(() => {
			closed = true;
		});
	const bytes = () => Buffer.concat(pieces);
	return {
		response,
		bytes,
		text: () => bytes().toString(),
		ended,
		isClosed: () => closed,
		/** Waits until the text has arrived. */
		see: (text: string) =>
			vi.waitFor(() => expect(bytes().toString()).toContain(text), {
				timeout: 20_000,
				interval: 5,
			}),
		async leave() {
			leave.abort();
			await ended;
		},
	};
}
