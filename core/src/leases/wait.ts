// Waits for a change of a lease within a request.
import { leaseChange } from '../announcements.ts';
import type { Core } from '../core.ts';
import type { LeaseRow } from '../database/schema.ts';
import { findAction } from './actions/store.ts';
import { findLease } from './store.ts';

interface LeaseWait {
	accountId: string;
	id: string;
	/** The status that the caller knows; by default, the present one. */
	status?: LeaseRow['status'] | undefined;
	/** Ends the wait; by default, any change does. */
	until?: (lease: LeaseRow) => boolean;
	milliseconds: number;
	/** Aborted when the client disconnects. */
	signal: AbortSignal;
}

/** Returns the lease when it or, while it is active, its console changes status, or when the time is up. */
export function waitForLease(core: Core, { accountId, id, status, until, ...wait }: LeaseWait) {
	let first: LeaseRow | undefined;
	const isNews = (lease: LeaseRow) => {
		first ??= lease;
		if (lease.status !== (status ?? first.status)) return true;
		return lease.status === 'active' && lease.console_change !== first.console_change;
	};
	return waitUntil(core, {
		...wait,
		leaseId: id,
		read: () => findLease(core.database.query, { accountId, id }),
		isOver: (lease) => (until ?? isNews)(lease) || lease.status === 'ended',
	});
}

/** Returns the action when it has ended, or when the time is up. */
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

/** Reads at each change of the lease until the wait is over, and returns the last result. */
async function waitUntil<Result>(
	{ wake, stopping }: Core,
	{ leaseId, milliseconds, signal, read, isOver }: Waiting<Result>,
) {
	const end = AbortSignal.any([signal, stopping]);
	const deadline = performance.now() + milliseconds;
	using changes = wake.watch([leaseChange(leaseId)]);
	let result = await read();
	while (!isOver(result)) {
		const left = deadline - performance.now();
		if (left <= 0 || end.aborted) break;
		await changes.changed({ milliseconds: left, signal: end });
		// The database closes soon after the service begins to stop.
		if (!end.aborted) result = await read();
	}
	return result;
}
