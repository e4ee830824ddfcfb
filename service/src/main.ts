#!/usr/bin/env node
// The command board-access-service. An older Node could not even load the rest.
import module, { isBuiltin } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { engines } from '../package.json';

// Node caches the compiled form of what is loaded from here on. Not in the shared temporary directory, which
// is its default: another user of the machine could put code there.
const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
const caches = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'));
if (caches && isAbsolute(caches)) module.enableCompileCache?.(join(caches, 'board-access'));

if (isBuiltin('node:sqlite')) {
	const { runProgram } = await import('./commands/program.ts');
	await runProgram();
} else {
	const { node } = process.versions;
	console.error(`board-access-service needs Node.js ${engines.node}; this is ${node}.`);
	process.exitCode = 1;
}
