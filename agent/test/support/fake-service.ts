// An in-memory service with one agent, which implements the agent protocol, with failures on demand.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { agentConnection, agentConsole, agentReport } from 'board-access-contract';
import type * as z from 'zod/mini';
import type { Fetch } from '../../src/index.ts';

export const token = `agt_${'0123456789abcdef'.repeat(3)}`;
export const address = 'https://service.test';

interface FakeAction {
	id: string;
	phase: 'prepare' | 'use';
	/** Whether its file is still being downloaded, so that the agent does not know it yet. */
	isWaiting: boolean;
	action: string;
	file_id: string | null;
	flash_offset: string | null;
	status: string;
	message: string;
	cause: string | undefined;
	/** Where the output of the action began, as the agent reports it. */
	consoleOffset: number | undefined;
	/** Every status that was reported, in order. */
	reports: string[];
	/** The percentages of those reports that have one. */
	progress: number[];
}

export interface FakeLease {
	id: string;
	boardId: string;
	fence: number;
	endsAt: number;
	live: boolean;
	actions: FakeAction[];
	input: Buffer;
	output: Buffer;
	/** The number of the request for all output until then, and how much had come when the agent confirmed it. */
	sync: number;
	synced: { sync: number; end: number }[];
	/** Up to where the agent has confirmed the input, each time. */
	confirmed: number[];
	/** What the agent has said of its console, each time. */
	consoleStates: z.output<typeof agentConsole>[];
}

interface Connection {
	readonly send: (text: string) => unknown;
	readonly end: () => void;
	readonly sentInput: Map<string, number>;
}

interface ActOptions {
	readonly file?: Uint8Array;
	readonly offset?: string;
	/** Instead of the ID of the file. */
	readonly fileId?: string;
}

export type FakeService = ReturnType<typeof createFakeService>;

