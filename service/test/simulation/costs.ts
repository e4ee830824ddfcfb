// The cost of one operation of each kind, and of many together.
import type { Measurement } from './simulate.ts';

/** Microseconds of processor time, statements, and bytes of the WAL. */
export const resources = ['service', 'database', 'statements', 'wal'] as const;
export type Resource = (typeof resources)[number];
export type Cost = Record<Resource, number>;

export function costOf(amount: (resource: Resource) => number) {
	// It has all resources.
	return Object.fromEntries(resources.map((name) => [name, amount(name)])) as Cost;
}

export const nothing = costOf(() => 0);

/** The sum of these costs, each multiplied by its factor. */
export function sumOf(parts: readonly (readonly [Cost, number])[]) {
	return costOf((name) => parts.reduce((total, [cost, times]) => total + cost[name] * times, 0));
}

/** The cost of one operation of each kind, without the background of its phase. */
export function costsOf(measurements: readonly Measurement[]) {
	const perSecond = (name: string) => {
		const found = measurements.find((each) => each.name === name);
		return found ? unitCost({ ...found, count: found.seconds }, nothing) : nothing;
	};
	const noLeases = perSecond('no leases, second');
	const background = perSecond('leases, second');
	// While the first leases start, most of the background comes from the agents alone.
	const others: Record<string, Cost> = { create: noLeases, 'agent connects': nothing };
	const costs = new Map(
		measurements
			.filter(({ name }) => !/^(no )?leases, second$/.test(name))
			.map((each) => [each.name, unitCost(each, others[each.name] ?? background)]),
	);
	return { noLeases, background, costs };
}

/** In a short phase on a busy machine, the background can cost more than the operations. */
function unitCost(total: Cost & { count: number; seconds: number }, background: Cost) {
	const { count, seconds } = total;
	return costOf((name) => Math.max(0, (total[name] - background[name] * seconds) / count));
}
