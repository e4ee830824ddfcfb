// Follows the desired state of the boards: NDJSON, with a new connection after every loss.
import { agentWork } from 'board-access-contract';
import type * as z from 'zod/mini';
import { backoff } from '../backoff.ts';
import type { AgentLog } from '../log.ts';
import { messageOf } from '../printable.ts';
import { wait } from '../time.ts';
import type { Service } from './service.ts';

export type Work = z.output<typeof agentWork>;
export type WantedBoard = Work['boards'][number];
export type WantedLease = NonNullable<WantedBoard['lease']>;

export interface WorkOptions {
	readonly service: Service;
	readonly query: Record<string, string>;
	readonly log: AgentLog;
	readonly signal: AbortSignal;
	/** Called with each line, and whether it is the first of its connection. */
	onWork(work: Work, first: boolean): void;
	onState(connected: boolean): void;
}

/** The service sends an empty line at least every 5 seconds. */
const longestSilence = 15_000;

/** A shorter one was replaced by that of another agent, or the service is stopping. */
const shortestConnection = 1_000;
const endedAtOnce = 'The service ended the connection at once. Does another agent use this token?';

/** A line with the input and actions of many boards is far smaller. */
const longestLine = 64 * 1024 * 1024;

export async function followWork(options: WorkOptions): Promise<void> {
	const { log, signal } = options;
	let lastReason = '';
	for (let attempt = 0; !signal.aborted; attempt++) {
		const startedAt = performance.now();
		try {
			const received = await followOnce(options);
			// The service ends every connection after a while: a new one shows that the agent is alive.
			if (received) attempt = 0;
			else options.onState(false);
			const reason = performance.now() - startedAt < shortestConnection ? endedAtOnce : '';
			if (!signal.aborted && reason && reason !== lastReason) log.warn({}, reason);
			lastReason = reason;
		} catch (error) {
			const reason = messageOf(error);
			if (!signal.aborted && reason !== lastReason)
				log.warn({ reason }, 'The service is not reachable');
			lastReason = reason;
			options.onState(false);
		}
		await wait(backoff(attempt), signal).catch(() => {});
	}
	options.onState(false);
}

/** Follows one connection to its end. Returns whether anything was received. */
async function followOnce(options: WorkOptions): Promise<boolean> {
	const silence = new AbortController();
	const signal = AbortSignal.any([options.signal, silence.signal]);
	const end = () => silence.abort(new Error('The service is silent'));
	const timer = setTimeout(end, longestSilence);
	try {
		const stream = await options.service.work(options.query, signal);
		let first = true;
		for await (const line of linesOf(stream, signal, () => timer.refresh())) {
			options.onWork(agentWork.parse(JSON.parse(line)), first);
			if (first) options.onState(true);
			first = false;
		}
		return !first;
	} finally {
		clearTimeout(timer);
	}
}

/** The lines that are not empty. Ends with the stream, or rejects when the signal is aborted. */
async function* linesOf(
	stream: ReadableStream<Uint8Array>,
	signal: AbortSignal,
	onBytes: () => void,
): AsyncGenerator<string> {
	const reader = stream.getReader();
	// Ends the pending read, even of a stream that does not know the signal.
	const cancel = () => void reader.cancel().catch(() => {});
	signal.addEventListener('abort', cancel, { once: true });
	const decoder = new TextDecoder();
	let rest = '';
	try {
		for (;;) {
			const { done, value } = await reader.read();
			signal.throwIfAborted();
			if (done) return;
			onBytes();
			const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
			rest = lines.pop() ?? '';
			if (rest.length > longestLine) throw new Error('The service sent a line that is too long');
			yield* lines.filter((line) => line.trim() !== '');
		}
	} finally {
		signal.removeEventListener('abort', cancel);
		cancel();
	}
}
