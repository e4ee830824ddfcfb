// The thread that reads firmware, one file after the other. What it throws rejects the file and ends it.
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { contentOf } from './content.ts';

// Others do not wait for the processor because of it. Elsewhere, a thread has no priority of its own.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + 10, 19));

parentPort?.on('message', (file) => parentPort?.postMessage(contentOf(file)));
