// The pace at which the users and agents of a simulation work.
import { setTimeout as wait } from 'node:timers/promises';
import { summaryOf } from '../siege/report.ts';
import type { OperationName, Users } from './operations.ts';

export interface Paced {
	count: number;
	seconds: number;
	/** Milliseconds within which 50 %, and 95 %, of the responses arrived. */
	p50: number;
	p95: number;
}

interface Wanted {
	name: OperationName;
	connections: number;
	/** Until when, or how often. */
	seconds?: number;
	times?: number;
}

const forever = Number.POSITIVE_INFINITY;

/** Sends requests over a few connections as fast as responses arrive. */
export async function asFastAsPossible(
	users: Users,
	{ name, connections, seconds = forever, times: most = forever }: Wanted,
): Promise<Paced> {
	const times: number[] = [];
	const startedAt = performance.now();
	let begun = 0;
	const work = async () => {
		while (begun < most && performance.now() < startedAt + seconds * 1000) {
			begun += 1;
			times.push(await timed(users, name));
		}
	};
	await Promise.all(Array.from({ length: connections }, work));
	return paced(times, startedAt);
}

export const mostUnderWay = 500;

/** Sends requests at fixed rates, however slow the responses; skips and counts those that would pile up. */
export async function atRates(
	users: Users,
	{ rates, seconds }: { rates: Readonly<Record<OperationName, number>>; seconds: number },
) {
	// The keys of the rates are names: TypeScript widens them to strings.
	const all = (Object.entries(rates) as [OperationName, number][]).map(([name, rate]) => ({
		...{ name, rate, begun: 0 },
		times: [] as number[],
	}));
	const underWay = new Set<Promise<unknown>>();
	let leftOut = 0;
	const startedAt = performance.now();
	for (let passed = 0; passed < seconds; passed = (performance.now() - startedAt) / 1000) {
		for (const each of all) {
			for (; each.begun < Math.floor(each.rate * passed); each.begun += 1) {
				leftOut += underWay.size < mostUnderWay ? 0 : 1;
				if (underWay.size >= mostUnderWay) continue;
				const one = timed(users, each.name).then((time) => each.times.push(time));
				underWay.add(one);
				one.then(() => underWay.delete(one));
			}
		}
		await wait(5);
	}
	await Promise.all(underWay);
	const operations = all.map(({ name, times }) => ({ name, ...paced(times, startedAt) }));
	return { leftOut, operations };
}

async function timed({ operations }: Users, name: OperationName) {
	const startedAt = performance.now();
	await operations[name]();
	return performance.now() - startedAt;
}

function paced(times: number[], startedAt: number): Paced {
	const { p50, p95 } = summaryOf(times);
	return { count: times.length, seconds: (performance.now() - startedAt) / 1000, p50, p95 };
}
