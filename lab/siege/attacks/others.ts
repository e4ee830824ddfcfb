// What the others feel: one account that uses the service as on every day, at a steady pace.
import { setTimeout as wait } from 'node:timers/promises';
import { summaryOf } from '../../support/figures.ts';
import { processorWait } from '../../support/machine.ts';
import { open, send } from '../../support/send.ts';
import type { Lab } from './tenants.ts';

const perSecond = 20;

/** Starts requests whether or not those before have their responses, so that a standstill delays them all. */
export async function feel(lab: Lab, seconds: number) {
	const user = await openUser(lab);
	const times: number[] = [];
	const one = async (request: () => Promise<unknown>) => {
		times.push(await timed(lab, request));
	};
	const started: Promise<void>[] = [];
	const startedAt = performance.now();
	for (let count = 0; count < seconds * perSecond; count += 1) {
		await wait(Math.max(0, startedAt + (count * 1000) / perSecond - performance.now()));
		const request = user.requests[count % user.requests.length];
		if (request) started.push(one(request));
	}
	await Promise.all(started);
	user.close();
	return summaryOf(times);
}

/** How long it takes, without the time for which the service had no processor; NaN if it fails. */
export async function timed({ service: { pid } }: Lab, work: () => Promise<unknown>) {
	const clock = () => performance.now() - processorWait(pid);
	const startedAt = clock();
	try {
		await work();
		return Math.max(0, clock() - startedAt);
	} catch {
		return Number.NaN;
	}
}

async function openUser({ service: { url: origin }, victim }: Lab) {
	const { key: token, leaseId } = victim;
	const lease = `/v1/leases/${leaseId}`;
	const console = await openConsole(origin, victim);
	const patience = () => ({ signal: AbortSignal.timeout(30_000) });
	const requests = [
		async () => {
			// On a connection of its own, as a program that starts.
			const headers = { authorization: `Bearer ${token}`, connection: 'close' };
			const response = await fetch(`${origin}/v1/boards?limit=20`, { headers, ...patience() });
			if (!(await response.text()).includes('brd_')) throw new Error(`${response.status}`);
		},
		() => send({ origin, token, path: lease, ...patience() }),
		() => {
			const body = { minutes: 60 };
			return send({ origin, token, path: `${lease}/renew`, method: 'POST', body, ...patience() });
		},
		async () => {
			const reading = new AbortController();
			const signal = AbortSignal.any([reading.signal, patience().signal]);
			const response = await open({ origin, token, path: `${lease}/console`, signal });
			for await (const chunk of response) {
				if (!chunk.includes('Hello')) throw new Error('The output begins otherwise');
				break;
			}
			reading.abort();
		},
		() => console.echo(patience().signal),
	];
	return { requests, close: console.close };
}

/** A console that is being read, to see when what is typed comes back. */
async function openConsole(origin: string, { key: token, leaseId }: Lab['victim']) {
	const end = new AbortController();
	const path = `/v1/leases/${leaseId}/console`;
	const response = await open({ origin, token, path, signal: end.signal });
	const waiting = new Map<string, () => void>();
	let text = '';
	response.on('error', () => {});
	response.on('data', (chunk) => {
		const lines = `${text}${chunk}`.split('\r\n');
		text = lines.pop() ?? '';
		for (const line of lines) waiting.get(line)?.();
	});
	let typed = 0;
	return {
		async echo(signal: AbortSignal) {
			typed += 1;
			const line = `K${performance.now().toFixed(0)}N${typed}`;
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			waiting.set(line, resolve);
			signal.addEventListener('abort', () => reject(signal.reason), { once: true });
			const body = Buffer.from(`${line}\r`);
			await Promise.all([promise, send({ origin, token, path, method: 'POST', body, signal })]);
		},
		close: () => end.abort(),
	};
}
