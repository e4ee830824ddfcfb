// A server of its own process on a database file, for the measurements.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService } from '../dist/index.js';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export const command = here('../dist/main.js');
export const bareServer = here('bare.mjs');

/** A new database file with the samples, and a key for it. */
export const seededDatabase = async () => {
	const file = join(mkdtempSync(join(tmpdir(), 'board-access-bench-')), 'boards.db');
	const service = await createService({ database: file, demo: true });
	await service.close();
	return { file, key: service.demo.apiKey };
};

/** Starts a server and answers its address once it has told its port. */
export const start = (file, ...words) =>
	new Promise((resolve) => {
		const unlimited = String(1e9);
		const child = spawn(process.execPath, words, {
			stdio: ['ignore', 'pipe', 'inherit'],
			env: {
				...process.env,
				PORT: '0',
				DATABASE_URL: file,
				RATE_LIMIT_PER_KEY: unlimited,
				RATE_LIMIT_PER_ACCOUNT: unlimited,
			},
		});
		child.stdout.once('data', (text) => {
			const [port] = /\d{4,5}(?="|\s|$)/.exec(String(text));
			child.stdout.resume();
			resolve({ child, url: `http://127.0.0.1:${port}/v1/boards` });
		});
	});

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
