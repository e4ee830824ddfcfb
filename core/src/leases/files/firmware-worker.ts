// The thread that reads firmware. An error rejects the file and ends the thread.
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { contentOf } from './content.ts';

// Lets others have the processor first. Only Linux has a priority for each thread.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + 10, 19));

parentPort?.on('message', (file) => parentPort?.postMessage(contentOf(file)));
