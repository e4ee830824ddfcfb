// A small service with one board that implements the contract of leases, with errors on demand.
import { once as onceEmitted } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { BoardAccess, type BoardAccessOptions } from 'board-access';
import { leaseAction, lease as leaseSchema } from 'board-access-contract';
import { apiKey } from './client.ts';

type Record = ReturnType<typeof leaseSchema.parse>;
type Action = ReturnType<typeof leaseAction.parse>;

interface Received {
	method: string;
	path: string;
	query: URLSearchParams;
	headers: Headers;
	body: Uint8Array;
}

/** What a request gets instead of the usual response; `undefined` lets it pass. */
type Outcome = Response | Error | undefined;
type Fault = (request: Received) => Outcome | Promise<Outcome>;

const lost = () => new TypeError('terminated');

/** When a lease ends that is renewed now; it is never shortened. */
const lasting = (minutes: number, until: string | null = null) => ({
	expires_at: new Date(
		Math.max(Date.now() + minutes * 60_000, Date.parse(until ?? '') || 0),
	).toISOString(),
});

export function createLeaseService() {
	const received: Received[] = [];
	const faults: Fault[] = [];
	const lateFaults: Fault[] = [];
	const responses = new Map<string, Response>();
	const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
	const watchers = new Set<() => void>();
	const actions: Action[] = [];
	const files: Uint8Array[] = [];
	const typed: Uint8Array[] = [];
	const pieces = new Map<number, string | null>();
	let output = new Uint8Array();
	let firstKept = 0;
	let lease: Record | undefined;
	let onAction: (action: Action) => void = (action) => finish(action, 'done');

	const changed = () => {
		for (const watcher of [...watchers]) watcher();
	};
	const change = (fields: Partial<Record>) => {
		if (!lease) throw new Error('there is no lease');
		const begins = fields.status === 'active' && lease.status !== 'active';
		const granted = begins && { board_id: 'brd_1', ...lasting(lease.minutes) };
		const isWaiting = fields.status === 'queued' || fields.status === 'preparing';
		const started_at = begins ? new Date().toISOString() : isWaiting ? null : lease.started_at;
		lease = leaseSchema.parse({ ...lease, started_at, ...granted, ...fields });
		changed();
	};
	const finish = (action: Action, status: Action['status'], message = '') => {
		const console_offset = action.console_offset ?? output.length;
		Object.assign(action, { status, message, console_offset, ended_at: new Date().toISOString() });
		changed();
	};
	const end = (end_reason: Record['end_reason'], end_message: string | null = null) => {
		change({ status: 'ended', end_reason, end_message, ended_at: new Date().toISOString() });
		for (const stream of streams) stream.close();
		streams.clear();
	};

	/** Until the state is another, or the time that the request asks for is over. */
	const settled = async (request: Received, isWaiting: () => boolean) => {
		const seconds = Number(request.query.get('wait') ?? 0);
		const until = performance.now() + seconds * 1000;
		while (isWaiting() && performance.now() < until) {
			await new Promise<void>((resolve) => {
				const done = () => {
					clearTimeout(timer);
					watchers.delete(done);
					resolve();
				};
				const timer = setTimeout(done, until - performance.now());
				watchers.add(done);
			});
		}
	};

	/** The lease as a response has it. */
	const seen = (status = 200) => {
		const left = Date.parse(lease?.expires_at ?? '') - Date.now();
		return Response.json({ ...lease, expires_in_ms: Number.isNaN(left) ? null : left }, { status });
	};

	/** The lease with some other fields. */
	const seenWith = (fields: object) => Response.json({ ...lease, ...fields });

	const failure = (status: number, code: string, message: string) =>
		Response.json({ error: { code, message, request_id: 'req_1' } }, { status });

	const grant = (wanted: Partial<Record> & { heartbeat?: boolean }) => {
		const minutes = wanted.minutes ?? 10;
		lease ??= leaseSchema.parse({
			id: 'lse_1',
			group_id: null,
			role: null,
			status: 'active',
			access: 'hold',
			holder_email: null,
			board_id: wanted.board_id ?? 'brd_1',
			board_type: wanted.board_type ?? 'arduino-uno',
			label: null,
			queue_position: null,
			minutes,
			created_at: new Date().toISOString(),
			started_at: new Date().toISOString(),
			preparation_expires_at: null,
			...lasting(minutes),
			expires_in_ms: null,
			ended_at: null,
			end_reason: null,
			end_message: null,
			credits: null,
			console_status: null,
			console_message: null,
			console_lost_at: null,
			console_gap_offset: null,
			console_gap_ms: null,
			halted_by: null,
		});
		if (wanted.heartbeat && lease.status !== 'active') change({ minutes, ...lasting(minutes) });
		return seen(201);
	};

	const openConsole = (from: number) => {
		const start = Math.max(Math.min(from, output.length), firstKept);
		let opened: ReadableStreamDefaultController<Uint8Array>;
		const body = new ReadableStream<Uint8Array>({
			start(controller) {
				opened = controller;
				if (start < output.length) controller.enqueue(output.slice(start));
				if (lease?.status === 'ended') controller.close();
				else streams.add(controller);
			},
			cancel() {
				streams.delete(opened);
			},
		});
		const headers = {
			'content-type': 'application/octet-stream',
			'x-console-offset': String(start),
		};
		return new Response(body, { headers });
	};

	/** Input at its offset, as the service stores it. */
	const write = ({ query, body }: Received) => {
		const all = Buffer.concat(typed);
		const offset = Number(query.get('offset') ?? all.length);
		const isStored = all.subarray(offset, offset + body.length).equals(body);
		const isOwn = query.get('piece') === pieces.get(offset) && query.get('retry') !== 'false';
		const isRepeated = isStored && isOwn && offset < all.length;
		if (!isRepeated && offset !== all.length) {
			const error = { code: 'console_gap', message: '', param: String(all.length), request_id: '' };
			return Response.json({ error }, { status: 409 });
		}
		if (!isRepeated) typed.push(body);
		pieces.set(offset, query.get('piece'));
		const headers = { 'x-console-offset': String(offset + body.length) };
		return new Response(null, { status: 204, headers });
	};

	const respond = async (request: Received): Promise<Response> => {
		const { method, path, body } = request;
		const json = () => JSON.parse(new TextDecoder().decode(body));
		if (path === '/v1/leases' && method === 'POST') return grant(json());
		if (path === '/v1/leases') {
			return Response.json({ data: lease ? [lease] : [], next_cursor: null });
		}
		const [, id, rest] = /^\/v1\/leases\/(\w+)(.*)$/.exec(path) ?? [];
		if (!lease || id !== lease.id) return failure(404, 'lease_not_found', 'No such lease.');
		const endpoint = `${method} ${rest}`;
		if (endpoint === 'GET ') {
			await settled(request, () => lease?.status === request.query.get('status'));
			return seen();
		}
		// Its agent always responds; a fault can be another response.
		if (endpoint === 'POST /console/sync') return seen();
		if (endpoint === 'DELETE ') {
			if (lease.status !== 'ended') end('released');
			return seen();
		}
		if (endpoint === 'GET /console') return openConsole(Number(request.query.get('from')));
		if (endpoint === 'GET /actions') return Response.json({ data: actions, next_cursor: null });
		const [, actionId] = /^GET \/actions\/(\w+)$/.exec(endpoint) ?? [];
		const action = actions.find((each) => each.id === actionId);
		if (action) {
			await settled(request, () => !action.ended_at);
			return Response.json(action);
		}
		if (lease.status === 'ended') return failure(409, 'lease_ended', 'The lease has ended.');
		switch (endpoint) {
			case 'POST /renew': {
				const { minutes } = json();
				change(lasting(minutes, lease.expires_at));
				return seen();
			}
			case 'POST /console':
				return write(request);
			case 'POST /files': {
				files.push(body);
				const file = { id: 'fil_1', size: body.length, sha256: '', format: 'raw' };
				return Response.json(file, { status: 201 });
			}
			case 'POST /actions': {
				const created = addAction(json().action);
				queueMicrotask(() => onAction(created));
				return Response.json(created, { status: 202 });
			}
			default:
				return failure(404, 'not_found', `Nothing at ${endpoint}.`);
		}
	};

	const addAction = (name: Action['action'], fields: Partial<Action> = {}) => {
		const action = leaseAction.parse({
			id: `act_${actions.length + 1}`,
			action: name,
			phase: 'use',
			name: null,
			status: 'queued',
			message: '',
			progress: null,
			console_offset: null,
			created_at: new Date().toISOString(),
			ended_at: null,
			requested_by: null,
			...fields,
		});
		actions.push(action);
		changed();
		return action;
	};

	/** A request with an idempotency key that was seen already gets the first response again. */
	const once = async (request: Received) => {
		const key = request.headers.get('idempotency-key');
		const first = key && responses.get(key);
		if (first) return first.clone();
		const response = await respond(request);
		if (key && response.ok) responses.set(key, response.clone());
		return response;
	};

	const handle = async (request: Request): Promise<Response> => {
		const { pathname: path, searchParams: query } = new URL(request.url);
		const body = new Uint8Array(await request.arrayBuffer());
		const { method, headers } = request;
		const call = { method, path, query, headers, body };
		received.push(call);
		for (const fault of faults) {
			const outcome = await fault(call);
			if (outcome instanceof Error) throw outcome;
			if (outcome) return outcome;
		}
		const response = await once(call);
		for (const fault of lateFaults) {
			const outcome = await fault(call);
			if (outcome instanceof Error) throw outcome;
			if (outcome) return outcome;
		}
		return response;
	};

	const requests = (endpoint: string) =>
		received.filter(({ method, path }) => `${method} ${path.replace('/lse_1', '')}` === endpoint);

	return {
		requests,
		faults,
		/** Faults that come when the request was carried out already. */
		lateFaults,
		typed,
		/** Carries a request out again, as a proxy may. */
		repeat: once,
		files,
		actions,
		failure,
		lost,
		seen,
		seenWith,
		change,
		end,
		finish,
		addAction,
		/** What happens after an action was requested; by default it is done at once. */
		setOnAction: (handler: (action: Action) => void) => {
			onAction = handler;
		},
		/** A lease that is not active yet. */
		enqueue: (queue_position: number) => {
			grant({});
			const times = { started_at: null, expires_at: null };
			change({ status: 'queued', queue_position, board_id: null, ...times });
		},
		print: (text: string | Uint8Array) => {
			const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
			output = Uint8Array.from(Buffer.concat([output, bytes]));
			for (const stream of streams) stream.enqueue(bytes);
		},
		/** Forgets the oldest bytes of the console, as the service does with a long one. */
		forgetOutput: (count: number) => {
			firstKept = count;
		},
		openStreams: () => streams.size,
		cutStreams: () => {
			for (const stream of streams) stream.error(lost());
			streams.clear();
		},
		closeStreams: () => {
			for (const stream of streams) stream.close();
			streams.clear();
		},
		fetch: async (input: string | URL | Request, init?: RequestInit) =>
			await handle(new Request(input, init)),
		handle,
		createClient(options: BoardAccessOptions = {}) {
			const fetch: typeof globalThis.fetch = async (input, init) =>
				await handle(new Request(input, init));
			return new BoardAccess({ apiKey, baseUrl: 'http://localhost', fetch, ...options });
		},
	};
}

export type LeaseService = ReturnType<typeof createLeaseService>;

/** The same over a socket. */
export async function listen({ handle }: LeaseService, at = 0) {
	const server = createServer(async (request, response) => {
		const { method = 'GET', url = '/', headers } = request;
		const body = method === 'POST' ? await Readable.toWeb(request).getReader() : undefined;
		const parts: Uint8Array[] = [];
		for (let read = await body?.read(); read && !read.done; read = await body?.read()) {
			parts.push(read.value);
		}
		const reply = await handle(
			new Request(`http://localhost${url}`, {
				method,
				headers: new Headers(
					Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
				),
				...(method === 'POST' && { body: Buffer.concat(parts) }),
			}),
		);
		response.writeHead(reply.status, Object.fromEntries(reply.headers));
		response.flushHeaders();
		if (!reply.body) return response.end();
		const reader = reply.body.getReader();
		response.on('close', () => reader.cancel().catch(() => {}));
		for (;;) {
			const { done, value } = await reader.read().catch(() => ({ done: false, value: undefined }));
			if (done) return response.end();
			if (!value) return response.destroy();
			response.write(value);
		}
	});
	await onceEmitted(server.listen(at, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo; // it listens on a port
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		port,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
