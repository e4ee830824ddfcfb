// How the documentation describes one operation: what only it has, and what follows from its address.
import type { ErrorCode } from 'board-access-contract';
import * as z from 'zod/mini';
import { isBoardsPath } from './authenticate.ts';

export type Json = Record<string, unknown>;
export type Schema = z.core.JSONSchema.JSONSchema;

export interface Description {
	route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /v1/${string}`;
	summary: string;
	description?: string;
	query?: z.ZodMiniObject;
	/** The name of the schema of the body: JSON, unless it is `Bytes`. */
	input?: string;
	/** Whether the body can be omitted. */
	inputOptional?: boolean;
	/** The file that an example sends. */
	file?: string;
	/** The response: JSON, unless `types` says otherwise, or without a body. */
	success: [status: 200 | 201 | 202 | 204, description: string, schema?: string];
	types?: string[];
	/** Says when the response to `If-None-Match` is 304, without a body. */
	notModified?: string;
	/** Whether it accepts an `Idempotency-Key`. */
	repeatable?: boolean;
	/** A body of the request. */
	example?: Json | string;
	/** Errors besides those that follow from the address and the body. */
	errors?: ErrorCode[];
}

export type Operation = ReturnType<typeof complete>;

/** An operation with what follows from its method and its path. */
export function complete([operationId, given]: [string, Description]) {
	const { input, repeatable = false, notModified } = given;
	const [method = '', path = ''] = given.route.split(' ');
	const { tag, id, errors } = nouns.find(({ prefix }) => prefix.test(path)) ?? nouns[0];
	const isAdmin = path.startsWith('/v1/admin/');
	const hasId = path.includes('{id}');
	const description = [isAdmin && forAdministrators(method), given.description];
	/** As OpenAPI writes them. */
	const parameters: Json[] = [
		...when(hasId, id),
		...when(path.includes('{action_id}'), actionId),
		...when(repeatable, idempotencyKey),
		...when(notModified, ifNoneMatch),
		...queryParameters(given),
	];
	return {
		...given,
		operationId,
		method,
		path,
		description: description.filter(Boolean).join(' '),
		tag,
		parameters,
		errors: [
			...when<ErrorCode>(input && input !== 'Bytes', 'invalid_json'),
			...when<ErrorCode>(method !== 'GET', 'origin_refused'),
			...when<ErrorCode>(repeatable, 'idempotency_in_progress'),
			...when<ErrorCode>(input, 'body_too_large', 'unsupported_media_type'),
			...when<ErrorCode>(repeatable, hasId ? 'idempotency_conflict' : 'idempotency_mismatch'),
			...when<ErrorCode>(isAdmin, 'admin_required'),
			...when<ErrorCode>(isAdmin && method !== 'GET', 'confirmation_required'),
			...when<ErrorCode>(!isBoardsPath(path), 'scope_insufficient'),
			...when<ErrorCode>(onlyForSome.test(`${method} ${path}`), 'access_insufficient'),
			...when(hasId, ...errors),
			...(given.errors ?? []),
		],
	};
}

/** Not for everybody who may look at a lease: its changes, apart from asking for its output, and with whom it is shared. */
const onlyForSome = /^(POST|DELETE) \/v1\/leases\/\{id\}(?!.*sync$)|\/shares/;

const queryHelp: Record<string, string> = {
	limit: 'Maximum number of items, 1 to 200; 100 by default.',
	cursor: 'The next_cursor of the previous page.',
	include_revoked: 'Also lists revoked keys.',
	account_id: 'What this account did, and what was done to it.',
	kind: 'Entries of this kind only.',
	created: 'Also revokes the keys that this key created.',
	shared: 'Lists the leases of others that are shared with the account, instead of its own.',
	board_type: 'Boards of this type only.',
	tag: 'Boards with this tag only, as name:value. Can be repeated; a board must have all of the tags.',
	status:
		'Only this status; with wait, the status that you already know. In a list of leases, it can be repeated.',
	wait: 'Seconds to wait for a change, at most 60.',
	from: 'The offset of the first byte; 0 by default.',
};

function queryParameters({ query }: Description): Json[] {
	return Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
		name,
		in: 'query',
		description: queryHelp[name],
		schema: jsonSchema(schema, 'input'),
	}));
}

export function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
	const { $schema: _$schema, ...rest } = z.toJSONSchema(schema, {
		io,
		// A response may gain fields; a request must not have unknown ones.
		override: ({ jsonSchema }) => {
			if (io === 'output') delete jsonSchema.additionalProperties;
		},
	});
	return rest;
}

function forAdministrators(method: string) {
	if (method === 'GET') return 'For administrators.';
	return 'For administrators; with a session cookie, within 15 minutes after they entered the password or a code.';
}

function when<Item>(condition: unknown, ...items: Item[]) {
	return condition ? items : [];
}

/** A parameter of a path, with a value for examples. */
function inPath(name: string, description: string, example: string) {
	return { name, in: 'path', required: true, description, schema: { type: 'string' }, example };
}

export const leaseId = inPath('id', 'The identifier of the lease.', 'lse_4f1b2c3d4e5f60718293a4b5');
export const boardId = inPath('id', 'The identifier of the board.', 'brd_arduino-uno-01');
const actionId = inPath(
	'action_id',
	'The identifier of the action.',
	'act_4f1b2c3d4e5f60718293a4b5',
);
const agentHelp = 'The identifier of the agent, not its token.';
const agentId = inPath('id', agentHelp, 'agt_0123456789abcdef01234567');
const imageId = inPath('id', 'The identifier of the base image.', 'img_1f2e3d4c5b6a79880716253a');
const keyId = {
	...inPath('id', 'The identifier of the key, not the key.', 'key_0123456789abcdef01234567'),
	schema: { type: 'string', pattern: '^key_[0-9a-f]{24}$' },
};

interface Noun {
	prefix: RegExp;
	tag: string;
	/** The parameter that names one of them, and the errors about it. */
	id: Json;
	errors: ErrorCode[];
}

// The account and the activity log have no paths with an identifier.
const nouns: [Noun, ...Noun[]] = [
	{ prefix: /account$/, tag: 'Account', id: {}, errors: [] },
	{ prefix: /activity$/, tag: 'Activity', id: {}, errors: [] },
	{ prefix: /keys/, tag: 'API keys', id: keyId, errors: ['secret_in_path', 'key_not_found'] },
	{ prefix: /leases/, tag: 'Leases', id: leaseId, errors: ['lease_not_found'] },
	{ prefix: /boards/, tag: 'Boards', id: boardId, errors: ['board_not_found'] },
	{ prefix: /agents/, tag: 'Agents', id: agentId, errors: ['secret_in_path', 'agent_not_found'] },
	{ prefix: /images/, tag: 'Base images', id: imageId, errors: ['base_image_not_found'] },
];

const idempotencyKey = {
	name: 'Idempotency-Key',
	in: 'header',
	description: 'Makes it safe to repeat the request; kept for 24 hours.',
	schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const ifNoneMatch = {
	name: 'If-None-Match',
	in: 'header',
	description: 'The `ETag` of the page that the caller has.',
	schema: { type: 'string' },
};
