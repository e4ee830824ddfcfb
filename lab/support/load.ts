// Load from another process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Load {
	url: string;
	/** Each connection sends them in turn; without any, it is open and silent. */
	requests: LoadRequest[];
	connections: number;
	/** Sends this many requests at once, and never reads. */
	unread?: number;
}

export interface LoadRequest {
	/** With `{number}` and `{address}` in place of those that change with each request. */
	head: string;
	form?: string;
	body?: Buffer;
}

/** How many requests were sent, and how many responses had each status. */
export interface Sent {
	requests: number;
	statuses: Record<string, number>;
}

/** Starts the loads; `stop` ends them. */
export function startLoad(loads: readonly Load[]) {
	const script = fileURLToPath(new URL('./load-child.ts', import.meta.url));
	const child = fork(script, [], { execArgv: [], serialization: 'advanced' });
	child.send(loads);
	const begun = once(child, 'message');
	return {
		begun,
		async stop(): Promise<Sent> {
			await begun;
			const exited = once(child, 'exit');
			child.send('stop');
			const [sent] = await once(child, 'message');
			await exited;
			return sent;
		},
	};
}
