// Follows the desired state of the boards, as NDJSON, and reconnects after every loss.
import { agentWork } from 'board-access-contract';
import type * as z from 'zod/mini';
import { messageOf } from '../errors.ts';
import type { AgentLog } from '../log.ts';
import { backoff, wait } from '../time.ts';
import { type Contact, maxSilence } from './contact.ts';
import { type AgentConnection, type Service, ServiceError } from './service.ts';

export type Work = z.output<typeof agentWork>;
export type BoardState = Work['boards'][number];
export type LeaseState = NonNullable<BoardState['lease']>;

interface WorkOptions {
	readonly service: Service;
	connection(): AgentConnection;
	readonly log: AgentLog;
	readonly signal: AbortSignal;
	onWork(work: Work, first: boolean): void;
	onState(connected: boolean): void;
	/** Called when another agent has the boards. */
	onTaken(error: Error): void;
	readonly contact: Contact;
}

/** Attempts are short and frequent for the first 30 seconds: after 45, the service counts a silent agent as lost. */
const urgent = { time: 30_000, attempt: 4_000, max: 2_000 };
const patient = { attempt: 15_000, max: 5_000 };

const takenPause = { min: 5_000, max: 5_000 };
const takenReason =
	'Another agent uses this token. This one waits, and takes the boards over when that one is gone';

/** A shorter connection was replaced by another agent, or the service is stopping. */
const minConnection = 1_000;
const endedAtOnce = 'The service ended the connection at once. Does another agent use this token?';

const maxLine = 64 * 1024 * 1024;

export function followWork(options: WorkOptions) {
	let connection = new AbortController();
	const next = () => {
		connection = new AbortController();
		return connection;
	};
	return {
		/** Settles when the signal is aborted. */
		ended: keepConnected(options, next),
		/** Connects again at once, to send the service the state of the boards. */
		reconnect: () => connection.abort(replacement),
	};
}

const replacement = new Error('The connection is replaced');

async function keepConnected(options: WorkOptions, next: () => AbortController): Promise<void> {
	const { signal, onState } = options;
	const warn = createWarning(options.log);
	let lostAt = performance.now();
	for (let attempt = 0; !signal.aborted; attempt++) {
		const startedAt = performance.now();
		const pace = startedAt - lostAt < urgent.time ? urgent : patient;
		const { received, error } = await followOnce(options, next(), pace.attempt);
		const duration = performance.now() - startedAt;
		if (signal.aborted) break;
		if (error === replacement) continue;
		if (isTaken(error)) options.onTaken(error);
		if (error !== undefined || !received) onState(false);
		const lasted = received && duration >= minConnection;
		warn(error ?? (lasted ? undefined : endedAtOnce));
		if (lasted) {
			attempt = -1;
			lostAt = performance.now();
		} else {
			const pause = backoff(attempt, isTaken(error) ? takenPause : pace);
			if (pause > duration) await wait(pause - duration, signal).catch(() => {});
		}
	}
	onState(false);
}

/** Logs a reason only when it differs from the last. */
function createWarning(log: AgentLog) {
	let last = '';
	return (error: unknown) => {
		const reason = error === undefined ? '' : messageOf(error);
		const isNews = reason !== '' && reason !== last;
		last = reason;
		if (!isNews) return;
		if (reason === endedAtOnce) log.warn({}, reason);
		else log.warn({ reason }, isTaken(error) ? takenReason : 'The service is not reachable');
	};
}

function isTaken(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.code === 'agent_connected';
}

async function followOnce(
	options: WorkOptions,
	connection: AbortController,
	limit: number,
): Promise<{ received: boolean; error?: unknown }> {
	const signal = AbortSignal.any([options.signal, connection.signal]);
	const end = () => connection.abort(new Error('The service is silent'));
	let timer = setTimeout(end, limit);
	let due = performance.now() + limit;
	const heard = () => {
		// While the agent was frozen, what was sent became outdated.
		if (performance.now() > due) return end();
		clearTimeout(timer);
		timer = setTimeout(end, maxSilence);
		due = performance.now() + maxSilence;
		// Only after the first line, which says which leases are over.
		if (received) options.contact.heard();
	};
	let received = false;
	try {
		const stream = await options.service.work(options.connection(), signal);
		for await (const line of linesOf(stream, signal, heard)) {
			const work = agentWork.parse(JSON.parse(line));
			// If it fails, the service ends the connection after a while.
			if (work.contact) options.service.contact(signal).catch(() => {});
			options.onWork(work, !received);
			if (!received) options.onState(true);
			received = true;
			options.contact.heard();
		}
		return { received };
	} catch (error) {
		return { received, error: signal.aborted ? signal.reason : error };
	} finally {
		clearTimeout(timer);
	}
}

/** The lines that are not empty. */
async function* linesOf(
	stream: ReadableStream<Uint8Array<ArrayBuffer>>,
	signal: AbortSignal,
	onBytes: () => void,
): AsyncGenerator<string> {
	let rest = '';
	for await (const text of stream.pipeThrough(new TextDecoderStream(), { signal })) {
		onBytes();
		signal.throwIfAborted();
		const lines = (rest + text).split('\n');
		rest = lines.pop() ?? '';
		if (rest.length > maxLine) throw new Error('The service sent a line that is too long');
		yield* lines.filter((line) => line.trim() !== '');
	}
}
