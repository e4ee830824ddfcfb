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
}

interface Share {
	lease: string;
	email: string;
}

interface Request extends Share {
	at: number;
	access: string | null;
}

export class Sharing {
	readonly #needs: Needs;
	readonly #rights = new Map<string, Right[]>();
	/** Requests that reached a service, late copies as well. */
	readonly #requests: Request[] = [];

	constructor(needs: Needs) {
		this.#needs = needs;
	}

	/** A service handles a request about shares. */
	requested(method: string, path: string, body: unknown) {
		if (method === 'GET') return;
		const [, , lease = '', , last = ''] = path.split('/');
		const { email = decodeURIComponent(last), access = null } = JSON.parse(String(body ?? '{}'));
		this.#requests.push({ lease, email, access, at: this.#needs.simulation.now });
		// What it has changed is seen before anybody else can notice it.
		this.#needs.simulation.after(1, () => this.look({ lease, email }));
	}

	/** The holder's request, which began at that time, was confirmed. */
	confirmed({ lease, email, access, at: since }: Request) {
		this.look({ lease, email });
		const found = this.#needs.accessOf(lease, email);
		// A late copy of an earlier request may have come after it.
		const isRequested = this.#requests.some(
			(each) =>
				each.lease === lease && each.email === email && each.access === found && each.at >= since,
		);
		if (found === access || isRequested) return;
		this.#needs.violated(
			'only what is shared is seen',
			`${lease} is shared with ${email} to ${found}, and ${access} was confirmed`,
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
		}
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

	#rightsOf({ lease, email }: Share) {
		const name = `${lease} ${email}`;
		const rights = this.#rights.get(name) ?? [];
		this.#rights.set(name, rights);
		return rights;
	}
}
