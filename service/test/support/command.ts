// The commands of the service, in their own process or in this one.
import { spawn } from 'node:child_process';
import { format } from 'node:util';
import { inject, vi } from 'vitest';
import { runProgram } from '../../src/commands/program.ts';

/** Runs a command in this process, which is faster than starting one. Rejects as `execFile` does. */
export async function runHere(database: string, ...words: string[]) {
	const result = { code: 0, stdout: '', stderr: '' };
	const write = (name: 'stdout' | 'stderr') =>
		vi.spyOn(process[name], 'write').mockImplementation((chunk, ...rest: unknown[]) => {
			result[name] += chunk;
			for (const taken of rest) if (typeof taken === 'function') taken();
			return true;
		});
	const print = (name: 'log' | 'error', to: 'stdout' | 'stderr') =>
		vi.spyOn(console, name).mockImplementation((...values) => {
			result[to] += `${format(...values)}\n`;
		});
	const spies = [
		write('stdout'),
		write('stderr'),
		print('log', 'stdout'),
		print('error', 'stderr'),
	];
	const { argv } = process;
	vi.stubEnv('DATABASE_URL', database);
	process.argv = [process.execPath, inject('main'), ...words];
	try {
		await runProgram();
		result.code = Number(process.exitCode ?? 0);
	} finally {
		process.argv = argv;
		process.exitCode = undefined;
		vi.unstubAllEnvs();
		for (const spy of spies) spy.mockRestore();
	}
	if (result.code !== 0) throw Object.assign(new Error(result.stderr), result);
	return result;
}

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
			const found = /(?:"address":"|SERVICE_BASE_URL=)([^"\s]+)/.exec(text)?.[1];
			// The demo prints its keys after the address.
			if (found && (!words.includes('--demo') || text.includes('free tier'))) resolve(found);
		};
		child.stdout.on('data', read);
		child.stderr.on('data', read);
		exited.then(({ code }) => reject(new Error(`exit ${code}: ${text}`)));
	});
	return { url, child, exited, output: () => text };
}
