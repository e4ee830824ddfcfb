// The thread that reads and converts one file.
import { parentPort, workerData } from 'node:worker_threads';
import { FirmwareError } from 'board-access-contract/firmware';
import { type ConvertedFirmware, convertFirmware, type Target } from './convert.ts';

export interface Conversion {
	readonly bytes: Uint8Array;
	readonly target: Target;
}

export type FromConverter = ConvertedFirmware | { readonly message: string };

// The agent that starts this thread passes this.
parentPort?.postMessage(convert(workerData as Conversion));

function convert({ bytes, target }: Conversion): FromConverter {
	try {
		return convertFirmware(bytes, target);
	} catch (error) {
		if (error instanceof FirmwareError) return { message: error.message };
		throw error;
	}
}
