// Processes that the measurements start and end.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

function here(relative: string) {
	return fileURLToPath(new URL(relative, import.meta.url));
}

/** Starts a script of this folder and returns it with its first message. */
export async function start<First>(script: string, argument?: object) {
	const child = fork(here(script), argument ? [JSON.stringify(argument)] : [], {
		execArgv: [],
		env: { ...process.env, NODE_ENV: 'production' },
	});
	return { child, first: await said<First>(child) };
}

/** The next message of a child, or an error if it ends instead. */
async function said<Message>(child: ChildProcess): Promise<Message> {
	const controller = new AbortController();
	const { signal } = controller;
	try {
		return await Promise.race([
			once(child, 'message', { signal }).then(([message]) => message as Message), // its script says which
			once(child, 'exit', { signal }).then(([code]) => {
				throw new Error(`${child.spawnargs.join(' ')} ended with ${code}`);
			}),
		]);
	} finally {
		controller.abort();
	}
}

export function ask<Reply>(child: ChildProcess, question: object): Promise<Reply> {
	const response = said<Reply>(child);
	child.send(question);
	return response;
}
