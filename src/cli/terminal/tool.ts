// A tool of the user that a command runs on its own terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { CliError } from '../failures/cli-error.ts';

/** How long a tool may take to end by itself, and after SIGTERM, in milliseconds. */
const patience = 5_000;

/** What is sent to this process is for the tool. A terminal has sent SIGINT to both. */
const passedOn = ['SIGTERM', 'SIGHUP'] as const;

/** Resolves with the exit code of the tool; of one that a signal has ended, as shells do. */
export async function runTool(
	[program = '', ...words]: readonly string[],
	env: Readonly<Record<string, string>>,
	over: AbortSignal,
): Promise<number> {
	const child = spawn(program, words, { stdio: 'inherit', env: { ...process.env, ...env } });
	const timers: NodeJS.Timeout[] = [];
	const hurry = () => {
		for (const [turn, signal] of (['SIGTERM', 'SIGKILL'] as const).entries()) {
			timers.push(setTimeout(() => child.kill(signal), patience * (turn + 1)));
		}
	};
	over.addEventListener('abort', hurry);
	const pass = (signal: NodeJS.Signals) => void child.kill(signal);
	for (const signal of passedOn) process.on(signal, pass);
	try {
		const [code, signal] = await once(child, 'exit').catch((cause) => {
			const message = `${program} cannot be run: ${cause.message}`;
			throw new CliError(message, { code: 'command_not_run', cause });
		});
		return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
	} finally {
		over.removeEventListener('abort', hurry);
		timers.forEach(clearTimeout);
		for (const signal of passedOn) process.off(signal, pass);
	}
}
