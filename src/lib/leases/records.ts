// Leases and their actions as callers see them.
import * as z from 'zod/mini';
import { firmwareFileFields, leaseActionFields, leaseFields } from '../../contract/lease.ts';
import { recordPath } from '../path.ts';
import { recordReader } from '../records.ts';

export const readLease = recordReader(leaseFields);
export const readAction = recordReader(leaseActionFields);
export const readFile = recordReader(firmwareFileFields);

const text = z.nullable(z.string());

export const leaseInputFields = {
	boardType: text,
	boardId: text,
	minutes: z.nullable(z.number()),
	waitSeconds: z.nullable(z.number()),
	label: text,
	requiresAgent: z.nullable(z.boolean()),
};

/** The path of a lease, from an id that is safe to put into it. */
export function leasePath(id: string) {
	return recordPath('/v1/leases', id, 'lease');
}
