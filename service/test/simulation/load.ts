// The process of the simulated agents and users.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { OperationName } from './operations.ts';
import type { Population } from './population.ts';

export type LoadTask =
	| { kind: 'open'; population: Population; reportBytes: number }
	| { kind: 'connect'; origins: string[] }
	| { kind: 'repeat'; name: OperationName; connections: number; seconds?: number; times?: number }
	| { kind: 'mix'; rates: Partial<Record<OperationName, number>>; seconds: number }
	| { kind: 'hold'; what: 'wait' | 'read'; count: number }
	| { kind: 'let go' }
	| { kind: 'state' };

export interface Paced {
	operations: number;
	seconds: number;
	/** Milliseconds within which 50 %, and 95 %, of the responses arrived. */
	p50: number;
	p95: number;
}

export interface Mixed {
	/** Requests that were not sent, because too many were in progress. */
	leftOut: number;
	operations: Partial<Record<OperationName, Paced>>;
}

export interface LoadState {
	/** Connections of agents since the start, the lines on them, and the boards in these. */
	connections: number;
	lines: number;
	boards: number;
	actions: number;
	/** Connections of agents that failed and were retried. */
	retries: number;
	/** Other requests that the service rejected as overloaded and that were retried. */
	rejections: number;
	/** Leases that the users hold, and that the agents have been sent. */
	held: number;
	known: number;
	/** Console bytes that the service has confirmed. */
	consoleBytes: number;
}

interface Results {
	open: undefined;
	connect: undefined;
	repeat: Paced;
	mix: Mixed;
	hold: undefined;
	'let go': number;
	state: LoadState;
}

export function startLoad() {
	const script = fileURLToPath(new URL('./load-child.ts', import.meta.url));
	const child = fork(script, [], { execArgv: [], serialization: 'advanced' });
	const ended = once(child, 'exit');
	return {
		/** Runs tasks one after the other. */
		async ask<Kind extends LoadTask['kind']>(task: Extract<LoadTask, { kind: Kind }>) {
			child.send(task);
			const lost = ended.then(() => [{ failure: 'The load process ended' }]);
			const [reply] = await Promise.race([once(child, 'message'), lost]);
			if (reply.failure) throw new Error(reply.failure);
			// The child responds to each kind of task with its kind of result.
			return reply.result as Results[Kind];
		},
		async stop() {
			if (child.connected) child.disconnect();
			await ended;
		},
	};
}

export type Load = ReturnType<typeof startLoad>;
