// The cost of one operation of each kind, and of many together.
import type { Cost, Measurement } from './simulate.ts';

/** The cost of one operation of each kind, without the background of its phase. */
export function costsOf(measurements: readonly Measurement[]) {
	const find = (name: string) => measurements.find((each) => each.name === name);
	const noLeases = perSecond(find('no leases, second'));
	const background = perSecond(find('leases, second'));
	const costs = new Map<string, UnitCost>();
	for (const each of measurements) {
		if (each.name === 'no leases, second' || each.name === 'leases, second') continue;
		// While the first leases start, most of the background comes from the agents alone.
		const under = each.name === 'create' || each.name === 'agent connects' ? noLeases : background;
		costs.set(each.name, unitCost(each, each.name === 'agent connects' ? nothing : under));
	}
	return { noLeases, background, costs };
}

export interface UnitCost {
	service: number;
	database: number;
	statements: number;
	wal: number;
}

export const nothing: UnitCost = { service: 0, database: 0, statements: 0, wal: 0 };

function perSecond(cost: Cost | undefined): UnitCost {
	return cost ? unitCost({ ...cost, count: cost.seconds }, nothing) : nothing;
}

function unitCost(total: Cost & { count: number }, background: UnitCost): UnitCost {
	const { count, seconds } = total;
	const each = (all: number, aside: number) => Math.max(0, (all - aside * seconds) / count);
	return {
		service: each(total.serviceMicroseconds, background.service),
		database: each(total.databaseMicroseconds, background.database),
		statements: each(total.statements, background.statements),
		wal: each(total.walBytes, background.wal),
	};
}

/** The sum of these costs, each multiplied by its factor. */
export function sumOf(parts: readonly (readonly [UnitCost, number])[]): UnitCost {
	const sum = (name: keyof UnitCost) =>
		parts.reduce((total, [cost, times]) => total + cost[name] * times, 0);
	return {
		service: sum('service'),
		database: sum('database'),
		statements: sum('statements'),
		wal: sum('wal'),
	};
}
