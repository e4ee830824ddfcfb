// The service in its own process.
import { spawn } from 'node:child_process';
import { inject } from 'vitest';

/** Starts the command and waits until it listens. */
export async function startCommand(words: string[], env: Record<string, string> = {}) {
	const child = spawn(process.execPath, [inject('main'), ...words], {
		env: { PATH: process.env.PATH ?? '', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let text = '';
	const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
		child.once('exit', (code, signal) => resolve({ code, signal }));
	});
	const url = await new Promise<string>((resolve, reject) => {
		const read = (chunk: Buffer) => {
			text += chunk;
			const found = /"address":"([^"]+)"/.exec(text)?.[1];
			// The demo prints its keys after the address.
			if (found && (!words.includes('--demo') || text.includes('free tier'))) resolve(found);
		};
		child.stdout.on('data', read);
		child.stderr.on('data', read);
		exited.then(({ code }) => reject(new Error(`exit ${code}: ${text}`)));
	});
	return { url, child, exited, output: () => text };
}
