// From the start of the process to the first answer, in demo mode.
import { spawn } from 'node:child_process';
import { command, median } from './server.mjs';

const once = () =>
	new Promise((resolve) => {
		const started = performance.now();
		const child = spawn(process.execPath, [command, 'start', '--demo', '--port', '0'], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		let text = '';
		child.stdout.on('data', async (chunk) => {
			text += chunk;
			const url = /"address":"([^"]+)"/.exec(text)?.[1];
			const key = /key_[0-9a-f]{48}/.exec(text)?.[0];
			if (!url || !key) return;
			child.stdout.removeAllListeners('data').resume();
			const response = await fetch(`${url}/v1/boards`, {
				headers: { authorization: `Bearer ${key}` },
			});
			await response.text();
			resolve(performance.now() - started);
			child.kill();
		});
	});

const times = [];
for (let round = 0; round < 9; round += 1) times.push(await once());
console.log(`start to first answer: ${median(times).toFixed(0)} ms`);
