// Leases and their actions as callers see them.
import { firmwareFileFields, leaseActionFields, leaseFields } from '../contract/lease.ts';
import { createListing } from '../http/list.ts';
import { recordPath } from '../http/path.ts';
import type { ApiCall, Transport } from '../http/request.ts';
import { recordReader } from '../records/records.ts';
import type { RequestOptions } from '../settings/settings.ts';
import type { LeaseAction, LeaseRecord } from './types.ts';

const complete = { complete: true };

/** A service without shared leases sends only those of the account itself. */
const leaseRules = { ...complete, defaults: { access: 'hold' } };

export const readLease = recordReader(leaseFields, leaseRules);
export const readAction = recordReader(leaseActionFields, complete);
export const readFile = recordReader(firmwareFileFields, complete);

/** The path of a lease, from an id that is safe to put into it. */
export function leasePath(id: string) {
	return recordPath('/v1/leases', id, 'lease');
}

/** The actions of the lease, oldest first. */
export async function listActions(
	lease: { transport: Transport; path: string },
	options?: RequestOptions,
) {
	return await createListing<LeaseAction>(lease.transport.request, () => ({
		path: `${lease.path}/actions`,
		read: (body) => readAction(body),
		isPatient: true,
		options,
	}));
}

/** A lease, when it was asked for, and when it ends unless it is renewed, by this machine's own clock. */
export interface SeenLease {
	record: LeaseRecord;
	sentAt: number;
	endsAt: number;
}

/** A request whose response is a lease. */
export async function requestLease(transport: Transport, call: ApiCall): Promise<SeenLease> {
	const times = { sentAt: 0, endsAt: 0 };
	const record = await transport.request<LeaseRecord>({
		...call,
		isPatient: true,
		read(body, _, sentAt) {
			const lease = readLease(body);
			times.sentAt = sentAt;
			// Counted from the request on, by the service's clock, the end is never too late.
			times.endsAt = sentAt + (lease.expiresInMs ?? Number.POSITIVE_INFINITY);
			return lease;
		},
	});
	return { record, ...times };
}
