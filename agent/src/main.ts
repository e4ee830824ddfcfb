#!/usr/bin/env node
// The command board-access-agent. Checks the version of Node first, so that the error is clear.
import { isBuiltin } from 'node:module';
import { engines } from '../package.json';

if (isBuiltin('node:sqlite')) {
	const { runProgram } = await import('./program.ts');
	await runProgram();
} else {
	const { node } = process.versions;
	console.error(`board-access-agent needs Node.js ${engines.node}; this is ${node}.`);
	process.exitCode = 1;
}
