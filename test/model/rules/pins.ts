// What drives the pins of a board: what the user of its lease has set last, and nothing of an older lease.
import type { BoardSession } from '../hardware.ts';
import type { Simulation } from '../simulation.ts';

type Driven = Readonly<Record<string, number>>;

/** What was set for a lease: each voltage is set only once, so that it names its lease. */
interface Wanted {
	/** By pin; null lets it go. Undefined while it is not known whether a request has had its effect. */
	volts: Map<string, number | null | undefined>;
	/** When the last request was settled. */
	at: number;
}

/** An agent drives what a user has set within this time. */
const maxDelay = 15_000;

interface Needs {
	simulation: Simulation;
	violated(rule: string, what: string): void;
}

export class Pins {
	readonly #needs: Needs;
	readonly #leases = new Map<string, Wanted>();
	readonly #leaseOf = new Map<number, string>();
	#voltages = 0;

	constructor(needs: Needs) {
		this.#needs = needs;
	}

	/** A voltage that nobody has set before. */
	nextVoltage(lease: string) {
		const volts = ++this.#voltages / 1_000;
		this.#leaseOf.set(volts, lease);
		return volts;
	}

	/** A user sets a pin, which is confirmed or fails. */
	set(lease: string, pin: string, volts: number | null | undefined) {
		const wanted = this.#leases.get(lease) ?? { volts: new Map(), at: 0 };
		this.#leases.set(lease, wanted);
		wanted.volts.set(pin, volts);
		wanted.at = this.#needs.simulation.now;
	}

	/** After a restored backup, nobody knows what is set. */
	forgetAll() {
		this.#leases.clear();
	}

	forget(lease: string) {
		this.#leases.delete(lease);
		for (const [volts, owner] of this.#leaseOf) if (owner === lease) this.#leaseOf.delete(volts);
	}

	/** An agent drives the pins of the board that it has open for a lease. */
	driven({ board, driven }: BoardSession, lease: string | undefined) {
		for (const [pin, volts] of Object.entries(driven)) {
			const owner = this.#leaseOf.get(volts);
			if (owner === lease) continue;
			this.#needs.violated(
				'nothing of an old lease',
				`${pin} of ${board} is driven for ${owner}, and ${lease} has the board`,
			);
		}
	}

	/** Looked at while nothing is wrong with the board's agent, for so long. */
	check(lease: string, { driven }: { driven: Driven }, quiet: number) {
		const wanted = this.#leases.get(lease);
		if (!wanted) return;
		const waited = Math.min(quiet - 2 * maxDelay, this.#needs.simulation.now - wanted.at);
		if (waited < maxDelay) return;
		for (const [pin, volts] of wanted.volts) {
			if (volts === undefined || (driven[pin] ?? null) === volts) continue;
			this.#leases.delete(lease);
			this.#needs.violated(
				'nothing is lost',
				`${pin} of ${lease} is driven by ${driven[pin]} V, and ${volts} V were confirmed`,
			);
		}
	}
}
