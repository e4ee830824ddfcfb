// The thread that reads firmware, one file after the other.
import { parentPort } from 'node:worker_threads';
import { FirmwareError } from 'board-access-contract/firmware';
import { contentOf, type FileContent, type UnreadFile } from './content.ts';

export type FromThread = FileContent | { message: string };

parentPort?.on('message', (file) => parentPort?.postMessage(read(file)));

function read(file: UnreadFile): FromThread {
	try {
		return contentOf(file);
	} catch (error) {
		if (error instanceof FirmwareError) return { message: error.message };
		throw error;
	}
}
