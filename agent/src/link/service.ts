// The requests of the agent to the service: build, send, interpret.
import { hash } from 'node:crypto';
import {
	type agentConnection,
	type agentConsole,
	type agentReport,
	agentStatus,
	errorBody,
} from 'board-access-contract';
import * as z from 'zod/mini';
import type { PinSample } from '../emulators/pins.ts';
import { backoff, wait } from '../time.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export type Report = z.output<typeof agentReport>;
export type ConsoleState = z.output<typeof agentConsole>;
export type AgentStatus = z.output<typeof agentStatus>;
export type AgentConnection = z.input<typeof agentConnection>;
export type Service = ReturnType<typeof createService>;

export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly status: number;
	readonly code: string;

	constructor(status: number, { code, message }: Partial<Record<'code' | 'message', string>>) {
		super(message ?? `The service responded with status ${status}`);
		this.status = status;
		this.code = code ?? '';
	}

	/** Whether the same request may succeed later. */
	get temporary(): boolean {
		// A response without a code comes from a proxy.
		if (this.code === '') return true;
		return this.status >= 500 || this.status === 429 || this.status === 408 || this.status === 401;
	}
}

export interface ConsoleChunk {
	readonly offset: number;
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** The offset up to which console input was written to the board. */
	readonly input?: number | undefined;
	readonly state?: ConsoleState | undefined;
	/** The `sync` of the lease that this output completes. */
	readonly synced?: number | undefined;
}

export interface LeaseOnBoard {
	readonly leaseId: string;
	readonly boardId: string;
	readonly fence: number;
}

interface Sent extends RequestInit {
	readonly query?: Record<string, string | number | undefined>;
	readonly limit?: number;
}

const shortRequest = 10_000;
const longRequest = 60_000;
const appended = z.object({ offset: z.int() });
const admitted = z.object({ ticket: z.string() });

export function createService(address: string, firstToken: string, given?: Fetch) {
	let token = firstToken;
	const fetch = given ?? globalThis.fetch;
	const root = address.replace(/\/+$/, '');
	const base = `${root}/v1/agent`;
	const send = async (path: string, { query = {}, limit = shortRequest, ...init }: Sent) => {
		const url = new URL(`${base}${path}`);
		for (const [name, value] of Object.entries(query)) {
			if (value !== undefined) url.searchParams.set(name, String(value));
		}
		const response = await fetch(url.href, {
			redirect: 'error',
			...init,
			signal: within(limit, init.signal),
			headers: { ...init.headers, authorization: `Bearer ${token}` },
		});
		if (!response.ok) throw await serviceError(response);
		return response;
	};
	const post = async (path: string, init: Sent) => {
		const { body } = await send(path, { method: 'POST', ...init });
		await body?.cancel();
	};
	return {
		async work(connection: AgentConnection, signal: AbortSignal) {
			const { body } = await send('/work', { ...json(connection), signal, limit: Infinity });
			if (body === null) throw new Error('The service did not send a stream');
			return body;
		},
		contact: (signal: AbortSignal) => post('/contact', { signal }),
		/** Says that this start of the agent ends. */
		stop: (bootId: string, signal: AbortSignal) =>
			post('/stop', { ...json({ boot_id: bootId }), signal }),
		/** Replaces the token. */
		useToken(next: string) {
			token = next;
		},
		report: (actionId: string, report: Report, signal: AbortSignal) =>
			post(`/actions/${encodeURIComponent(actionId)}`, { ...json(report), signal }),
		/** Appends console output and returns the offset that the service expects next. */
		async console(chunk: ConsoleChunk, { leaseId, fence }: LeaseOnBoard, signal: AbortSignal) {
			const { offset, bytes, input, state, synced } = chunk;
			const query = { fence, offset, input, console: state && JSON.stringify(state), synced };
			const path = `/console/${encodeURIComponent(leaseId)}`;
			const headers = { 'content-type': 'application/octet-stream' };
			const response = await send(path, { method: 'POST', headers, body: bytes, query, signal });
			return appended.parse(await response.json()).offset;
		},
		pins: (sample: PinSample, { leaseId, fence }: LeaseOnBoard, signal: AbortSignal) =>
			post(`/pins/${encodeURIComponent(leaseId)}`, { ...json(sample), query: { fence }, signal }),
		/** Asks for a ticket for a channel. */
		async channel(id: string, { leaseId, fence }: Omit<LeaseOnBoard, 'boardId'>) {
			const query = { fence, lease_id: leaseId };
			const response = await send(`/channels/${encodeURIComponent(id)}`, { method: 'POST', query });
			const { ticket } = admitted.parse(await response.json());
			return { url: `${root}/v1/channels/${encodeURIComponent(id)}`, ticket };
		},
		/** What carries channels. A function in place of the network has no WebSockets. */
		carrier: { fetch, WebSocket: given ? undefined : globalThis.WebSocket },
		async file(fileId: string, { boardId, fence }: LeaseOnBoard, signal: AbortSignal) {
			const query = { fence, board_id: boardId };
			const path = `/files/${encodeURIComponent(fileId)}`;
			const response = await send(path, { query, signal, limit: longRequest });
			const bytes = new Uint8Array(await response.arrayBuffer());
			if (response.headers.get('x-file-sha256') === hash('sha256', bytes)) return bytes;
			throw new Error('The downloaded file is damaged');
		},
		/** Returns what the service knows of the agent, or undefined if it is too old to say. */
		async check() {
			const response = await send('', {}).catch(unless('not_found'));
			if (response) return agentStatus.parse(await response.json());
			const query = { fence: '0', board_id: 'none' };
			await send('/files/none', { query }).catch(unless('file_not_found'));
			return undefined;
		},
	};
}

const unless = (code: string) => (error: unknown) => {
	if (!(error instanceof ServiceError && error.code === code)) throw error;
};

function json(body: object) {
	const headers = { 'content-type': 'application/json' };
	return { method: 'POST', headers, body: JSON.stringify(body) };
}

function within(milliseconds: number, signal: AbortSignal | null | undefined) {
	const limits = milliseconds === Infinity ? [] : [AbortSignal.timeout(milliseconds)];
	return AbortSignal.any(signal ? [signal, ...limits] : limits);
}

async function serviceError(response: Response): Promise<ServiceError> {
	const body = errorBody.safeParse(await response.json().catch(() => undefined));
	return new ServiceError(response.status, body.success ? body.data.error : {});
}

/** Retries with backoff until the service accepts or rejects the request. */
export async function repeat<Result>(
	request: () => Promise<Result>,
	signal: AbortSignal,
): Promise<Result> {
	for (let attempt = 0; ; attempt++) {
		try {
			return await request();
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof ServiceError && !error.temporary) throw error;
		}
		await wait(backoff(attempt), signal);
	}
}
