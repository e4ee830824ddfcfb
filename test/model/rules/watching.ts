// Who watches a list of leases gets each change once, in order, and knows after a while what is so.
import type { LeaseChange } from 'board-access';
import type { Process } from '../simulation.ts';

/** A change that happened so long ago is known. */
const maxDelay = 40_000;

export interface Watcher {
	process: Process;
	account: string;
	/** Whether it watches what is shared with the account, by its address. */
	sharedWith: string | undefined;
	known: Map<string, LeaseChange['lease']>;
	/** The watch has failed, as far as its caller knows. */
	over: boolean;
}

/** The status of a lease, since when, and whether it belongs to the watched list since then. */
export interface Current {
	id: string;
	/** Undefined if it is not in the list. */
	status: string | undefined;
	since: number;
}

interface Needs {
	now(): number;
	violated(what: string): void;
	/** For how long nothing was wrong with a process and the services. */
	quietFor(process: Process): number;
	current(watcher: Watcher): Current[];
}

export class Watching {
	readonly #needs: Needs;
	readonly #watchers: Watcher[] = [];

	constructor(needs: Needs) {
		this.#needs = needs;
	}

	begin(watcher: Omit<Watcher, 'known' | 'over'>): Watcher {
		const begun = { ...watcher, known: new Map(), over: false };
		this.#watchers.push(begun);
		return begun;
	}

	changed({ process, known }: Watcher, change: LeaseChange) {
		const { type, lease } = change;
		const before = known.get(lease.id);
		const isNew = type === 'added';
		if (isNew !== (before === undefined))
			this.#needs.violated(`${process.name}: ${lease.id} is ${type}, and was ${before?.status}`);
		if (type === 'changed' && change.before.status !== before?.status)
			this.#needs.violated(`${process.name}: ${lease.id} changed from ${change.before.status}`);
		if (type === 'removed') known.delete(lease.id);
		else known.set(lease.id, lease);
	}

	/** Once a second. */
	watch() {
		for (const watcher of this.#watchers) {
			const { process, over } = watcher;
			if (over || !process.alive || this.#needs.quietFor(process) < maxDelay) continue;
			const wrong = this.#needs.current(watcher).find((lease) => this.#isUnknown(watcher, lease));
			if (!wrong) continue;
			watcher.over = true;
			this.#needs.violated(
				`${process.name}: ${wrong.id} is ${wrong.status}, and known as ${watcher.known.get(wrong.id)?.status}`,
			);
		}
	}

	#isUnknown({ known }: Watcher, { id, status, since }: Current) {
		return this.#needs.now() - since > maxDelay && known.get(id)?.status !== status;
	}
}
