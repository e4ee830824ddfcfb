#!/usr/bin/env node
// Starts the built command. npm links only a file that exists when it installs, so this one is
// committed.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);

if (existsSync(main)) {
	await import(main.href);
} else {
	console.error('The command board-access-agent is not built yet. Run: npm run build');
	process.exitCode = 1;
}
