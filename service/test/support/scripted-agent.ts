// An agent that a test controls request by request.
import { randomUUID } from 'node:crypto';
import type { agentWork } from 'board-access-contract';
import { expect, vi } from 'vitest';
import type * as z from 'zod/mini';

type Board = z.output<typeof agentWork>['boards'][number];
type Send = (path: string, init?: RequestInit) => Promise<Response>;

interface Options {
	/** What it drives: board by board, the actions. */
	driven: Record<string, string[]>;
	bootId?: string;
	/** What it reports about each board: the highest fence, and what it knows of the lease. */
	known?: Record<
		string,
		{ fence?: number; released?: boolean; lease?: object; draining?: boolean }
	>;
	host?: string;
	/** Reports every action as done at once. */
	obliging?: boolean;
	/** Does not show that it is alive when the service asks for that. */
	silent?: boolean;
	/** The pins of its boards, if it knows them. */
	pins?: object | undefined;
}

/** A function that sends requests with a token. */
export function sendAs(baseUrl: string, token: string, fetch: typeof globalThis.fetch): Send {
	return (path, init = {}) =>
		fetch(`${baseUrl}/v1/agent${path}`, {
			...init,
			headers: { ...init.headers, authorization: `Bearer ${token}` },
		});
}

/** The request of an agent that connects. */
export function connecting(bootId: string, boards: object = {}, host?: string) {
	const headers = { 'content-type': 'application/json' };
	return { method: 'POST', headers, body: JSON.stringify({ boot_id: bootId, boards, host }) };
}

/** Connects, and follows the work stream until it ends or `cut` is called. */
export async function connectAgent(send: Send, options: Options) {
	const { driven, bootId = randomUUID(), known = {}, pins, host } = options;
	const { obliging = false, silent = false } = options;
	const capabilities = Object.fromEntries(
		Object.entries(driven).map(([id, actions]) => [
			id,
			{ actions, console: true, pins, ...known[id] },
		]),
	);
	const cut = new AbortController();
	const connection = connecting(bootId, capabilities, host);
	// The service may not have seen yet that the connection before was closed.
	const response = await vi.waitFor(async () => {
		const response = await send('/work', { ...connection, signal: cut.signal });
		expect(response.status).toBe(200);
		return response;
	});
	const state = new Map<string, Board>();
	const input = new Map<string, string>();
	const lines: string[] = [];
	const begun = new Set<string>();

	const report = (actionId: string, body: object) =>
		send(`/actions/${actionId}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	const write = (leaseId: string, { fence, offset, data, query = '' }: Output) =>
		send(`/console/${leaseId}?fence=${fence}&offset=${offset}${query}`, {
			method: 'POST',
			headers: { 'content-type': 'application/octet-stream' },
			body: data,
		});
	const sample = (leaseId: string, fence: number, body: object) =>
		send(`/pins/${leaseId}?fence=${fence}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	const take = async (board: Board) => {
		state.set(board.board_id, board);
		const { lease, fence } = board;
		if (!lease) return;
		if (lease.input) {
			const text = Buffer.from(lease.input.data, 'base64').toString();
			input.set(lease.id, (input.get(lease.id) ?? '').slice(0, lease.input.offset) + text);
		}
		for (const { id } of obliging ? lease.actions : []) {
			if (begun.has(id)) continue;
			begun.add(id);
			await report(id, { fence, status: 'done' });
		}
	};
	const follow = async () => {
		let rest = '';
		const decoder = new TextDecoder();
		for await (const chunk of response.body ?? []) {
			const all = (rest + decoder.decode(chunk, { stream: true })).split('\n');
			rest = all.pop() ?? '';
			for (const line of all) {
				lines.push(line);
				if (!line) continue;
				const { boards, contact } = JSON.parse(line);
				if (contact && !silent) send('/contact', { method: 'POST' }).catch(() => {});
				for (const board of boards) await take(board);
			}
		}
	};
	const ended = follow().catch(() => {});
	await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0));

	return {
		bootId,
		state,
		input,
		lines,
		report,
		write,
		sample,
		/** Resolves when the stream has ended, on either side. */
		ended,
		/** The lease that the agent sees on a board. */
		lease: (boardId: string) => state.get(boardId)?.lease ?? undefined,
		fence: (boardId: string) => state.get(boardId)?.fence ?? -1,
		file: (id: string, query: string) => send(`/files/${id}?${query}`),
		async cut() {
			cut.abort();
			await ended;
		},
	};
}

interface Output {
	fence: number;
	offset: number;
	data: string | Uint8Array<ArrayBuffer>;
	query?: string;
}
