#!/usr/bin/env node
// The command `board-access`: the only file of the command line that touches the process.
import module from 'node:module';
import { run } from './run.ts';

// Node keeps the compiled form of what is loaded from here on; not in 22.0.
module.enableCompileCache?.();

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());

// Whoever reads may stop reading: `board-access boards list | head -1` is no fault.
for (const output of [process.stdout, process.stderr]) {
	output.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
}

process.exitCode = await run(process.argv.slice(2), {
	env: process.env,
	get stdin() {
		return process.stdin;
	},
	stdout: process.stdout,
	stderr: process.stderr,
	signal: interruption.signal,
});
