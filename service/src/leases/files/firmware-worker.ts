// The thread that reads firmware, one file after the other. What it throws rejects the file and ends it.
import { parentPort } from 'node:worker_threads';
import { contentOf } from './content.ts';

parentPort?.on('message', (file) => parentPort?.postMessage(contentOf(file)));
