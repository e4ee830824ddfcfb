// Who sees a lease, and who types: what a colleague may do follows from what the holder has confirmed.
import type { Simulation } from '../simulation.ts';

/** What a colleague may do with a lease, from a moment on; null for nothing. */
interface Right {
	at: number;
	access: string | null;
}

/** A stream is checked once a second, and only before output. */
const grace = 5_000;

interface Needs {
	simulation: Simulation;
	violated(rule: string, what: string): void;
	/** What the database says. */
	accessOf(lease: string, email: string): string | null;
	/** Whether a restored backup may know less of the lease. */
	isRestored(lease: string): boolean;
}

interface Share {
	lease: string;
	email: string;
}

export class Sharing {
	readonly #needs: Needs;
	readonly #rights = new Map<string, Right[]>();
	/** What was confirmed to the holder last; undefined while nobody knows, and after a request that failed. */
	readonly #confirmed = new Map<string, string | null | undefined>();

	constructor(needs: Needs) {
		this.#needs = needs;
	}

	/** A service handles a request about shares. */
	requested(path: string, body: unknown) {
		const [, , lease = ''] = path.split('/');
		const { email } = JSON.parse(String(body));
		// What it has changed is seen before anybody else can notice it.
		this.#needs.simulation.after(1, () => this.look({ lease, email }));
	}

	/** The holder's request begins. An attempt of one that fails may arrive at any time. */
	requests(share: Share) {
		this.look(share);
		const name = nameOf(share);
		const hasFailed = this.#confirmed.has(name) && this.#confirmed.get(name) === undefined;
		this.#confirmed.set(name, undefined);
		return (access: string | null) => {
			if (!hasFailed) this.#confirmed.set(name, access);
			this.#check(share);
		};
	}

	#check(share: Share) {
		const confirmed = this.#confirmed.get(nameOf(share));
		const found = this.#needs.accessOf(share.lease, share.email);
		if (confirmed === undefined || confirmed === found) return;
		if (this.#needs.isRestored(share.lease)) return;
		this.#confirmed.set(nameOf(share), undefined);
		this.#needs.violated(
			'only what is shared is seen',
			`${share.lease} is shared with ${share.email} to ${found}, and ${confirmed} was confirmed`,
		);
	}

	/** Notes what holds now. */
	look({ lease, email }: Share) {
		const rights = this.#rightsOf({ lease, email });
		const access = this.#needs.accessOf(lease, email);
		if ((rights.at(-1)?.access ?? null) === access) return;
		rights.push({ at: this.#needs.simulation.now, access });
	}

	/** Once a second. */
	watch() {
		for (const name of this.#rights.keys()) {
			const [lease = '', email = ''] = name.split(' ');
			this.look({ lease, email });
			this.#check({ lease, email });
		}
	}

	forget(lease: string) {
		for (const map of [this.#rights, this.#confirmed])
			for (const name of map.keys()) if (name.startsWith(`${lease} `)) map.delete(name);
	}

	/** What holds now, and since when; undefined if it was never shared. */
	lastOf(share: Share) {
		return this.#rightsOf(share).at(-1);
	}

	/** Whether a colleague had this much at some time of a span, or shortly before. */
	had(share: Share, needed: 'look' | 'type', { from, to }: { from: number; to: number }) {
		this.look(share);
		const rights = this.#rightsOf(share);
		return rights.some(({ at, access }, index) => {
			const end = rights[index + 1]?.at ?? Number.POSITIVE_INFINITY;
			const isEnough = access === 'type' || access === needed;
			return isEnough && at <= to && end + grace >= from;
		});
	}

	#rightsOf(share: Share) {
		const name = nameOf(share);
		const rights = this.#rights.get(name) ?? [];
		this.#rights.set(name, rights);
		return rights;
	}
}

function nameOf({ lease, email }: Share) {
	return `${lease} ${email}`;
}
