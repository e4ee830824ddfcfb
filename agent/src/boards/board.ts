// One board: at most one session at a time, and never one with a lower fence than an earlier one.
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
}

export interface Board {
	readonly id: string;
	readonly hardware: Hardware;
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
		// The fence is stored before the board is touched.
		const ready = Promise.all([free, fences.raise(id, fence)]).then(() => {});
		return startSession({
			boardId: id,
			fence,
			leaseId,
			hardware,
			service,
			log,
			ready,
			onOver(reason) {
				if (fence !== fences.of(id)) return;
				overFence = fence;
				end(reason);
			},
		});
	};

	return {
		id,
		hardware,
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
			}
		},
		async shutDown() {
			end('the agent is stopping');
			await free;
		},
	};
}
