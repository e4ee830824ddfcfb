// Simulated agents: each reads its work stream, carries out every action at once, and reports
// console output of the leases that it was sent.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { agentWork } from 'board-access-contract';
import type * as z from 'zod/mini';
import { backoff } from '../../../agent/src/time.ts';
import { open, send } from '../siege/attacks/send.ts';
import type { Agent } from './population.ts';

type WantedBoard = z.output<typeof agentWork>['boards'][number];

export interface AgentLease {
	id: string;
	boardId: string;
	origin: string;
	token: string;
	fence: number;
	/** The next console offset. */
	offset: number;
	/** Whether a report of its output is under way. */
	busy: boolean;
	/** The actions that have begun. */
	begun: Set<string>;
}

const capabilities = { actions: ['reset'], console: true };

export function newAgents(all: readonly Agent[]) {
	return {
		all: all.map((agent) => ({ ...agent, bootId: randomUUID() })),
		/** By board, the leases that they were sent. */
		leases: new Map<string, AgentLease>(),
		/** How often one has connected, and how often that failed and was retried. */
		connections: 0,
		retries: 0,
		/** The first error. */
		failure: undefined as unknown,
		cut: new AbortController(),
	};
}

export type Agents = ReturnType<typeof newAgents>;

/** Connects every agent to one of these replicas, instead of those before. */
export function connectAgents(agents: Agents, origins: readonly string[]) {
	agents.cut.abort();
	agents.cut = new AbortController();
	for (const [index, agent] of agents.all.entries()) {
		void keepFollowing(agents, agent, origins[index % origins.length] ?? '');
	}
}

type Running = Agents['all'][number];

async function keepFollowing(agents: Agents, agent: Running, origin: string) {
	const { signal } = agents.cut;
	for (let attempt = 0; !signal.aborted; attempt += 1) {
		try {
			await follow(agents, agent, { origin, token: agent.token, signal });
			attempt = 0;
		} catch {
			if (!signal.aborted) agents.retries += 1;
		}
		await wait(backoff(attempt), undefined, { ref: false });
	}
}

interface Access {
	origin: string;
	token: string;
	signal: AbortSignal;
}

async function follow(agents: Agents, { boards: ids, bootId }: Running, access: Access) {
	const boards = Object.fromEntries(ids.map((id) => [id, capabilities]));
	const body = { boot_id: bootId, boards };
	const response = await open({ ...access, path: '/v1/agent/work', method: 'POST', body });
	if (response.statusCode !== 200) throw new Error(`Work stream: ${response.statusCode}`);
	response.setEncoding('utf8');
	let isFirst = true;
	let rest = '';
	for await (const chunk of response) {
		const lines = (rest + chunk).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines.filter(Boolean)) {
			agents.connections += isFirst ? 1 : 0;
			isFirst = false;
			// The service writes it.
			const work = JSON.parse(line) as { boards: WantedBoard[]; contact?: boolean };
			if (work.contact) {
				send({ ...access, path: '/v1/agent/contact', method: 'POST' }).catch((error) => {
					if (!access.signal.aborted) agents.failure ??= error;
				});
			}
			for (const board of work.boards) take(agents, board, access);
		}
	}
}

function take(agents: Agents, { board_id: boardId, fence, lease }: WantedBoard, access: Access) {
	if (!lease) return agents.leases.delete(boardId);
	const { origin, token } = access;
	const before = agents.leases.get(boardId);
	const fresh = { offset: 0, busy: false, begun: new Set<string>() };
	const known =
		before?.id === lease.id ? before : { id: lease.id, boardId, token, fence, ...fresh };
	const taken = Object.assign(known, { origin });
	agents.leases.set(boardId, taken);
	const actions = lease.actions.filter(({ id }) => !taken.begun.has(id));
	// The service rejects it if the lease was released in the meantime.
	return carryOut(taken, actions).catch((error) => {
		if (!isOutdated(error)) agents.failure ??= error;
	});
}

async function carryOut(lease: AgentLease, actions: readonly { id: string }[]) {
	for (const { id } of actions) lease.begun.add(id);
	for (const { id } of actions) {
		for (const status of ['running', 'done']) {
			const body = { fence: lease.fence, status, message: '', console_offset: lease.offset };
			await send({ ...lease, path: `/v1/agent/actions/${id}`, method: 'POST', body });
		}
	}
}

/** Reports output of a lease, and returns the bytes taken. */
export async function report(lease: AgentLease, body: Buffer) {
	lease.busy = true;
	try {
		const path = `/v1/agent/console/${lease.id}?fence=${lease.fence}&offset=${lease.offset}`;
		await send({ ...lease, path, method: 'POST', body });
		lease.offset += body.length;
		return body.length;
	} catch (error) {
		// The user has released the lease in the meantime.
		if (isOutdated(error)) return 0;
		throw error;
	} finally {
		lease.busy = false;
	}
}

function isOutdated(error: unknown) {
	return String(error).includes('fence_outdated');
}
