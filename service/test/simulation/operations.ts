// What the users and agents of the simulation do, one operation at a time.
import { setTimeout as wait } from 'node:timers/promises';
import { open, send } from '../siege/attacks/send.ts';
import type { AgentLease, Agents } from './agents.ts';
import type { Population } from './population.ts';

/** A lease as its user knows it. */
interface HeldLease {
	id: string;
	key: string;
	origin: string;
}

export type OperationName =
	| 'create'
	| 'renew'
	| 'console report'
	| 'list boards'
	| 'read lease'
	| 'release';

const minutes = 120;

export function createOperations(
	{ keys, boardTypes }: Population,
	{
		origins,
		agents,
		reportBytes,
	}: { origins: readonly string[]; agents: Agents; reportBytes: number },
) {
	const held: HeldLease[] = [];
	const output = Buffer.alloc(reportBytes, 'firmware says hello\r\n');
	const totals = { consoleBytes: 0 };
	let turn = 0;

	const next = <Item>(items: readonly Item[]): Item => {
		turn += 1;
		const item = items[turn % items.length];
		if (item === undefined) throw new Error('The list to choose from is empty');
		return item;
	};
	/** One account has ten leases, and uses one replica. */
	const user = () => {
		turn += 1;
		const key = keys[turn % keys.length] ?? '';
		return { key, origin: origins[turn % origins.length] ?? '' };
	};

	let quiet: AgentLease[] = [];
	/** A lease whose agent knows it, and of which no report is under way. */
	const quietLease = () => {
		for (let looked = 0; looked <= agents.leases.size + 1; looked += 1) {
			const lease = quiet.pop();
			if (!lease) quiet = [...agents.leases.values()];
			else if (!lease.busy && agents.leases.get(lease.id) === lease) return lease;
		}
		return undefined;
	};

	const operations: Record<OperationName, () => Promise<unknown>> = {
		async create() {
			const { key, origin } = user();
			const body = { board_type: next(boardTypes), minutes };
			const text = await send({
				origin,
				path: '/v1/leases',
				token: key,
				method: 'POST',
				body,
				once: true,
			});
			const { id }: { id: string } = JSON.parse(text);
			held.push({ id, key, origin });
		},
		async release() {
			const lease = held.shift();
			if (!lease) return;
			const { id, key, origin } = lease;
			await send({ origin, path: `/v1/leases/${id}`, token: key, method: 'DELETE' });
		},
		renew() {
			const { id, key, origin } = next(held);
			const path = `/v1/leases/${id}/renew`;
			return send({ origin, path, token: key, method: 'POST', body: { minutes } });
		},
		async 'console report'() {
			let lease = quietLease();
			while (!lease) {
				await wait(5);
				lease = quietLease();
			}
			const bytes = await agents.report(lease, output);
			totals.consoleBytes += bytes;
		},
		'list boards'() {
			const { key, origin } = user();
			const path = `/v1/boards?limit=20&status=available&board_type=${next(boardTypes)}`;
			return send({ origin, path, token: key });
		},
		'read lease'() {
			const { id, key, origin } = next(held);
			return send({ origin, path: `/v1/leases/${id}`, token: key });
		},
	};

	return {
		/** Makes the users of every lease use these replicas. */
		moveTo(all: readonly string[]) {
			for (const [index, lease] of held.entries()) lease.origin = all[index % all.length] ?? '';
		},
		held,
		totals,
		operations,
		/** Opens a request that waits for another status of a lease, and waits again when it ends. */
		async wait(lease: HeldLease, signal: AbortSignal) {
			const path = `/v1/leases/${lease.id}?wait=60&status=active`;
			while (!signal.aborted) {
				await send({ origin: lease.origin, path, token: lease.key, signal }).catch((error) => {
					if (!signal.aborted) throw error;
				});
			}
		},
		/** Follows the console of a lease until the signal aborts; returns the bytes received. */
		async read(lease: HeldLease, signal: AbortSignal) {
			const path = `/v1/leases/${lease.id}/console`;
			let bytes = 0;
			try {
				const response = await open({ origin: lease.origin, path, token: lease.key, signal });
				for await (const chunk of response) bytes += chunk.length;
			} catch (error) {
				if (!signal.aborted) throw error;
			}
			return bytes;
		},
	};
}