export function createFakeService(
	boardTypes: Record<string, string>,
	/** Whether it cannot say what it knows of the agent. */
	{ isOld = false } = {},
) {
	const fences = new Map(Object.keys(boardTypes).map((id) => [id, 0]));
	const leases = new Map<string, FakeLease>();
	const current = new Map<string, FakeLease>();
	const files = new Map<string, Uint8Array>();
	const bootIds: string[] = [];
	/** The starts of the agent that have said that they end. */
	const stopped: string[] = [];
	/** The tokens that it accepts, and how often each was used. */
	const tokens = new Map([[token, 0]]);
	let connection: Connection | undefined;
	/** What the agent has said of itself. */
	let program: ReturnType<typeof agentConnection.parse> | undefined;
	let capabilities: Record<string, object> = {};
	let cut = false;
	/** Whether another agent with the same token is connected. */
	let taken = false;
	/** Lets the next requests of this kind fail after they were carried out. */
	const loseResponses = { action: 0, console: 0 };
	/** What the next requests of this kind get instead of being carried out. */
	const refusals: Record<'action' | 'console', Response[]> = { action: [], console: [] };
	const requests: string[] = [];
	/** The requests that were sent while the network was cut. */
	const lost: string[] = [];

	const wantedBoard = (boardId: string) => {
		const lease = current.get(boardId);
		return {
			board_id: boardId,
			fence: fences.get(boardId) ?? 0,
			lease: lease?.live ? wantedLease(lease) : null,
		};
	};
	const openActions = ({ actions }: FakeLease) =>
		actions.filter(({ status }) => status === 'queued' || status === 'running');
	const wantedLease = (lease: FakeLease) => {
		const from = connection?.sentInput.get(lease.id) ?? 0;
		connection?.sentInput.set(lease.id, lease.input.length);
		return {
			id: lease.id,
			sync: lease.sync,
			remaining_ms: lease.endsAt - performance.now(),
			output_from: openActions(lease).findLast(({ phase }) => phase === 'prepare')?.id,
			actions: openActions(lease)
				.filter(({ isWaiting }) => !isWaiting)
				.map(({ id, action, file_id, flash_offset }) => ({
					id,
					action,
					file_id,
					flash_offset,
				})),
			input:
				lease.input.length > from
					? { offset: from, data: lease.input.subarray(from).toString('base64') }
					: null,
		};
	};
	const push = (...boardIds: string[]) => {
		if (!cut) connection?.send(`${JSON.stringify({ boards: boardIds.map(wantedBoard) })}\n`);
	};

	const work = (body: string) => {
		program = agentConnection.parse(JSON.parse(body));
		const { boot_id: boot, boards } = program;
		if (bootIds.at(-1) !== boot) {
			bootIds.push(boot);
			for (const lease of current.values()) lease.live = lease.live && bootIds.length === 1;
		}
		capabilities = boards;
		connection?.end();
		const stream = new ReadableStream<Uint8Array>({
			start(controller) {
				const encoder = new TextEncoder();
				let open = true;
				const send = (text: string) => open && controller.enqueue(encoder.encode(text));
				const timer = setInterval(() => cut || send('\n'), 1_000);
				timer.unref();
				connection = {
					sentInput: new Map(),
					send,
					end() {
						clearInterval(timer);
						open = false;
						try {
							controller.close();
						} catch {
							// The agent has cancelled it.
						}
					},
				};
				push(...Object.keys(boardTypes));
			},
			cancel: () => connection?.end(),
		});
		return new Response(stream, { headers: { 'content-type': 'application/x-ndjson' } });
	};
	const report = (id: string, body: string) => {
		const {
			fence,
			status,
			message,
			cause,
			progress,
			console_offset: consoleOffset,
		} = agentReport.parse(JSON.parse(body));
		const lease = [...leases.values()].find(({ actions }) => actions.some((one) => one.id === id));
		const action = lease?.actions.find((one) => one.id === id);
		if (!lease || !action) return refusal(404, 'action_not_found');
		if (!lease.live || fence !== fences.get(lease.boardId)) return refusal(409, 'fence_outdated');
		action.reports.push(status);
		if (progress !== undefined) action.progress.push(progress);
		if (action.status !== 'done' && action.status !== 'failed')
			Object.assign(action, { status, message, cause, consoleOffset });
		push(lease.boardId);
		return new Response(null, { status: 204 });
	};
	const append = (id: string, query: URLSearchParams, bytes: Buffer) => {
		const lease = leases.get(id);
		if (!lease) return refusal(404, 'lease_not_found');
		if (!lease.live || Number(query.get('fence')) !== fences.get(lease.boardId)) {
			return refusal(409, 'fence_outdated');
		}
		const state = query.get('console');
		if (state) lease.consoleStates.push(agentConsole.parse(JSON.parse(state)));
		if (query.has('input')) lease.confirmed.push(Number(query.get('input')));
		const expected = lease.output.length;
		const offset = Number(query.get('offset'));
		if (offset > expected) return refusal(409, 'console_gap', String(expected));
		lease.output = Buffer.concat([lease.output, bytes.subarray(Math.max(0, expected - offset))]);
		if (query.has('synced')) {
			lease.synced.push({ sync: Number(query.get('synced')), end: lease.output.length });
		}
		return Response.json({ offset: lease.output.length });
	};
	const file = (id: string) => {
		const bytes = files.get(id);
		if (!bytes) return refusal(404, 'file_not_found');
		const sha256 = createHash('sha256').update(bytes).digest('hex');
		return new Response(Buffer.from(bytes), { headers: { 'x-file-sha256': sha256 } });
	};
	const status = () => {
		if (isOld) return refusal(404, 'not_found');
		const types = Object.entries(boardTypes);
		const boards = types.map(([id, board_type]) => ({ id, name: `Board ${id}`, board_type }));
		return Response.json({ online: taken, host: taken ? 'raspberry-1' : null, boards });
	};
	const route = async (url: URL, init: RequestInit) => {
		const [, , , kind, id = ''] = url.pathname.split('/');
		if (kind === undefined) return status();
		if (kind === 'files') return file(id);
		const body = Buffer.from(await new Response(init.body ?? null).arrayBuffer());
		if (kind === 'stop') {
			stopped.push(JSON.parse(body.toString()).boot_id);
			return new Response(null, { status: 204 });
		}
		if (kind === 'work') return taken ? refusal(409, 'agent_connected') : work(body.toString());
		const what = kind === 'actions' ? 'action' : 'console';
		const refused = refusals[what].shift();
		if (refused) return refused;
		const response =
			what === 'action' ? report(id, body.toString()) : append(id, url.searchParams, body);
		if (loseResponses[what] > 0) {
			loseResponses[what] -= 1;
			throw new TypeError('fetch failed');
		}
		return response;
	};
	const fetch: Fetch = async (address, init) => {
		const url = new URL(address);
		(cut ? lost : requests).push(`${init.method ?? 'GET'} ${url.pathname}`);
		if (cut) throw new TypeError('fetch failed');
		const sent = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? '';
		const uses = tokens.get(sent);
		if (uses === undefined) return refusal(401, 'agent_token_invalid');
		tokens.set(sent, uses + 1);
		return route(url, init);
	};

	const create = (boardId: string, milliseconds = 60_000): FakeLease => {
		const old = current.get(boardId);
		if (old) old.live = false;
		const fence = (fences.get(boardId) ?? 0) + 1;
		fences.set(boardId, fence);
		const endsAt = performance.now() + milliseconds;
		const content = {
			actions: [],
			input: Buffer.alloc(0),
			output: Buffer.alloc(0),
			sync: 0,
			synced: [],
			confirmed: [],
			consoleStates: [],
		};
		const lease = { id: `lse_${randomUUID()}`, boardId, fence, endsAt, live: true, ...content };
		leases.set(lease.id, lease);
		current.set(boardId, lease);
		return lease;
	};
	const add = (
		lease: FakeLease,
		action: string,
		{ file, offset = '0x0', ...options }: ActOptions = {},
	) => {
		const fileId = file ? `fil_${randomUUID()}` : null;
		if (file && fileId) files.set(fileId, file);
		const added: FakeAction = {
			id: `act_${randomUUID()}`,
			phase: 'use',
			isWaiting: false,
			action,
			file_id: options.fileId ?? fileId,
			flash_offset: file ? offset : null,
			status: 'queued',
			message: '',
			cause: undefined,
			consoleOffset: undefined,
			reports: [],
			progress: [],
		};
		lease.actions.push(added);
		return added;
	};
	const grant = (boardId: string, milliseconds?: number) => {
		const lease = create(boardId, milliseconds);
		push(boardId);
		return lease;
	};
	/** Grants a lease whose board is prepared first. */
	const prepare = (boardId: string, actions: readonly string[]) => {
		const lease = create(boardId);
		const steps = actions.map((action) => Object.assign(add(lease, action), { phase: 'prepare' }));
		return { lease, steps };
	};
	const request = (lease: FakeLease, action: string, options?: ActOptions) => {
		const added = add(lease, action, options);
		push(lease.boardId);
		return added;
	};
	const act = async (lease: FakeLease, action: string, options: ActOptions = {}) => {
		const added = request(lease, action, options);
		await until(() => added.status === 'done' || added.status === 'failed', `${action} ends`);
		return added;
	};

	return {
		fetch,
		requests,
		lost,
		loseResponses,
		refusals,
		bootIds,
		stopped,
		tokens,
		get program() {
			return program;
		},
		grant,
		prepare,
		/** Adds an action without waiting for it. */
		request,
		/** Adds an action and waits until it is done or failed. */
		act,
		get capabilities() {
			return capabilities;
		},
		/** Sends a line as it is. */
		send: (line: object) => connection?.send(`${JSON.stringify(line)}\n`),
		push,
		write(lease: FakeLease, text: string) {
			lease.input = Buffer.concat([lease.input, Buffer.from(text)]);
			push(lease.boardId);
		},
		/** Asks for all output until now. */
		sync(lease: FakeLease) {
			lease.sync += 1;
			push(lease.boardId);
		},
		renew(lease: FakeLease, milliseconds: number) {
			lease.endsAt = performance.now() + milliseconds;
			push(lease.boardId);
		},
		release(lease: FakeLease) {
			lease.live = false;
			push(lease.boardId);
		},
		output: (lease: FakeLease) => lease.output.toString('utf8'),
		expect: (lease: FakeLease, pattern: RegExp) =>
			until(() => pattern.test(lease.output.toString('utf8')), `${pattern} on the console`).catch(
				(error: Error) => {
					throw new Error(
						`${error.message}; there is: ${lease.output.toString('utf8').slice(-500)}`,
					);
				},
			),
		/** Ends the connection; the agent connects again. */
		disconnect: () => connection?.end(),
		/** Lets another agent connect in place of this one. */
		take() {
			taken = true;
		},
		/** Cuts the network, silently for the open connection. */
		cut() {
			cut = true;
		},
		/** Repairs the network. The old connection is gone. */
		repair() {
			cut = false;
			connection?.end();
		},
		stop: () => connection?.end(),
	};
}

const patience = 15_000;

/** Waits until the condition holds. */
export async function until(
	condition: () => boolean | Promise<boolean>,
	what: string,
): Promise<void> {
	const end = performance.now() + patience;
	while (!(await condition())) {
		if (performance.now() > end) throw new Error(`Waited in vain until: ${what}`);
		await wait(5);
	}
}

export function refusal(status: number, code: string, param?: string): Response {
	const error = { code, message: code, request_id: 'req_1', ...(param !== undefined && { param }) };
	return Response.json({ error }, { status });
}
