// Leases on the wire, their actions and their files. The types of the client describe the fields.
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

/** `look`: read a lease and its console. `type`: also write to the console, reset the board and drive its pins. */
export const shareAccess = ['look', 'type'] as const;

/** What a caller may do with a lease, from the least on; its holder may do everything. */
export const leaseAccess = ['look', 'type', 'hold'] as const;

/** Whether the agent reaches the console of the board. */
export const consoleStatuses = ['connected', 'disconnected'] as const;

/** The name of a board in a group, such as `dut`. It becomes a part of environment variables. */
export const rolePattern = /^[a-z][a-z0-9_]{0,31}$/;
export const roleRule = 'must be lower-case letters, digits and _, and begin with a letter';

export const leaseFields = {
	id: z.string(),
	group_id: z.nullable(z.string()),
	role: z.nullable(z.string()),
	status: z.string(),
	access: z.string(),
	holder_email: z.nullable(z.string()),
	board_id: z.nullable(z.string()),
	board_type: z.string(),
	label: z.nullable(z.string()),
	queue_position: z.nullable(z.number()),
	minutes: z.number(),
	created_at: z.string(),
	started_at: z.nullable(z.string()),
	expires_at: z.nullable(z.string()),
	expires_in_ms: z.nullable(z.number()),
	preparation_expires_at: z.nullable(z.string()),
	ended_at: z.nullable(z.string()),
	end_reason: z.nullable(z.string()),
	end_message: z.nullable(z.string()),
	credits: z.nullable(z.number()),
	console_status: z.nullable(z.string()),
	console_message: z.nullable(z.string()),
	console_lost_at: z.nullable(z.string()),
	console_gap_offset: z.nullable(z.number()),
	console_gap_ms: z.nullable(z.number()),
	halted_by: z.nullable(z.string()),
};

export const leaseShareFields = { email: z.string(), access: z.string(), created_at: z.string() };

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
	name: z.nullable(z.string()),
	status: z.string(),
	message: z.string(),
	progress: z.nullable(z.number()),
	console_offset: z.nullable(z.number()),
	created_at: z.string(),
	ended_at: z.nullable(z.string()),
	requested_by: z.nullable(z.string()),
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

/** Reads a board as people write it: a type or an ID, then tags after colons, such as `rp2040-pico:radio=lora`. */
export function readWantedBoard(text: string) {
	const [name = '', ...tags] = text.split(':');
	const board = name.startsWith('brd_') ? { board_id: name } : { board_type: name };
	return { ...board, tags: Object.fromEntries(tags.map(readTag)) };
}

/** A name and a value, or a name alone for any value. */
export function readTag(text: string): [name: string, value: string | null] {
	const at = text.indexOf('=');
	return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}
