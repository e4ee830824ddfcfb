// The thread that converts one file.
import { parentPort, workerData } from 'node:worker_threads';
import { convertFirmware } from './convert.ts';

parentPort?.postMessage(convertFirmware(workerData));
