// Waiting for a lease to have another status, within one request.
import { leaseChange } from '../announcements.ts';
import type { Core } from '../core.ts';
import type { LeaseRow } from '../database/schema.ts';
import { findAction } from './actions/store.ts';
import { findLease } from './store.ts';

interface LeaseWait {
	accountId: string;
	id: string;
	/** The status that the caller knows; by default, the first one that is read. */
	status?: LeaseRow['status'] | undefined;
	/** What is waited for, if not a change. */
	until?: (lease: LeaseRow) => boolean;
	milliseconds: number;
	/** Aborted when the caller has gone. */
	signal: AbortSignal;
}

/** Returns the lease when its status or, once it is active, that of its console changes, when the time is up, or when the service stops. */
export function waitForLease(core: Core, { accountId, id, status, until, ...wait }: LeaseWait) {
	let first: LeaseRow | undefined;
	const isNews = (lease: LeaseRow) => {
		first ??= lease;
		if (lease.status !== (status ?? first.status)) return true;
		// Before, its holder waits for the board.
		return lease.status === 'active' && lease.console_change !== first.console_change;
	};
	return waitUntil(core, {
		...wait,
		leaseId: id,
		read: () => findLease(core.database.query, { accountId, id }),
		isOver: (lease) => (until ?? isNews)(lease) || lease.status === 'ended',
	});
}

/** Returns the action when it has ended, or as it is when the time is up. */
export function waitForAction(
	core: Core,
	action: Parameters<typeof findAction>[1],
	wait: Pick<LeaseWait, 'milliseconds' | 'signal'>,
) {
	return waitUntil(core, {
		...wait,
		leaseId: action.leaseId,
		read: () => findAction(core.database.query, action),
		isOver: ({ ended_at }) => ended_at !== null,
	});
}

interface Waiting<Result> extends Pick<LeaseWait, 'milliseconds' | 'signal'> {
	leaseId: string;
	read: () => Promise<Result>;
	isOver: (result: Result) => boolean;
}

/** Reads at each change of the lease until the wait is over; returns what was read last. */
async function waitUntil<Result>(
	{ wake, stopping }: Core,
	{ leaseId, milliseconds, signal, read, isOver }: Waiting<Result>,
) {
	const end = AbortSignal.any([signal, stopping]);
	const deadline = performance.now() + milliseconds;
	const changes = wake.watch([leaseChange(leaseId)]);
	try {
		let result = await read();
		while (!isOver(result)) {
			const left = deadline - performance.now();
			if (left <= 0 || end.aborted) break;
			await changes.changed({ milliseconds: left, signal: end });
			// The database is closed soon after the service begins to stop.
			if (!end.aborted) result = await read();
		}
		return result;
	} finally {
		changes.close();
	}
}
