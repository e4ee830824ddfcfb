#!/usr/bin/env node

// src/main.ts
import { isBuiltin } from 'node:module';
import { engines } from './chunk-OVX2FLYL.js';

if (isBuiltin('node:sqlite')) {
	const { runProgram } = await import('./program-ORBJFQTX.js');
	await runProgram();
} else {
	const { node } = process.versions;
	console.error(`board-access-service needs Node.js ${engines.node}; this is ${node}.`);
	process.exitCode = 1;
}
