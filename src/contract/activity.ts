// The activity log on the wire.
import * as z from 'zod/mini';

/** What an entry can be about. The part before the dot names what changed. */
export const activityKinds = [
	'account.created',
	'account.invited',
	'account.verified',
	'account.email_changed',
	'account.reset_link_created',
	'account.role_changed',
	'account.disabled',
	'account.enabled',
	'account.deleted',
	'session.created',
	'session.ended',
	'session.refused',
	'password.changed',
	'password.reset',
	'password.refused',
	'two_factor.enabled',
	'two_factor.disabled',
	'two_factor.codes_replaced',
	'key.created',
	'key.replaced',
	'key.revoked',
	'credits.granted',
	'credits.topped_up',
	'base_image.created',
	'base_image.changed',
	'base_image.deleted',
	'board.created',
	'board.changed',
	'board.retired',
	'board.maintenance_started',
	'board.maintenance_ended',
	'boards.imported',
	'agent.created',
	'agent.changed',
	'agent.token_rotated',
	'agent.revoked',
	'lease.created',
	'lease.ended',
	'lease.shared',
	'lease.unshared',
	'lease.viewed',
] as const;

/** How a change was made: `visitor` is somebody who is not logged in, for example in a failed log-in. */
export const activityChannels = [
	'session',
	'api_key',
	'mcp',
	'command_line',
	'visitor',
	'service',
] as const;

export const activityFields = {
	id: z.string(),
	kind: z.string(),
	created_at: z.string(),
	account_id: z.nullable(z.string()),
	account_email: z.nullable(z.string()),
	/** The account that made the change; null for the operator, for visitors and for the service. */
	actor_id: z.nullable(z.string()),
	actor_email: z.nullable(z.string()),
	via: z.string(),
	api_key_id: z.nullable(z.string()),
	session_id: z.nullable(z.string()),
	address: z.nullable(z.string()),
	subject_id: z.nullable(z.string()),
	/** An object; client and service check it themselves, like the tags of a board. */
	details: z.unknown(),
	count: z.number(),
	last_at: z.string(),
};
