// The agent: its boards, and one connection to the service.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import about from '../package.json' with { type: 'json' };
import { Board } from './boards/board.ts';
import { type AgentConfig, type BoardConfig, checkConfig } from './config.ts';
import type { Hardware } from './drivers/hardware.ts';
import { type Fences, openFences } from './fences.ts';
import { hardwareOf } from './hardware-of.ts';
import { Contact, type Permit } from './link/contact.ts';
import { type AgentConnection, createService, type Fetch } from './link/service.ts';
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
	/** Releases every board and closes the connection. */
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
	if (config.token === undefined) throw new Error('config.token is required');
	const log = options.log ?? silentLog;
	const service = createService(config.service, config.token, options.fetch);
	const fences = await openFences(config.state_file);
	const contact = new Contact();
	const onReleased = () => following.reconnect();
	const boards = new Map(
		config.boards.map((board) => {
			const { id } = board;
			const permit = () => contact.confirmed();
			const hardware = hardwareOf(board, config.state_file, permit);
			return [id, new Board({ fences, service, log, permit, id, hardware, onReleased })];
		}),
	);
	const bootId = randomUUID();
	const startedAt = performance.now();
	const controller = new AbortController();
	let isStopping = false;
	const first = Promise.withResolvers<void>();
	// Nobody may be waiting for it.
	first.promise.catch(() => {});
	let connected = false;
	const warnOfMisfits = createMisfitWarning(boards, log);
	const following = followWork({
		service,
		connection: () => ({
			boot_id: bootId,
			version: about.version,
			host: hostname(),
			uptime_ms: Math.round(performance.now() - startedAt),
			boards: capabilities(boards.values()),
		}),
		log,
		signal: controller.signal,
		contact,
		onWork(work, isFirst) {
			if (isStopping) return;
			for (const state of work.boards) boards.get(state.board_id)?.apply(state);
			if (isFirst) warnOfMisfits(work);
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
		async stop() {
			const reason = new Error('The agent is stopping');
			isStopping = true;
			first.reject(reason);
			contact.stop(reason);
			// Still connected, so that the service leases the boards to nobody else.
			await Promise.all([...boards.values()].map((board) => board.shutDown()));
			controller.abort(reason);
			await following.ended;
		},
	};
}

function capabilities(boards: Iterable<Board>): AgentConnection['boards'] {
	const entries = [...boards].map((board) => {
		const { hasConsole: console, betweenLeases: between_leases, ...hardware } = board.hardware;
		const { actions, memory, pins, ports, debug } = hardware;
		const driven = {
			...{ actions: [...actions], console, between_leases, memory, pins },
			...(ports && ports.size > 0 && { ports: [...ports.keys()] }),
			...(debug && { debug: true }),
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
