// wrk, where it is installed: it sends the same requests with a fraction of the processor time that
// JavaScript needs, so that the server has a core for itself.
import { run } from '../child.ts';
import { credentialOf } from './credential.ts';
import type { Load, LoadTask } from './load.ts';

export async function hasWrk() {
	try {
		await run('which', ['wrk']);
		return true;
	} catch {
		return false;
	}
}

/** Requests one address for some seconds. */
export async function loadWithWrk(task: LoadTask): Promise<Load> {
	const { urls, connections, seconds = 1 } = task;
	const duration = Math.max(1, Math.round(seconds));
	const argv = ['-t1', `-c${connections}`, `-d${duration}s`, '--latency'];
	const { stdout } = await run('wrk', [...argv, '-H', credentialOf(task), urls[0] ?? '']);
	if (/Non-2xx/.test(stdout)) throw new Error(stdout);
	const [, requests, took] = /(\d+) requests in ([\d.]+m?s)/.exec(stdout) ?? [];
	const share = (name: string) =>
		milliseconds(new RegExp(`${name}\\s+([\\d.]+[mu]?s)`).exec(stdout)?.[1]);
	return {
		requests: Number(requests),
		seconds: milliseconds(took) / 1000,
		median: share('50%'),
		p99: share('99%'),
	};
}

function milliseconds(text = '') {
	const factor = text.endsWith('us') ? 0.001 : text.endsWith('ms') ? 1 : 1000;
	return Number.parseFloat(text) * factor;
}
