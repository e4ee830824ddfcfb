// What the users and agents of the simulation do, one operation at a time.
import { setTimeout as wait } from 'node:timers/promises';
import { open, send } from '../siege/attacks/send.ts';
import { type AgentLease, type Agents, report } from './agents.ts';
import type { Population } from './population.ts';

/** A lease as its user knows it. */
interface HeldLease {
	id: string;
	token: string;
	origin: string;
}

const minutes = 120;
/** A console report. */
const output = Buffer.alloc(100, 'firmware says hello\r\n');

export function createUsers(
	{ keys, boardTypes }: Pick<Population, 'keys' | 'boardTypes'>,
	agents: Agents,
) {
	const held: HeldLease[] = [];
	/** The replicas, and the console bytes that the service has confirmed. */
	const state = { origins: [''], consoleBytes: 0 };
	const reporters = leasesInTurn(agents);
	let turn = 0;
	let accounts = 0;

	const at = <Item>(items: readonly Item[], index: number): Item => {
		const item = items[index % items.length];
		if (item === undefined) throw new Error('The list to choose from is empty');
		return item;
	};
	const next = <Item>(items: readonly Item[]) => {
		turn += 1;
		return at(items, turn);
	};
	/** One account has ten leases, and uses one replica. */
	const user = () => {
		accounts += 1;
		return { token: at(keys, accounts), origin: at(state.origins, accounts) };
	};

	const operations = {
		async create() {
			const access = user();
			const body = { board_type: next(boardTypes), minutes };
			const message = { ...access, path: '/v1/leases', body } as const;
			const text = await send({ ...message, method: 'POST', once: true });
			const { id }: { id: string } = JSON.parse(text);
			held.push({ id, ...access });
		},
		async release() {
			const lease = held.shift();
			if (lease) await send({ ...lease, path: `/v1/leases/${lease.id}`, method: 'DELETE' });
		},
		renew() {
			const lease = next(held);
			const path = `/v1/leases/${lease.id}/renew`;
			return send({ ...lease, path, method: 'POST', body: { minutes } });
		},
		async 'console report'(): Promise<unknown> {
			const { value: lease } = reporters.next();
			if (!lease) return wait(5).then(operations['console report']);
			const bytes = await report(lease, output);
			state.consoleBytes += bytes;
			return bytes;
		},
		'list boards'() {
			const path = `/v1/boards?limit=20&status=available&board_type=${next(boardTypes)}`;
			return send({ ...user(), path });
		},
		'read lease'() {
			const lease = next(held);
			return send({ ...lease, path: `/v1/leases/${lease.id}` });
		},
	} satisfies Record<string, () => Promise<unknown>>;

	return {
		held,
		state,
		operations,
		/** Makes the users of every lease use these replicas. */
		moveTo(origins: string[]) {
			state.origins = origins;
			for (const lease of held) lease.origin = next(origins);
		},
	};
}

export type Users = ReturnType<typeof createUsers>;
export type OperationName = keyof Users['operations'];

/** The leases that agents know and of which no report is under way, and `undefined` after all of them. */
function* leasesInTurn({ leases }: Agents): Generator<AgentLease | undefined, undefined> {
	for (;;) {
		for (const lease of [...leases.values()]) {
			if (!lease.busy && leases.get(lease.boardId) === lease) yield lease;
		}
		yield undefined;
	}
}

/** What keeps a request open until the signal aborts. */
export const openRequests = {
	/** Waits for another status of a lease, and waits again when the request ends. */
	async wait(lease: HeldLease, signal: AbortSignal) {
		const path = `/v1/leases/${lease.id}?wait=60&status=active`;
		while (!signal.aborted) await send({ ...lease, path, signal });
	},
	/** Follows the console of a lease. */
	async read(lease: HeldLease, signal: AbortSignal) {
		const response = await open({ ...lease, path: `/v1/leases/${lease.id}/console`, signal });
		for await (const _ of response);
	},
};
