// Log lines are written in batches: in order, and without losing any, no matter how the process ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createLog } from '../src/log.ts';

const child = fileURLToPath(new URL('./support/log-child.ts', import.meta.url));

async function linesUntil(end: string) {
	const { stdout } = spawn(process.execPath, [child, end], { stdio: ['ignore', 'pipe', 'ignore'] });
	let text = '';
	stdout.on('data', (chunk) => {
		text += chunk;
	});
	await once(stdout, 'close');
	return parse(text);
}

function parse(text: string): { line?: number; request?: string; msg?: string }[] {
	const lines = text.split('\n').filter((line) => line.startsWith('{'));
	return lines.map((line) => JSON.parse(line));
}

const counted = Array.from({ length: 1_000 }, (_, line) => ({ line }));

test.each([
	['ends', 'end'],
	['throws an uncaught error', 'crash'],
	['has an unhandled rejection', 'reject'],
	['calls process.exit', 'exit'],
])('all lines arrive in order when the process %s', { tags: 'long' }, async (_how, end) => {
	expect(await linesUntil(end)).toMatchObject(counted);
});

test('many logs of a process wait for its end together', () => {
	createLog('info');
	const listeners = process.listenerCount('exit');
	for (let count = 0; count < 20; count += 1) createLog('info');
	expect(process.listenerCount('exit')).toBe(listeners);
});

test('an error and all lines before it are written at once', async () => {
	expect(await linesUntil('error')).toMatchObject([...counted, { msg: 'Broken' }]);
});
