// How large the simulations are, and how fast the users and agents in them work.
import type { OperationName } from './operations.ts';
import type { Size } from './population.ts';

const fullSize = { boards: 100_000, leases: 10_000, agents: 500, seconds: 15 };

/** A plan for each database; the one for a single process on SQLite is a tenth of the size. */
export function planOf(wanted: Partial<Size & { seconds: number }>) {
	const { seconds, ...size } = { ...fullSize, ...wanted };
	const tenth = {
		boards: Math.ceil(size.boards / 10),
		leases: Math.ceil(size.leases / 10),
		agents: Math.ceil(size.agents / 10),
	};
	return { PostgreSQL: planFor(size, seconds, 2), SQLite: planFor(tenth, seconds, 1) };
}

export type Plan = ReturnType<typeof planFor>;

export const renewEverySeconds = 40;
const reportsPerLease = 1 / 50;

function planFor(size: Size, seconds: number, replicas: number) {
	/** Operations of each kind in a second, when all run together. */
	const rates: Record<OperationName, number> = {
		renew: size.leases / renewEverySeconds,
		'console report': size.leases * reportsPerLease,
		'list boards': size.leases / 500,
		'read lease': size.leases / 500,
		create: size.leases / 5_000,
		release: size.leases / 5_000,
	};
	return {
		...size,
		/** How long each kind of operation is measured, and all of them together. */
		seconds,
		mixedSeconds: Math.max(seconds * 2, 4),
		rates,
		/** Connections that send one request after the other. */
		connections: Math.min(8, size.leases),
		/** Requests that wait for a lease, and readers of consoles. */
		waiting: Math.min(1_000, size.leases),
		/** After one replica, the mix is measured with this many. */
		replicas,
	};
}
