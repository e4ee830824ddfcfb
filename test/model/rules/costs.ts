// What a lease may cost, from what happened in virtual time, and not from what the service has written down.
import type { Row } from '../database.ts';
import type { Simulation } from '../simulation.ts';
import type { Troubles } from '../troubles.ts';

const minute = 60_000;

/** Two looks at the clock for one moment may differ by this, in milliseconds. */
const tolerance = 50;
/** The time of the services may run so much faster or slower while it follows a wall clock. */
const maxSlew = 1 / 2_000;

/** A service stores once a second when its agents were heard, and may be about to. */
const storedAfter = 3_000;

interface Use {
	row: Row;
	/** When the minutes began, in virtual time. */
	activeAt: number | undefined;
	/** A restored backup knows older contacts. */
	restored: boolean;
}

export class Costs {
	readonly #simulation: Simulation;
	readonly #troubles: Troubles;
	/** When a service heard each agent last. */
	readonly #heardAt = new Map<string, number>();

	constructor(simulation: Simulation, troubles: Troubles) {
		this.#simulation = simulation;
		this.#troubles = troubles;
	}

	/** A service handles a request of the agent. */
	heard(agent: string) {
		this.#heardAt.set(agent, this.#simulation.now);
	}

	/** The least and the most that a lease may cost that ends now, for this reason. */
	bounds({ row, activeAt, restored }: Use, reason: string | null): [number, number] {
		if (activeAt === undefined || reason === 'prepare_failed') return [0, 0];
		const { now } = this.#simulation;
		const used = Math.min(now, this.#simulation.timeOf(String(row.expires_at)));
		if (reason !== 'agent_lost')
			return costBetween(row, { from: activeAt, least: used, most: used });
		const heardAt = this.#heardAt.get(this.#troubles.agentOf(String(row.board_id))) ?? activeAt;
		// A service that was stopped meanwhile has stored no contact.
		const isStored = !restored && this.#troubles.servicesQuietFor() > now - heardAt + storedAfter;
		const least = isStored ? heardAt - storedAfter : activeAt;
		return costBetween(row, { from: activeAt, least, most: Math.min(used, heardAt) });
	}
}

function costBetween(
	row: Row,
	{ from, least, most }: { from: number; least: number; most: number },
): [number, number] {
	const cost = (milliseconds: number) =>
		Math.min(
			Number(row.held_credits),
			Number(row.credits_per_minute) * Math.ceil(Math.max(0, milliseconds) / minute),
		);
	return [
		cost((Math.min(least, most) - from) * (1 - maxSlew) - tolerance),
		cost((most - from) * (1 + maxSlew) + tolerance),
	];
}
