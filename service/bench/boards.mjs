// GET /v1/boards with a key: the service against a bare server, in turns.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService } from '../dist/index.js';
import { requestsPerSecond } from './load.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const file = join(mkdtempSync(join(tmpdir(), 'bench-')), 'boards.db');
const seed = await createService({ database: file, demo: true });
const key = seed.demo.apiKey;
await seed.close();

const start = (...args) =>
	new Promise((resolve) => {
		const child = spawn(process.execPath, args, {
			stdio: ['ignore', 'pipe', 'inherit'],
			env: {
				...process.env,
				PORT: '0',
				DATABASE_URL: file,
				RATE_LIMIT_PER_KEY: '1000000000',
				RATE_LIMIT_PER_ACCOUNT: '1000000000',
			},
		});
		child.stdout.once('data', (text) => {
			const port = /(\d{4,5})(?:"|\s)/.exec(String(text))[1];
			child.stdout.resume();
			resolve({ child, url: `http://127.0.0.1:${port}/v1/boards` });
		});
	});

const bare = await start(here('bare.mjs'), file);
const service = await start(here('../dist/main.js'), 'start');
const ratios = [];
for (let round = 0; round < 5; round += 1) {
	const theirs = await requestsPerSecond(bare.url, key);
	const ours = await requestsPerSecond(service.url, key);
	ratios.push(ours / theirs);
	console.log(
		`bare ${theirs.toFixed(0)}/s, service ${ours.toFixed(0)}/s, ratio ${(ours / theirs).toFixed(2)}`,
	);
}
console.log('median ratio', ratios.sort()[2].toFixed(2));
bare.child.kill();
service.child.kill();
