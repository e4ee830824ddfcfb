// Runs a tool without a shell, in its own process group, for a limited time.
import { type ChildProcess, spawn } from 'node:child_process';
import { addAbortListener } from 'node:events';
import { basename } from 'node:path';
import { BoardError, printable } from '../errors.ts';
import { watchProgress } from './progress.ts';
import { guardGroup, kill, markName } from './survivors.ts';

interface CommandOptions {
	readonly folder: string;
	readonly timeout: number;
	readonly signal: AbortSignal;
	readonly mark: string;
	readonly onProgress?: ((percent: number) => void) | undefined;
}

/** Time between SIGTERM and SIGKILL, in milliseconds. */
const grace = 1_000;

/** How long to read the output of an ended tool, which other processes may keep open, in milliseconds. */
const maxDrain = 200;

const tailSize = 4 * 1024;

/** What tools print when the flash differs from what they wrote. */
const verifyFailed =
	/verif\w{0,10}[^\w\n].{0,20}(error|fail|mismatch)|(fail|did not).{0,10} verif|not match/i;

/** The environment of tools, without the token of the agent. */
const { BOARD_ACCESS_AGENT_TOKEN: _, ...environment } = process.env;

/** Runs the command and returns the end of its output. Throws when it fails, hangs or is aborted. */
export async function runCommand(
	command: readonly string[],
	{ folder, timeout, signal, mark, onProgress }: CommandOptions,
): Promise<string> {
	signal.throwIfAborted();
	const tool = startTool(command, { folder, mark });
	if (onProgress) {
		const createReader = watchProgress(onProgress);
		for (const stream of [tool.child.stdout, tool.child.stderr]) stream?.on('data', createReader());
	}
	let stopped: string | undefined;
	const stop = (reason: string) => {
		stopped ??= reason;
		tool.stop();
	};
	const late = `took longer than ${timeout / 1000} seconds`;
	const timer = setTimeout(stop, timeout, late);
	using _ = addAbortListener(signal, () => stop('was stopped'));
	const ending = await tool.ended.finally(() => clearTimeout(timer));
	const failure = stopped ?? ending;
	const output = tool.tail();
	if (failure === undefined) return output;
	const message = tool.report(failure);
	if (stopped === late) throw new BoardError('timeout', message);
	throw verifyFailed.test(output) ? new BoardError('verify_failed', message) : new Error(message);
}

/** Starts a tool. When it has ended, no process of it uses the board any more. */
export function startTool(
	[command = '', ...args]: readonly string[],
	{ folder, mark }: Pick<CommandOptions, 'folder' | 'mark'>,
) {
	const child = spawn(command, args, {
		cwd: folder,
		env: { ...environment, [markName]: mark },
		detached: true,
		shell: false,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const tail = keepTail(child);
	const guard = child.pid === undefined ? undefined : guardGroup(child.pid);
	let timer: NodeJS.Timeout | undefined;
	let isOver = false;
	return {
		child,
		tail,
		/** Resolves with the reason if it has failed. */
		ended: ended(child).finally(() => {
			isOver = true;
			clearTimeout(timer);
			signalGroup(child, 'SIGKILL');
			guard?.dispose();
		}),
		stop() {
			if (timer || isOver) return;
			signalGroup(child, 'SIGTERM');
			timer = setTimeout(signalGroup, grace, child, 'SIGKILL');
		},
		report: (failure: string) =>
			[`${basename(command)} ${failure}`, tail()].filter(Boolean).join(':\n'),
	};
}

function keepTail(child: ChildProcess): () => string {
	let tail = Buffer.alloc(0);
	const keep = (bytes: Buffer) => {
		tail = Buffer.concat([tail, bytes]).subarray(-tailSize);
	};
	child.stdout?.on('data', keep);
	child.stderr?.on('data', keep);
	return () => printable(tail.toString('utf8'));
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
	if (pid !== undefined) kill(-pid, signal);
}

/** Resolves when the tool and its output have ended, with the reason if it failed. */
function ended(child: ChildProcess): Promise<string | undefined> {
	const { promise, resolve } = Promise.withResolvers<string | undefined>();
	child.once('error', (error: NodeJS.ErrnoException) => {
		resolve(error.code === 'ENOENT' ? 'is not installed' : `cannot be started: ${error.message}`);
	});
	child.once('exit', () => {
		signalGroup(child, 'SIGKILL');
		const streams = [child.stdout, child.stderr];
		setTimeout(() => streams.forEach((stream) => void stream?.destroy()), maxDrain);
	});
	child.once('close', (code, signal) => {
		const reason = signal ? `was terminated by ${signal}` : `exited with code ${code}`;
		resolve(code === 0 ? undefined : reason);
	});
	return promise;
}
