// The records on the wire, as this version of the service sends them. Clients of any version can only
// rely on the fields in the other files: they have to accept values that this version does not know.
import * as z from 'zod/mini';
import { accountFields, accountRoles, accountTiers } from './account.ts';
import { activityChannels, activityFields, activityKinds } from './activity.ts';
import { boardMemory } from './agent.ts';
import { agentFields } from './agent-record.ts';
import { apiKeyFields, apiKeyScopes, createdApiKeyFields } from './api-key.ts';
import { baseImageActions, baseImageFields } from './base-image.ts';
import { boardFields, boardStatuses } from './board.ts';
import { firmwareFormats } from './firmware/format.ts';
import {
	boardActions,
	consoleStatuses,
	firmwareFileFields,
	leaseAccess,
	leaseActionFields,
	leaseActionPhases,
	leaseActionStatuses,
	leaseEndReasons,
	leaseFields,
	leaseShareFields,
	leaseStatuses,
	shareAccess,
} from './lease.ts';

const scope = z.enum(apiKeyScopes);

export const apiKey = z.object({ ...apiKeyFields, scope });
export const createdApiKey = z.object({ ...createdApiKeyFields, scope });

export const account = z.object({
	...accountFields,
	role: z.enum(accountRoles),
	tier: z.enum(accountTiers),
	key: z.nullable(apiKey),
});

export const agent = z.object({ ...agentFields, board_ids: z.array(z.string()) });
export const createdAgent = z.object({ ...agent.shape, token: z.string() });

export const board = z.object({
	...boardFields,
	status: z.enum(boardStatuses),
	tags: z.record(z.string(), z.string()),
	memory: z.nullable(boardMemory),
});

/** What an import of boards has changed. */
export const importedBoards = z.object({ added: z.int(), changed: z.int(), unchanged: z.int() });

export const baseImage = z.object({
	...baseImageFields,
	action: z.enum(baseImageActions),
	position: z.int(),
});

/** What replacing the base images of a board type changes, or would change: then nothing is added yet. */
export const baseImagePlan = z.object({
	added: z.array(z.partial(baseImage, { id: true, created_at: true })),
	changed: z.array(z.object({ before: baseImage, after: baseImage })),
	removed: z.array(baseImage),
	unchanged: z.int(),
});

export const lease = z.object({
	...leaseFields,
	status: z.enum(leaseStatuses),
	access: z.enum(leaseAccess),
	end_reason: z.nullable(z.enum(leaseEndReasons)),
	console_status: z.nullable(z.enum(consoleStatuses)),
});

/** The leases of a group, in the order of their roles. */
export const leaseGroup = z.object({ id: z.string(), leases: z.array(lease) });

/** A lease after a renewal. */
export const renewedLease = z.object({
	...lease.shape,
	/** The end that no renewal exceeds; null until the lease is active. */
	latest_expires_at: z.nullable(z.string()),
});

/** A lease as administrators see it. */
export const adminLease = z.object({ ...lease.shape, account_id: z.string() });

export const leaseShare = z.object({ ...leaseShareFields, access: z.enum(shareAccess) });

export const leaseAction = z.object({
	...leaseActionFields,
	action: z.enum(boardActions),
	phase: z.enum(leaseActionPhases),
	status: z.enum(leaseActionStatuses),
});

export const firmwareFile = z.object({ ...firmwareFileFields, format: z.enum(firmwareFormats) });

export const activityEntry = z.object({
	...activityFields,
	kind: z.enum(activityKinds),
	via: z.enum(activityChannels),
	details: z.record(z.string(), z.unknown()),
	count: z.int(),
});

/** A page of a list. */
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
	return z.object({ data: z.array(item), next_cursor: z.nullable(z.string()) });
}
