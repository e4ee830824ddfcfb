// One board: at most one session at a time, and never one with a lower fence than an earlier one.
import { asAgent } from '../agent-error.ts';
import type { Hardware } from '../drivers/hardware.ts';
import type { Fences } from '../fences.ts';
import type { Service } from '../link/service.ts';
import type { WantedBoard } from '../link/work.ts';
import type { AgentLog } from '../log.ts';
import { type Session, startSession } from './session.ts';

export interface BoardOptions {
	readonly id: string;
	readonly hardware: Hardware;
	readonly fences: Fences;
	readonly service: Service;
	readonly log: AgentLog;
	/** The agent gave up a lease by itself, which the service does not know yet. */
	onReleased(): void;
}

export interface Board {
	readonly id: string;
	readonly hardware: Hardware;
	/** What the service must know of the board's leases when the agent connects. */
	fenceState(): { fence?: number; released?: true };
	/** Brings the board to the desired state. */
	apply(wanted: WantedBoard): void;
	/** Releases the board. Settles when nothing uses it any more. */
	shutDown(): Promise<void>;
}

export function createBoard(options: BoardOptions): Board {
	const { id, hardware, fences, service, log } = options;
	let session: Session | undefined;
	/** The fence whose lease has ended for this agent, no matter what the service sends. */
	let overFence = -1;
	let free: Promise<void> = Promise.resolve();

	const end = (reason: string) => {
		if (session === undefined) return;
		log.info({ boardId: id, fence: fences.of(id), reason }, 'Releasing the board');
		free = session.end();
		session = undefined;
	};
	const start = (fence: number, leaseId: string) => {
		log.info({ boardId: id, fence, leaseId }, 'Acquiring the board');
		const before = free;
		// Known at once, and stored before the board is touched.
		fences.raise(id, fence).catch(() => {});
		return startSession({
			boardId: id,
			fence,
			leaseId,
			hardware,
			service,
			log,
			async acquire() {
				await before;
				await asAgent('The agent cannot store its state', () => fences.raise(id, fence));
			},
			onOver(reason, released = false) {
				if (fence !== fences.of(id)) return;
				overFence = fence;
				end(reason);
				if (released) options.onReleased();
			},
		});
	};

	return {
		id,
		hardware,
		fenceState() {
			const fence = fences.of(id);
			if (fence < 0) return {};
			// Also of a lease that the service ended: a restored backup may have it again.
			return { fence, ...(fence <= overFence && { released: true }) };
		},
		apply({ fence, lease }) {
			const highest = fences.of(id);
			if (fence < highest) {
				log.warn({ boardId: id, fence, highest }, 'An older fence is ignored');
				return;
			}
			if (fence > highest) end('another lease begins');
			if (lease === null) {
				end('the lease has ended');
				overFence = Math.max(overFence, fence);
				void fences.raise(id, fence).catch(() => {});
			} else if (fence > overFence) {
				session ??= start(fence, lease.id);
				session.update(lease);
			} else {
				log.warn({ boardId: id, fence }, 'The service still has a lease that has ended here');
			}
		},
		async shutDown() {
			end('the agent is stopping');
			await free;
		},
	};
}
