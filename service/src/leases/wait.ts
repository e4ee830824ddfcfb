// Waiting for a lease to have another status, within one request.
import type { LeaseRow } from '../database/schema.ts';
import type { Parts } from '../parts.ts';
import { leaseChange } from './changes.ts';
import { findLease } from './store.ts';

interface Wait {
	accountId: string;
	id: string;
	/** The status that the caller knows; without one, that of the first look. */
	status?: LeaseRow['status'] | undefined;
	/** What is waited for, if not a change. */
	until?: (lease: LeaseRow) => boolean;
	milliseconds: number;
	/** Aborted when the caller has gone. */
	signal: AbortSignal;
}

/** Returns the lease when its status or that of its console changes, when the time is up, or when the service stops. */
export async function waitForLease(
	{ database, wake, stopping }: Pick<Parts, 'database' | 'wake' | 'stopping'>,
	{ accountId, id, status, until, milliseconds, signal }: Wait,
): Promise<LeaseRow> {
	const end = AbortSignal.any([signal, stopping]);
	const deadline = performance.now() + milliseconds;
	const changes = wake.watch([leaseChange(id)]);
	try {
		const first = await findLease(database.query, { accountId, id });
		let lease = first;
		const isOver =
			until ??
			(({ status: now, console_change }) =>
				now !== (status ?? first.status) || console_change !== first.console_change);
		while (!isOver(lease) && lease.status !== 'ended') {
			const left = deadline - performance.now();
			if (left <= 0 || end.aborted) break;
			await changes.changed({ milliseconds: left, signal: end });
			// The database is closed soon after the service begins to stop.
			if (!end.aborted) lease = await findLease(database.query, { accountId, id });
		}
		return lease;
	} finally {
		changes.close();
	}
}
