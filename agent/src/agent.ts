// The agent: its boards, and one connection to the service.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import about from '../package.json' with { type: 'json' };
import { Board } from './boards/board.ts';
import { type AgentConfig, type BoardConfig, checkConfig, sharedPorts } from './config.ts';
import type { Hardware } from './drivers/hardware.ts';
import { type Fences, openFences } from './fences.ts';
import { hardwareOf } from './hardware-of.ts';
import { Contact, type Permit } from './link/contact.ts';
import { type AgentConnection, createService, type Fetch, repeat } from './link/service.ts';
import { followWork, type Work } from './link/work.ts';
import { type AgentLog, silentLog } from './log.ts';

/** Settings of `startAgent`. */
export interface AgentOptions {
	/** The configuration, as in the file. */
	readonly config: AgentConfig;
	/** Sends the requests. Default: the global `fetch`. */
	readonly fetch?: Fetch;
	/** Where the agent logs to. Default: nowhere. */
	readonly log?: AgentLog;
}

/** A running agent. */
export interface RunningAgent {
	/** A new one for each start, which tells the service that the agent was restarted. */
	readonly bootId: string;
	/** Whether the agent is connected to the service. */
	readonly connected: boolean;
	/** Resolves when the agent is connected to the service; rejects if it is stopped before. */
	whenConnected(): Promise<void>;
	/**
	 * Uses another configuration. A board whose settings change keeps its lease, and changes when that has ended. Other
	 * boards are not touched. `service` and `state_file` stay.
	 */
	reload(config: AgentConfig): Promise<void>;
	/** Accepts no new leases from now on. Resolves when the present ones have ended. */
	drain(): Promise<void>;
	/** Ends the leases, clears the boards and closes the connection. */
	stop(): Promise<void>;
}

/**
 * Starts an agent in this process.
 *
 * @example
 * const agent = await startAgent({ config: { service, token, boards: [{ id: 'brd_…', type: 'arduino-uno', driver: 'emulated' }] } });
 */
export function startAgent(options: AgentOptions): Promise<RunningAgent> {
	return startAgentWith({ hardwareOf, openFences }, options);
}

/** What tests replace. */
export interface AgentDependencies {
	hardwareOf(board: BoardConfig, stateFile: string | undefined, permit: Permit): Hardware;
	openFences(file: string | undefined): Promise<Fences>;
}

