// Leases and their actions as callers see them.
import { firmwareFileFields, leaseActionFields, leaseFields } from '../contract/lease.ts';
import type { Read } from '../http/request.ts';
import type { RecordAt } from '../records/operations.ts';
import { recordReader } from '../records/records.ts';
import type { LeaseRecord } from './types.ts';

const complete = { complete: true };

/** Services of earlier versions do not send some fields. */
export const readLease = recordReader(leaseFields, {
	...complete,
	defaults: { access: 'hold', group_id: null, role: null, halted_by: null },
});
export const readAction = recordReader(leaseActionFields, complete);
export const readFile = recordReader(firmwareFileFields, complete);

/** A lease, when it was requested, and when it ends unless it is renewed, on the clock of `performance`. */
export interface SeenLease {
	record: LeaseRecord;
	sentAt: number;
	endsAt: number;
}

/** Reads the leases of a group. */
export const readSeenGroup: Read<RecordAt<'POST /v1/lease-groups'>, SeenLease[]> = (
	{ leases },
	where,
	context,
) => [leases ?? []].flat().map((lease, at) => readSeen(lease, [...where, 'leases', at], context));

export const readSeen: Read<RecordAt<'GET /v1/leases/{id}'>, SeenLease> = (
	body,
	where,
	{ sentAt },
) => {
	const record = readLease(body, where);
	// Counted from the request on, so that it is never too late.
	const endsAt = sentAt + (record.expiresInMs ?? Number.POSITIVE_INFINITY);
	return { record, sentAt, endsAt };
};
