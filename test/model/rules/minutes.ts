// A lease lasts the minutes that really pass, whatever wall clocks show.
import type { Row } from '../database.ts';
import type { Simulation } from '../simulation.ts';

const seconds = 1_000;
/** The service's time runs at most this much faster or slower while it follows a wall clock. */
const maxSlew = 1 / 2_000;
/** After a pause, a service waits for so long before it ends leases. */
const maxPatience = 120 * seconds;

export class Minutes {
	readonly #simulation: Simulation;
	/** When each active lease ends, and since when that holds, in virtual time. */
	readonly #ends = new Map<string, { since: number; end: number }>();

	constructor(simulation: Simulation) {
		this.#simulation = simulation;
	}

	/** The end of an active lease has changed. */
	changed({ id, expires_at }: Row) {
		const { now: since } = this.#simulation;
		this.#ends.set(String(id), { since, end: this.#simulation.timeOf(String(expires_at)) });
	}

	forget(id: string) {
		this.#ends.delete(id);
	}

	isTooSoon(id: string) {
		const { since, end } = this.#ends.get(id) ?? { since: 0, end: 0 };
		return this.#simulation.now < end - (end - since) * maxSlew - seconds;
	}

	isTooLate(id: string) {
		const { since, end } = this.#ends.get(id) ?? { since: 0, end: Number.POSITIVE_INFINITY };
		return this.#simulation.now > end + (end - since) * maxSlew + maxPatience;
	}
}
