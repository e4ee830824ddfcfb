// Reads firmware in a thread, so that no file delays other requests.
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../errors.ts';
import type { FileContent, UnreadFile } from './content.ts';

/** Twenty times what the largest file needs. */
const defaults = { milliseconds: 10_000, mebibytes: 64 };
const idleMilliseconds = 10_000;

/** Threads are kept for the next files, because starting one takes longer than reading most files. */
const idle = new Set<Worker>();

export async function readInThread(
	file: UnreadFile,
	{ milliseconds, mebibytes } = defaults,
): Promise<FileContent> {
	const [worker = startThread(mebibytes)] = idle;
	idle.delete(worker);
	try {
		worker.ref();
		worker.postMessage(file);
		const [content] = await once(worker, 'message', { signal: AbortSignal.timeout(milliseconds) });
		keepIdle(worker);
		return content;
	} catch (error) {
		await worker.terminate();
		throw explain(error);
	}
}

function startThread(mebibytes: number) {
	const worker = new Worker(new URL(workerFile, import.meta.url), {
		env: {},
		execArgv: [],
		resourceLimits: { maxOldGenerationSizeMb: mebibytes },
	});
	// A thread can still fail after it was given up.
	return worker.on('error', () => {});
}

/** Not for long, because of the memory. */
function keepIdle(worker: Worker) {
	idle.add(worker);
	worker.unref();
	const end = () => idle.delete(worker) && worker.terminate();
	setTimeout(end, idleMilliseconds).unref();
}

export function invalidFirmware(message: string) {
	return new ApiError('invalid_firmware', `${message.replace(/\.$/, '')}.`);
}

function explain(error: unknown) {
	const { code, name, message } = error as NodeJS.ErrnoException;
	if (name === 'FirmwareError') return invalidFirmware(message);
	if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
		return invalidFirmware('The file needs too much memory to be read');
	}
	// The machine may be too busy.
	if (name !== 'AbortError' && code !== 'ERR_WORKER_INIT_FAILED') return error;
	return new ApiError('unavailable', 'The file was not read in time.', {
		hint: 'Upload it again later.',
	});
}

// The worker is a separate file, next to this one in the source and next to the bundle in the package.
const workerFile = `./firmware-worker${extname(import.meta.url)}`;
