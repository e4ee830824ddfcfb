// How the documentation describes one operation: what only it has, and what follows from its address.

import type { ErrorCode } from 'board-access-contract';
import * as contract from 'board-access-contract';
import {
	isConfirmed,
	isForAdmins,
	isForBoards,
	methodOf,
	type Operation,
	pathOf,
} from 'board-access-contract/operations';
import * as z from 'zod/mini';

export type Json = Record<string, unknown>;
export type Schema = z.core.JSONSchema.JSONSchema;

/** What the documentation says about an operation, besides what follows from its value. */
export interface Text {
	summary: string;
	description?: string;
	/** What the response is. */
	success: string;
	/** Says when the response to `If-None-Match` is 304, without a body. */
	notModified?: string;
	/** A body of the request. */
	example?: Json | string;
	/** The file that an example sends. */
	file?: string;
}

export type Described = ReturnType<typeof describe>;

/** An operation with its text, and what follows from both. */
export function describe(operationId: string, operation: Operation, text: Text) {
	const { output, paged, repeatable = false, tagged, bytes, streams, status = 200 } = operation;
	const [method, path] = [methodOf(operation), pathOf(operation)];
	const { tag, id, errors } = nouns.find(({ prefix }) => prefix.test(path)) ?? nouns[0];
	const forAdmins = isForAdmins(operation);
	const hasId = path.includes('{id}');
	const hasBody = bytes || operation.input !== undefined;
	const described = [forAdmins && forAdministrators(method), text.description];
	/** As OpenAPI writes them. */
	const parameters: Json[] = [
		...when(hasId, id),
		...when(path.includes('{action_id}'), actionId),
		...when(repeatable, idempotencyKey),
		...when(tagged, ifNoneMatch),
		...queryParameters(operation),
	];
	return {
		...text,
		operationId,
		method,
		path,
		description: described.filter(Boolean).join(' '),
		tag,
		parameters,
		input: bytes ? 'Bytes' : nameOf(operation.input),
		inputOptional: operation.inputOptional,
		output: streams ? 'Bytes' : nameOf(output, paged),
		status: output || streams ? status : 204,
		errors: [
			...when<ErrorCode>(operation.input, 'invalid_json'),
			...when<ErrorCode>(method !== 'GET', 'origin_refused'),
			...when<ErrorCode>(repeatable, 'idempotency_in_progress'),
			...when<ErrorCode>(hasBody, 'body_too_large', 'unsupported_media_type'),
			...when<ErrorCode>(repeatable, hasId ? 'idempotency_conflict' : 'idempotency_mismatch'),
			...when<ErrorCode>(forAdmins, 'admin_required'),
			...when<ErrorCode>(isConfirmed(operation), 'confirmation_required'),
			...when<ErrorCode>(!isForBoards(operation), 'scope_insufficient'),
			...when<ErrorCode>(onlyForSome.test(`${method} ${path}`), 'access_insufficient'),
			...when<ErrorCode>(hasId, 'secret_in_path', ...errors),
			...(operation.errors ?? []),
		],
	};
}

const names = new Map(
	Object.entries(contract).map(([name, value]: [string, unknown]) => [
		value,
		name.charAt(0).toUpperCase() + name.slice(1),
	]),
);

/** What the documentation calls a schema, or a page of such records. */
function nameOf(schema: z.ZodMiniType | undefined, paged = false) {
	if (schema === undefined) return undefined;
	const name = names.get(schema);
	if (name === undefined) throw new Error('The contract does not export a schema of an operation');
	return paged ? `${name}Page` : name;
}

/** What needs more than the access `look`: changes of a lease, except for a sync of its console, and its shares. */
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

function queryParameters({ query }: Operation): Json[] {
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
	{ prefix: /keys/, tag: 'API keys', id: keyId, errors: ['key_not_found'] },
	{ prefix: /leases/, tag: 'Leases', id: leaseId, errors: ['lease_not_found'] },
	{ prefix: /boards/, tag: 'Boards', id: boardId, errors: ['board_not_found'] },
	{ prefix: /agents/, tag: 'Agents', id: agentId, errors: ['agent_not_found'] },
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
