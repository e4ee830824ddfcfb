// The thread that reads and converts one file. What it throws rejects the file.
import { parentPort, workerData } from 'node:worker_threads';
import { convertFirmware } from './convert.ts';

parentPort?.postMessage(convertFirmware(workerData));
