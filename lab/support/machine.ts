// The resources that processes have used, as counted by Linux.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

const microsecondsPerTick = 10_000;

/** Microseconds of processor time of a process, of all threads. */
export async function processorTime(pid: number) {
	const text = await readFile(`/proc/${pid}/stat`, 'utf8');
	// The name before the last parenthesis may have spaces in it.
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
}

/** Resident memory of a process. */
export async function megabytesOf(pid: number) {
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** For how many milliseconds the first thread of a process has waited for a processor, which others used. */
export function processorWait(pid: number) {
	try {
		const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
		return Number(waited) / 1e6;
	} catch {
		// It has ended, or this is not Linux.
		return 0;
	}
}
