#!/usr/bin/env node
// The command `board-access`: the only file of the command line that touches the process.
import module from 'node:module';
import { isAbsolute, join } from 'node:path';
import { exitCodes } from './failures/exit-codes.ts';
import { unsupportedNode } from './runtime.ts';
import type { Io, Output } from './terminal/io.ts';

const pageOpeners: Readonly<Record<string, readonly [string, ...string[]]>> = {
	darwin: ['open'],
	win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** What interrupts while a tool runs is for the tool. */
let toolIsRunning = false;

async function runTool(...given: Parameters<NonNullable<Io['runTool']>>) {
	const tool = await import('./terminal/tool.ts');
	toolIsRunning = true;
	return tool.runTool(...given).finally(() => {
		toolIsRunning = false;
	});
}

let onOutputError: ((error: NodeJS.ErrnoException) => void) | undefined;

async function openPage(url: string) {
	const { spawn } = await import('node:child_process');
	const [program, ...argv] = pageOpeners[process.platform] ?? ['xdg-open'];
	// The address is printed too, so a machine without a browser loses nothing.
	spawn(program, [...argv, url], { detached: true, stdio: 'ignore' })
		.on('error', () => {})
		.unref();
}

function deliver(text: string) {
	return new Promise<void>((resolve, reject) => {
		onOutputError = reject;
		process.stdout.write(text, (error) => {
			if (error) return reject(error);
			onOutputError = undefined;
			resolve();
		});
	});
}

function outputTo(stream: NodeJS.WriteStream): Output {
	return {
		write: (data) => stream.write(data),
		isTTY: stream.isTTY,
		get columns() {
			return stream.columns || undefined; // some terminals say 0
		},
	};
}

function createIo(signal: AbortSignal): Io {
	return {
		env: process.env,
		get stdin() {
			return process.stdin;
		},
		stdout: Object.assign(outputTo(process.stdout), { deliver }),
		stderr: outputTo(process.stderr),
		signal,
		finishWithoutOutput: (onError) => {
			onOutputError = onError;
		},
		runTool,
		openPage: (url) => void openPage(url),
	};
}

async function main() {
	const interruption = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			if (toolIsRunning) return;
			// A second Ctrl-C exits at once. A terminal that closes may send SIGHUP several times.
			const again = interruption.signal.aborted && signal !== 'SIGHUP';
			if (again) process.exit(exitCodes.interrupted);
			interruption.abort();
		});
	}
	// `board-access boards list | head -1` is not an error.
	for (const output of [process.stdout, process.stderr]) {
		output.on('error', (error: NodeJS.ErrnoException) => {
			if (onOutputError) onOutputError(error);
			else process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.general);
		});
	}
	const { run } = await import('./program.ts');
	process.exitCode = await run(process.argv.slice(2), createIo(interruption.signal));
}

// Only results go to standard output, not what the client logs with BOARD_ACCESS_LOG=debug.
console.debug = console.error;

// NO_COLOR wins. Node.js warns when both are set, from modules that are loaded below.
if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;

// Caches compiled code; Node 22.0 cannot. Not in the shared temporary directory, where others could put code.
const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
const caches = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'));
if (caches && isAbsolute(caches)) module.enableCompileCache?.(join(caches, 'board-access'));

const unsupported = unsupportedNode(process.versions.node);
if (unsupported === undefined) await main();
else {
	process.stderr.write(`error: ${unsupported}\n`);
	process.exitCode = 1;
}