export async function startAgentWith(
	{ hardwareOf, openFences }: AgentDependencies,
	options: AgentOptions,
): Promise<RunningAgent> {
	const config = checkConfig(options.config);
	let { token } = config;
	if (token === undefined) throw new Error('config.token is required');
	const log = options.log ?? silentLog;
	const service = createService(config.service, token, options.fetch);
	const fences = await openFences(config.state_file);
	const contact = new Contact();
	const boards = new Map<string, Board>();
	let configured: ReadonlyMap<string, BoardConfig> = new Map();
	let following: ReturnType<typeof followWork> | undefined;
	const reconnect = () => following?.reconnect();
	const drained = Promise.withResolvers<void>();
	let isDraining = false;
	/** Whether the service knows that the agent accepts no new leases. */
	let isDrained = false;
	/** Boards that change when their lease has ended. */
	const changing = new Set<string>();
	/** Does what waits for the end of leases. */
	const settle = () => {
		const leased = [...boards].filter(([, board]) => board.isLeased);
		if (isDrained && leased.length === 0) drained.resolve();
		const removed = [...boards].filter(([id, board]) => !configured.has(id) && !board.isLeased);
		for (const [id] of removed) boards.delete(id);
		const changed = [...changing].filter((id) => !boards.get(id)?.isLeased);
		for (const id of changed) changing.delete(id);
		if (removed.length + changed.length > 0) reconnect();
	};
	const configure = (next: readonly BoardConfig[]) => {
		for (const board of next) {
			const { id } = board;
			if (isDeepStrictEqual(configured.get(id), board)) continue;
			const permit = () => contact.confirmed();
			const hardware = hardwareOf(board, config.state_file, permit);
			const known = boards.get(id);
			if (known?.isLeased) {
				changing.add(id);
				log.info({ boardId: id }, 'The board changes when its lease has ended');
			}
			const calls = { onReleased: reconnect, onFree: settle };
			if (known) known.hardware = hardware;
			else boards.set(id, new Board({ fences, service, log, permit, id, hardware, ...calls }));
		}
		configured = new Map(next.map((board) => [board.id, board]));
		settle();
		reconnect();
	};
	configure(config.boards);
	const bootId = randomUUID();
	const startedAt = performance.now();
	const controller = new AbortController();
	let isStopping = false;
	const first = Promise.withResolvers<void>();
	// Nobody may be waiting for it.
	first.promise.catch(() => {});
	let connected = false;
	const warnOfMisfits = createMisfitWarning(boards, log);
	let saidDraining = false;
	following = followWork({
		service,
		connection() {
			saidDraining = isDraining;
			return {
				boot_id: bootId,
				version: about.version,
				host: hostname(),
				uptime_ms: Math.round(performance.now() - startedAt),
				boards: isStopping
					? {}
					: capabilities(boards.values(), (id) => isDraining || !configured.has(id)),
			};
		},
		log,
		signal: controller.signal,
		contact,
		onWork(work, isFirst) {
			if (isStopping) return;
			for (const state of work.boards) boards.get(state.board_id)?.apply(state);
			if (!isFirst) return;
			warnOfMisfits(work);
			isDrained = saidDraining;
			settle();
		},
		onTaken(error) {
			contact.rejected(error);
			for (const board of boards.values()) board.abandon('another agent uses the token');
		},
		onState(state) {
			if (state && !connected)
				log.info({ bootId, boards: boards.size }, 'Connected to the service');
			if (state) first.resolve();
			connected = state;
		},
	});
	return {
		bootId,
		get connected() {
			return connected;
		},
		whenConnected: () => first.promise,
		async reload(input) {
			const next = checkConfig(input);
			for (const setting of ['service', 'state_file'] as const)
				if (next[setting] !== config[setting])
					log.warn({ setting }, 'A change of this setting needs a restart of the agent');
			const leased = [...configured.values()].filter(({ id }) => boards.get(id)?.isLeased);
			const others = next.boards.filter(({ id }) => !leased.some((board) => board.id === id));
			const [shared] = sharedPorts([...leased, ...others]);
			if (shared) throw new Error(`${shared.message} until the lease has ended`);
			configure(next.boards);
			if (!next.token || next.token === token) return;
			// One that was copied incompletely would end all leases.
			await createService(config.service, next.token, options.fetch).check();
			token = next.token;
			service.useToken(token);
			reconnect();
		},
		drain() {
			isDraining = true;
			// Without a connection, no lease can begin.
			isDrained = !connected;
			settle();
			reconnect();
			return drained.promise;
		},
		async stop() {
			const reason = new Error('The agent is stopping');
			isStopping = true;
			first.reject(reason);
			contact.stop(reason);
			const signal = AbortSignal.timeout(maxAnnouncement);
			const announce = () => repeat(() => service.stop(bootId, signal), signal).catch(() => {});
			const announced = connected && announce();
			// Still connected, so that no other agent uses the boards.
			await Promise.all([...boards.values()].map((board) => board.shutDown()));
			await announced;
			controller.abort(reason);
			await following?.ended;
		},
	};
}

/** How long to repeat the announcement of a stop, in milliseconds. */
const maxAnnouncement = 3_000;

function capabilities(
	boards: Iterable<Board>,
	isDraining: (id: string) => boolean,
): AgentConnection['boards'] {
	const entries = [...boards].map((board) => {
		const { hasConsole: console, betweenLeases: between_leases, ...hardware } = board.hardware;
		const { actions, memory, pins, ports, debug } = hardware;
		const driven = {
			...{ actions: [...actions], console, between_leases, memory, pins },
			...(ports && ports.size > 0 && { ports: [...ports.keys()] }),
			...(debug && { debug: true }),
			...(isDraining(board.id) && { draining: true }),
		};
		return [board.id, { ...driven, ...board.leaseState() }] as const;
	});
	return Object.fromEntries(entries);
}

/** Each board is logged once until it is fixed. */
function createMisfitWarning(boards: ReadonlyMap<string, Board>, log: AgentLog) {
	let warned = new Set<string>();
	return (work: Work) => {
		const assigned = new Set(work.boards.map(({ board_id: id }) => id));
		const known = [...assigned, ...boards.keys()];
		const misfits = new Set(known.filter((id) => assigned.has(id) !== boards.has(id)));
		for (const boardId of misfits) {
			if (warned.has(boardId)) continue;
			log.warn({ boardId }, boards.has(boardId) ? notAssigned : notConfigured);
		}
		warned = misfits;
	};
}

export const notAssigned = 'The service has not assigned this board to this agent';
export const notConfigured = 'The configuration does not contain this board';
