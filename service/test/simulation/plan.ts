// How large the simulations are, and how fast the users and agents in them work.
import type { Size } from './population.ts';
import type { Plan } from './simulate.ts';

const fullSize = { boards: 100_000, leases: 10_000, agents: 500, seconds: 15 };

/** A plan for each database; the one for a single process on SQLite is a tenth of the size. */
export function planOf(wanted: Partial<Size & { seconds: number }>) {
	const { seconds, ...size } = { ...fullSize, ...wanted };
	const tenth = {
		boards: Math.ceil(size.boards / 10),
		leases: Math.ceil(size.leases / 10),
		agents: Math.ceil(size.agents / 10),
	};
	return {
		PostgreSQL: { ...planFor(size, seconds), replicas: 2 },
		SQLite: { ...planFor(tenth, seconds), replicas: 1 },
	};
}

export const renewEverySeconds = 40;
const reportsPerLease = 1 / 50;

function planFor(size: Size, seconds: number): Omit<Plan, 'replicas'> {
	return {
		...size,
		seconds,
		connections: Math.min(8, size.leases),
		waiting: 1_000,
		reportBytes: 100,
		mixedSeconds: Math.max(seconds * 2, 4),
		rates: {
			renew: size.leases / renewEverySeconds,
			'console report': size.leases * reportsPerLease,
			'list boards': size.leases / 500,
			'read lease': size.leases / 500,
			create: size.leases / 5_000,
			release: size.leases / 5_000,
		},
	};
}
