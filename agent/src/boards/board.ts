// One board: at most one lease at a time, and never one with a lower fence than an earlier one.
import type { Hardware } from '../drivers/hardware.ts';
import { asAgent, messageOf } from '../errors.ts';
import type { Fences } from '../fences.ts';
import type { AgentConnection, Service } from '../link/service.ts';
import type { BoardState, LeaseState } from '../link/work.ts';
import type { AgentLog } from '../log.ts';
import { ServedLease } from './served-lease.ts';

export interface BoardOptions {
	readonly id: string;
	readonly hardware: Hardware;
	readonly fences: Fences;
	readonly service: Service;
	readonly log: AgentLog;
	/** The agent has released a lease by itself, which the service does not know yet. */
	onReleased(): void;
}

/** How long the service may still have a lease of which it rejected a report, in milliseconds. */
const maxDoubt = 10_000;

export class Board {
	readonly id: string;
	readonly hardware: Hardware;
	readonly #options: BoardOptions;
	#lease: ServedLease | undefined;
	/** The fence whose lease has ended for this agent, no matter what the service sends. */
	#overFence = -1;
	/** Until the service says that a lease has ended of which it rejected a report: a restored backup may have it. */
	#doubt: NodeJS.Timeout | undefined;
	#free: Promise<void> = Promise.resolve();
	/** The fence of the lease after which this process has cleared the board, if nothing was done to it since. */
	#clearedAfter: number | undefined;

	constructor(options: BoardOptions) {
		this.id = options.id;
		this.hardware = options.hardware;
		this.#options = options;
	}

	/** What the service must know of the board's leases when the agent connects. */
	leaseState(): Pick<AgentConnection['boards'][string], 'fence' | 'released' | 'lease'> {
		const fence = this.#fence;
		if (fence < 0) return {};
		// Also of a lease that the service ended: a restored backup may have it again.
		return {
			fence,
			lease: this.#lease?.state,
			...(fence <= this.#overFence && { released: true }),
		};
	}

	apply({ fence, lease }: BoardState): void {
		const { fences, log } = this.#options;
		const highest = this.#fence;
		if (fence < highest) {
			log.warn({ boardId: this.id, fence, highest }, 'An older fence is ignored');
			return;
		}
		if (lease === null || fence > highest) clearTimeout(this.#doubt);
		if (fence > highest) this.#end('another lease begins');
		// A service that was restored from an older backup counts the fences from less.
		else if (lease && lease.id !== (this.#lease?.state.id ?? lease.id)) {
			this.#onOver(fence, 'another lease has its fence', true);
		}
		if (lease === null) {
			this.#end('the lease has ended');
			this.#overFence = Math.max(this.#overFence, fence);
			void fences.raise(this.id, fence).catch(() => {});
		} else if (fence > this.#overFence) {
			this.#lease ??= this.#start(fence, lease);
			this.#lease.update(lease);
		} else {
			log.warn({ boardId: this.id, fence }, 'The service still has a lease that has ended here');
		}
	}

	abandon(reason: string): void {
		this.#overFence = this.#fence;
		this.#end(reason);
	}

	/** Releases the board. Settles when nothing uses it any more. */
	async shutDown(): Promise<void> {
		clearTimeout(this.#doubt);
		this.#end('the agent is stopping');
		await this.#free;
	}

	get #fence() {
		return this.#options.fences.of(this.id);
	}

	#start(fence: number, { id: leaseId, output_from: outputFrom }: LeaseState) {
		const { fences, log } = this.#options;
		log.info({ boardId: this.id, fence, leaseId }, 'Acquiring the board');
		const before = this.#free;
		// Known at once, and stored before the board is touched.
		fences.raise(this.id, fence).catch(() => {});
		return new ServedLease({
			...this.#options,
			boardId: this.id,
			fence,
			leaseId,
			outputFrom,
			acquire: async () => {
				await before;
				await asAgent('The agent cannot store its state', () => fences.raise(this.id, fence));
				// Of the fences between, another agent may have had leases.
				await this.#clear(fence - 1);
				this.#clearedAfter = undefined;
			},
			onOver: (reason, released) => this.#onOver(fence, reason, released),
		});
	}

	#onOver(fence: number, reason: string, released = false) {
		if (fence !== this.#fence) return;
		this.#overFence = fence;
		this.#end(reason);
		clearTimeout(this.#doubt);
		if (released) this.#options.onReleased();
		else this.#doubt = setTimeout(this.#options.onReleased, maxDoubt);
	}

	#end(reason: string) {
		if (this.#lease === undefined) return;
		const { log } = this.#options;
		const [boardId, fence] = [this.id, this.#lease.fence];
		log.info({ boardId, fence, reason }, 'Releasing the board');
		this.#free = this.#lease
			.end()
			.then(() => this.#clear(fence))
			.catch((error: unknown) => {
				// The next lease tries again before it begins.
				log.error({ boardId, fence, reason: messageOf(error) }, 'Clearing the board failed');
			});
		this.#lease = undefined;
	}

	/** Makes the board ready for the next lease after the one with this fence, unless it is known to be. */
	async #clear(fence: number) {
		if (this.#clearedAfter === fence) return;
		await this.hardware.clear();
		this.#clearedAfter = fence;
	}
}
