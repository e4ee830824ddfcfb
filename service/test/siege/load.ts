// Load from another process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Load {
	url: string;
	/** With `{n}` in place of a number that changes with each request. */
	paths: string[];
	connections: number;
	/** Header lines; a page gets all but the Authorization, and the API gets only that. */
	headers: string[];
}

/** Starts the load; `stop` ends it and returns how many requests were sent. */
export function startLoad(load: Load) {
	const script = fileURLToPath(new URL('./load-child.ts', import.meta.url));
	const child = fork(script, [JSON.stringify(load)], { execArgv: [] });
	return {
		async stop() {
			const exited = once(child, 'exit');
			child.send('stop');
			const [sent] = await once(child, 'message');
			await exited;
			return Number(sent);
		},
	};
}
