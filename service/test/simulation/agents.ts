// Simulated agents: each reads its work stream, carries out every action at once, and reports
// console output of the leases that it was sent.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { agentWork } from 'board-access-contract';
import type * as z from 'zod/mini';
import { backoff } from '../../../agent/src/time.ts';
import { open, send } from '../siege/attacks/send.ts';
import type { Agent } from './population.ts';

type Work = z.output<typeof agentWork>;
type WantedBoard = Work['boards'][number];

export interface AgentLease {
	id: string;
	origin: string;
	token: string;
	fence: number;
	/** The next console offset. */
	offset: number;
	busy: boolean;
}

const capabilities = { actions: ['reset'], console: true };

export function createAgents(agents: readonly Agent[]) {
	const leases = new Map<string, AgentLease>();
	const leaseOfBoard = new Map<string, string>();
	const running = agents.map((agent) => ({
		agent,
		bootId: randomUUID(),
		cut: new AbortController(),
	}));
	const counts = { connections: 0, lines: 0, boards: 0, actions: 0, retries: 0 };
	let failure: unknown;

	const carryOut = async (
		lease: AgentLease,
		actions: NonNullable<WantedBoard['lease']>['actions'],
	) => {
		for (const { id } of actions) {
			for (const status of ['running', 'done']) {
				const body = { fence: lease.fence, status, message: '', console_offset: lease.offset };
				const path = `/v1/agent/actions/${id}`;
				await send({ ...lease, path, method: 'POST', body });
			}
			counts.actions += 1;
		}
	};

	const begun = new Set<string>();
	const take = (origin: string, token: string, { board_id, fence, lease }: WantedBoard) => {
		counts.boards += 1;
		const before = leaseOfBoard.get(board_id);
		if (before !== undefined && before !== lease?.id) {
			leases.delete(before);
			leaseOfBoard.delete(board_id);
		}
		if (!lease) return;
		const known = leases.get(lease.id) ?? {
			id: lease.id,
			token,
			fence,
			offset: 0,
			busy: false,
			origin,
		};
		known.origin = origin;
		leases.set(lease.id, known);
		leaseOfBoard.set(board_id, lease.id);
		const fresh = lease.actions.filter(({ id }) => !begun.has(id));
		for (const { id } of fresh) begun.add(id);
		// The service rejects it if the lease was released in the meantime.
		carryOut(known, fresh).catch((error) => {
			if (!String(error).includes('fence_outdated')) failure ??= error;
		});
	};

	const follow = async (origin: string, { agent, bootId, cut }: (typeof running)[number]) => {
		const boards = Object.fromEntries(agent.boards.map((id) => [id, capabilities]));
		const body = { boot_id: bootId, boards };
		const request = { origin, path: '/v1/agent/work', method: 'POST', body } as const;
		const response = await open({ ...request, token: agent.token, signal: cut.signal });
		if (response.statusCode !== 200) throw new Error(`Work stream: ${response.statusCode}`);
		response.setEncoding('utf8');
		let first = true;
		let rest = '';
		for await (const chunk of response) {
			const lines = (rest + chunk).split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines.filter(Boolean)) {
				counts.lines += 1;
				counts.connections += first ? 1 : 0;
				first = false;
				// The service writes it.
				const work = JSON.parse(line) as Work;
				for (const board of work.boards) take(origin, agent.token, board);
			}
		}
	};

	const keepFollowing = async (origin: string, each: (typeof running)[number]) => {
		for (let attempt = 0; !each.cut.signal.aborted; attempt += 1) {
			try {
				await follow(origin, each);
				attempt = 0;
			} catch {
				if (!each.cut.signal.aborted) counts.retries += 1;
			}
			await wait(backoff(attempt));
		}
	};

	return {
		leases,
		counts,
		/** The first error. */
		failure: () => failure,
		/** Connects every agent, a few at a time. */
		connect(origins: readonly string[]) {
			for (const [index, each] of running.entries()) {
				each.cut = new AbortController();
				void keepFollowing(origins[index % origins.length] ?? '', each);
			}
		},
		disconnect() {
			for (const { cut } of running) cut.abort();
		},
		/** Reports output of a lease, if no other report of it is under way; returns the bytes taken. */
		async report(lease: AgentLease, data: Buffer) {
			lease.busy = true;
			try {
				const path = `/v1/agent/console/${lease.id}?fence=${lease.fence}&offset=${lease.offset}`;
				await send({ ...lease, path, method: 'POST', body: data });
				lease.offset += data.length;
				return data.length;
			} catch (error) {
				// The user has released the lease in the meantime.
				if (String(error).includes('fence_outdated')) return 0;
				throw error;
			} finally {
				lease.busy = false;
			}
		},
	};
}

export type Agents = ReturnType<typeof createAgents>;
