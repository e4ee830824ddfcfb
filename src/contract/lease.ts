// Leases on the wire: a board reserved for one account, what is done with it, and its files.
import * as z from 'zod/mini';

export const leaseStatuses = ['queued', 'preparing', 'active', 'ended'] as const;

export const leaseEndReasons = [
	'released',
	'expired',
	'cancelled',
	'no_board',
	'prepare_failed',
	'agent_lost',
	'admin',
] as const;

/** Whether the agent reaches the console of the board. */
export const consoleStatuses = ['connected', 'disconnected'] as const;

export const leaseFields = {
	id: z.string(),
	status: z.string(),
	board_id: z.nullable(z.string()),
	board_type: z.string(),
	label: z.nullable(z.string()),
	/** 1 is next. Null unless the lease is queued. */
	queue_position: z.nullable(z.number()),
	minutes: z.number(),
	created_at: z.string(),
	started_at: z.nullable(z.string()),
	/** Null while the lease is queued or preparing, unless it has a heartbeat: then it runs out here. */
	expires_at: z.nullable(z.string()),
	/** The milliseconds until then, at the time of the response. */
	expires_in_ms: z.nullable(z.number()),
	/** When the preparation has failed if it is not done. Null unless the lease is preparing. */
	preparation_expires_at: z.nullable(z.string()),
	ended_at: z.nullable(z.string()),
	end_reason: z.nullable(z.string()),
	end_message: z.nullable(z.string()),
	/** Credits booked for the lease; null until it has ended. */
	credits: z.nullable(z.number()),
	/** Null if nobody knows, or if the board has no console. */
	console_status: z.nullable(z.string()),
	/** Why the console is disconnected. */
	console_message: z.nullable(z.string()),
	/** When the service learned of it. */
	console_lost_at: z.nullable(z.string()),
	/** Before this offset, output is missing: the console was disconnected, and no action explains it. */
	console_gap_offset: z.nullable(z.number()),
	/** For how many milliseconds in all, since the last action before. */
	console_gap_ms: z.nullable(z.number()),
};

export const boardActions = [
	'flash',
	'erase',
	'reset',
	'power_on',
	'power_off',
	'power_cycle',
] as const;

export const leaseActionStatuses = ['queued', 'running', 'done', 'failed'] as const;

/** Actions of the `prepare` phase come from the base images of the board type. */
export const leaseActionPhases = ['prepare', 'use'] as const;

export const leaseActionFields = {
	id: z.string(),
	action: z.string(),
	phase: z.string(),
	/** The base image that the action comes from, or null. */
	name: z.nullable(z.string()),
	status: z.string(),
	message: z.string(),
	/** Where the console was when the output of the action itself began; final once it is done. */
	console_offset: z.nullable(z.number()),
	created_at: z.string(),
	ended_at: z.nullable(z.string()),
};

export const firmwareFileFields = {
	id: z.string(),
	size: z.number(),
	sha256: z.string(),
	format: z.string(),
};

/** The offset that an error `console_gap` names: where the bytes of the console end. */
export function gapOffset({ code, param = '' }: { code: string; param?: string | undefined }) {
	return code === 'console_gap' && /^\d{1,15}$/.test(param) ? Number(param) : undefined;
}
