// Leases and their actions as callers see them.
import { firmwareFileFields, leaseActionFields, leaseFields } from '../contract/lease.ts';
import type { Read } from '../http/request.ts';
import type { Sent } from '../records/operations.ts';
import { recordReader } from '../records/records.ts';
import type { LeaseRecord } from './types.ts';

const complete = { complete: true };

/** A service without shared leases does not send `access`. */
const leaseRules = { ...complete, defaults: { access: 'hold' } };

export const readLease = recordReader(leaseFields, leaseRules);
export const readAction = recordReader(leaseActionFields, complete);
export const readFile = recordReader(firmwareFileFields, complete);

/** A lease, when it was requested, and when it ends unless it is renewed, on the clock of `performance`. */
export interface SeenLease {
	record: LeaseRecord;
	sentAt: number;
	endsAt: number;
}

/** Sends a request whose response is a lease, and reads it. */
export type SendForLease = (
	read: Read<Sent<'GET /v1/leases/{id}'>, LeaseRecord>,
) => Promise<LeaseRecord>;

export async function seeLease(send: SendForLease): Promise<SeenLease> {
	const times = { sentAt: 0, endsAt: 0 };
	const record = await send((body, where, { sentAt }) => {
		const lease = readLease(body, where);
		times.sentAt = sentAt;
		// Counted from the request on, so that it is never too late.
		times.endsAt = sentAt + (lease.expiresInMs ?? Number.POSITIVE_INFINITY);
		return lease;
	});
	return { record, ...times };
}
