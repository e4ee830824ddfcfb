// Converts firmware in a thread, so that no file can block the agent.
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Conversion, convertFirmware } from './convert.ts';

const maxConversion = 10_000;

const resourceLimits = { maxOldGenerationSizeMb: 128 };

export async function convertInThread(
	workerData: Conversion,
	signal: AbortSignal,
): Promise<ReturnType<typeof convertFirmware>> {
	const options = { workerData, resourceLimits, env: {}, execArgv: [] };
	const worker = new Worker(new URL(workerFile, import.meta.url), options);
	worker.on('error', () => {}); // it may fail after it was given up
	const limit = AbortSignal.timeout(maxConversion);
	try {
		const ended = { signal: AbortSignal.any([signal, limit]) };
		const [converted] = await once(worker, 'message', ended);
		return converted;
	} catch (cause) {
		if (!limit.aborted) throw cause;
		throw new Error(`The file was not read within ${maxConversion / 1000} seconds`, { cause });
	} finally {
		await worker.terminate();
	}
}

// Next to this file in the source, and next to the bundle in the package.
const workerFile = `./convert-worker${extname(import.meta.url)}`;
