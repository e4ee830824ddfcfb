// Leases and their actions as callers see them.
import * as z from 'zod/mini';
import { firmwareFile, lease, leaseAction } from '../../contract/lease.ts';
import { recordPath } from '../path.ts';
import { recordReader } from '../records.ts';

// A service may know more words for these than the contract does today.
export const readLease = recordReader({
	...lease.shape,
	status: z.string(),
	end_reason: z.nullable(z.string()),
});
export const readAction = recordReader({
	...leaseAction.shape,
	action: z.string(),
	phase: z.string(),
	status: z.string(),
});
export const readFile = recordReader({ ...firmwareFile.shape, format: z.string() });

export const leaseInput = z.looseObject({
	boardType: z.optional(z.string()),
	boardId: z.optional(z.string()),
	minutes: z.optional(z.number()),
	waitSeconds: z.optional(z.number()),
	label: z.optional(z.string()),
});

/** The path of a lease, from an id that is safe to put into it. */
export function leasePath(id: string) {
	return recordPath('/v1/leases', id, 'lease');
}
