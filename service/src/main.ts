#!/usr/bin/env node
// The command board-access-service. An older Node could not even load the rest.
import { isBuiltin } from 'node:module';
import { engines } from '../package.json';

if (isBuiltin('node:sqlite')) {
	const { runProgram } = await import('./commands/program.ts');
	await runProgram();
} else {
	const { node } = process.versions;
	console.error(`board-access-service needs Node.js ${engines.node}; this is ${node}.`);
	process.exitCode = 1;
}
