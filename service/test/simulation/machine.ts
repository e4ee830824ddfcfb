// The resources that processes have used, as counted by Linux.
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

const microsecondsPerTick = 10_000;

interface Times {
	parent: number;
	own: number;
	/** Of children that have ended. */
	ended: number;
}

async function timesOf(pid: number | string): Promise<Times> {
	const text = await readFile(`/proc/${pid}/stat`, 'utf8');
	// The name before the last parenthesis may have spaces in it.
	const fields = text
		.slice(text.lastIndexOf(')') + 2)
		.split(' ')
		.map(Number);
	const [parent = 0, utime = 0, stime = 0, cutime = 0, cstime = 0] = [1, 11, 12, 13, 14].map(
		(index) => fields[index],
	);
	return {
		parent,
		own: (utime + stime) * microsecondsPerTick,
		ended: (cutime + cstime) * microsecondsPerTick,
	};
}

/** Microseconds of processor time of a process, of all threads. */
export async function processorTime(pid: number) {
	return (await timesOf(pid)).own;
}

/** The same for a process and all its children, including those that have ended. */
export async function processorTimeOfFamily(pid: number) {
	const entries = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	// A process may end while it is being read.
	const all = await Promise.all(entries.map((id) => timesOf(id).catch(() => undefined)));
	const children = all.filter((times) => times?.parent === pid);
	const { own, ended } = await timesOf(pid);
	return children.reduce((sum, times) => sum + (times?.own ?? 0), own + ended);
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
