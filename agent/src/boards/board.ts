// One board: at most one lease at a time, and never one with a lower fence than an earlier one.
import type { Hardware } from '../drivers/hardware.ts';
import { asAgent, messageOf } from '../errors.ts';
import type { Fences } from '../fences.ts';
import type { AgentConnection } from '../link/service.ts';
import type { BoardState, LeaseState } from '../link/work.ts';
import { type LeaseOptions, ServedLease } from './served-lease.ts';

export interface BoardOptions
	extends Pick<LeaseOptions, 'hardware' | 'service' | 'log' | 'permit'> {
	readonly id: string;
	readonly fences: Fences;
	/** Called when the agent has released a lease by itself. */
	onReleased(): void;
	/** Called when the board is free again after a lease. */
	onFree(): void;
}

/** How long to wait until the service ends a lease after it rejected a report, in milliseconds. */
const maxDoubt = 10_000;

export class Board {
	readonly id: string;
	readonly #options: BoardOptions;
	#hardware: Hardware;
	#lease: ServedLease | undefined;
	#restReason: string | undefined;
	/** The fence of the last lease that has ended here, whatever the service sends. */
	#overFence = -1;
	#doubt: NodeJS.Timeout | undefined;
	#free: Promise<void> = Promise.resolve();
	/** The fence of the lease after which the board was cleared; undefined once it was used again. */
	#clearedAfter: number | undefined;

	constructor(options: BoardOptions) {
		this.id = options.id;
		this.#hardware = options.hardware;
		this.#options = options;
	}

	get isLeased() {
		return this.#lease !== undefined;
	}

	/** A lease keeps the hardware with which it began. */
	get hardware() {
		return this.#lease?.hardware ?? this.#hardware;
	}

	set hardware(hardware: Hardware) {
		this.#hardware = hardware;
		this.#clearedAfter = undefined;
	}

	leaseState(): Pick<AgentConnection['boards'][string], 'fence' | 'released' | 'lease'> {
		const fence = this.#fence;
		if (fence < 0) return {};
		// A service that was restored from a backup may have an ended lease again.
		return {
			fence,
			lease: this.#lease?.state,
			...(fence <= this.#overFence && { released: true }),
		};
	}

	apply({ fence, lease, resting }: BoardState): void {
		const { fences, log } = this.#options;
		if (resting && resting !== this.#restReason)
			log.warn(
				{ boardId: this.id, reason: resting },
				'The service does not lease this board at the moment',
			);
		this.#restReason = resting;
		const highest = this.#fence;
		if (fence < highest) {
			log.warn({ boardId: this.id, fence, highest }, 'An older fence is ignored');
			return;
		}
		if (lease === null || fence > highest) clearTimeout(this.#doubt);
		if (fence > highest) this.#end('another lease begins');
		// After a service was restored from a backup, it assigns the same fences again.
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

	/** Resolves when nothing uses the board any more. */
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
		const hardware = this.#hardware;
		// Stored before the board is used, see below.
		fences.raise(this.id, fence).catch(() => {});
		return new ServedLease({
			...this.#options,
			hardware,
			boardId: this.id,
			fence,
			leaseId,
			outputFrom,
			acquire: async () => {
				await before;
				await asAgent('The agent cannot store its state', () => fences.raise(this.id, fence));
				// Another agent may have had leases since the last one here.
				await this.#clear(fence - 1, hardware);
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
		const { fence, hardware } = this.#lease;
		const boardId = this.id;
		log.info({ boardId, fence, reason }, 'Releasing the board');
		this.#free = this.#lease
			.end()
			.then(() => this.#clear(fence, hardware))
			.catch((error: unknown) => {
				// Retried before the next lease.
				log.error({ boardId, fence, reason: messageOf(error) }, 'Clearing the board failed');
			})
			.then(() => this.#options.onFree());
		this.#lease = undefined;
	}

	/** Clears the board after the lease with this fence, once. */
	async #clear(fence: number, hardware: Hardware) {
		if (this.#clearedAfter === fence) return;
		await hardware.clear();
		if (hardware === this.#hardware) this.#clearedAfter = fence;
	}
}
