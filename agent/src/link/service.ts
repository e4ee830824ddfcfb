// The requests of the agent to the service: build, send, interpret.
import { createHash } from 'node:crypto';
import {
	type agentConnection,
	type agentConsole,
	type agentReport,
	errorBody,
	maxFileSize,
} from 'board-access-contract';
import type * as z from 'zod/mini';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type Report = z.output<typeof agentReport>;

export type ConsoleState = z.output<typeof agentConsole>;

export type AgentConnection = z.input<typeof agentConnection>;

/** The service has responded with an error. */
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
		// Without a code it is that of a proxy, which knows nothing of leases.
		if (this.code === '') return true;
		return this.status >= 500 || this.status === 429 || this.status === 408 || this.status === 401;
	}
}

/** Console output, and what else the service has to know. */
export interface ConsolePiece {
	readonly offset: number;
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** Up to where the console input was written to the board. */
	readonly input?: number | undefined;
	/** Whether the console is connected, if the service does not know it. */
	readonly state?: ConsoleState | undefined;
	/** The `sync` of the lease that is fulfilled with this output. */
	readonly synced?: number | undefined;
}

interface ConsoleOfLease extends ConsolePiece {
	readonly leaseId: string;
	readonly fence: number;
}

interface WantedFile {
	readonly fileId: string;
	readonly boardId: string;
	readonly fence: number;
}

export interface Service {
	/** Opens the stream of desired states. */
	work(connection: AgentConnection, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
	report(actionId: string, report: Report, signal: AbortSignal): Promise<void>;
	/** Appends console output and returns the offset that the service expects next. */
	console(piece: ConsoleOfLease, signal: AbortSignal): Promise<number>;
	file(wanted: WantedFile, signal: AbortSignal): Promise<Uint8Array>;
	/** Whether the service accepts the token. Rejects if it does not, or cannot be reached. */
	check(signal: AbortSignal): Promise<void>;
}

const shortRequest = 10_000;
const longRequest = 60_000;

export function createService(address: string, token: string, fetch: Fetch): Service {
	const base = `${address.replace(/\/+$/, '')}/v1/agent`;
	const send = async (path: string, init: RequestInit) => {
		const headers = { ...init.headers, authorization: `Bearer ${token}` };
		const response = await fetch(`${base}${path}`, { redirect: 'error', ...init, headers });
		if (!response.ok) throw await serviceError(response);
		return response;
	};
	const within = (milliseconds: number, signal: AbortSignal) =>
		AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);

	return {
		async work(connection, signal) {
			const { body } = await send('/work', {
				method: 'POST',
				headers: { accept: 'application/x-ndjson', 'content-type': 'application/json' },
				body: JSON.stringify(connection),
				signal,
			});
			if (body === null) throw new Error('The service did not send a stream');
			return body;
		},
		async report(actionId, report, signal) {
			const response = await send(`/actions/${encodeURIComponent(actionId)}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(report),
				signal: within(shortRequest, signal),
			});
			await response.body?.cancel();
		},
		async console({ leaseId, fence, offset, bytes, input, state, synced }, signal) {
			const query = new URLSearchParams({
				fence: String(fence),
				offset: String(offset),
				...(input !== undefined && { input: String(input) }),
				...(state && { console: JSON.stringify(state) }),
				...(synced !== undefined && { synced: String(synced) }),
			});
			const response = await send(`/console/${encodeURIComponent(leaseId)}?${query}`, {
				method: 'POST',
				headers: { 'content-type': 'application/octet-stream' },
				body: bytes,
				signal: within(shortRequest, signal),
			});
			return offsetIn(await response.json());
		},
		async file({ fileId, boardId, fence }, signal) {
			const query = new URLSearchParams({ fence: String(fence), board_id: boardId });
			const response = await send(`/files/${encodeURIComponent(fileId)}?${query}`, {
				signal: within(longRequest, signal),
			});
			return verified(await readAll(response), response.headers.get('x-file-sha256'));
		},
		async check(signal) {
			const query = new URLSearchParams({ fence: '0', board_id: 'none' });
			try {
				await send(`/files/none?${query}`, { signal: within(shortRequest, signal) });
			} catch (error) {
				if (error instanceof ServiceError && error.code === 'file_not_found') return;
				throw error;
			}
		},
	};
}

async function serviceError(response: Response): Promise<ServiceError> {
	const body = errorBody.safeParse(await response.json().catch(() => undefined));
	return new ServiceError(response.status, body.success ? body.data.error : {});
}

function offsetIn(body: unknown): number {
	if (typeof body === 'object' && body !== null && 'offset' in body) {
		const { offset } = body;
		if (typeof offset === 'number' && Number.isSafeInteger(offset)) return offset;
	}
	throw new Error('The service did not send a console offset');
}

async function readAll(response: Response): Promise<Uint8Array> {
	const pieces: Uint8Array[] = [];
	let size = 0;
	for await (const piece of response.body ?? []) {
		size += piece.length;
		if (size > maxFileSize) throw new Error('The file is too large');
		pieces.push(piece);
	}
	return Buffer.concat(pieces);
}

function verified(bytes: Uint8Array, sha256: string | null): Uint8Array {
	const actual = createHash('sha256').update(bytes).digest('hex');
	if (sha256?.toLowerCase() !== actual) throw new Error('The downloaded file is damaged');
	return bytes;
}
