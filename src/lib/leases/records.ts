// Leases and their actions as callers see them.
import * as z from 'zod/mini';
import { firmwareFileFields, leaseActionFields, leaseFields } from '../../contract/lease.ts';
import { recordPath } from '../path.ts';
import { recordReader } from '../records.ts';

export const readLease = recordReader(leaseFields);
export const readAction = recordReader(leaseActionFields);
export const readFile = recordReader(firmwareFileFields);

export const leaseInputFields = {
	boardType: z.optional(z.string()),
	boardId: z.optional(z.string()),
	minutes: z.optional(z.number()),
	waitSeconds: z.optional(z.number()),
	label: z.optional(z.string()),
	requiresAgent: z.optional(z.boolean()),
};

/** The path of a lease, from an id that is safe to put into it. */
export function leasePath(id: string) {
	return recordPath('/v1/leases', id, 'lease');
}
