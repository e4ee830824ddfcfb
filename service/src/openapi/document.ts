// The OpenAPI document, made from the schemas that requests are checked with.
import * as contract from 'board-access-contract';
import * as z from 'zod/mini';
import { loginCookie } from '../accounts/sessions/cookie.ts';
import type { Settings } from '../env.ts';
import type { Json, Operation } from './operation.ts';
import { operations } from './operations.ts';

/** The errors that every operation under /v1 can respond with. */
const common: contract.ErrorCode[] = [
	'invalid_request',
	'credentials_missing',
	'api_key_malformed',
	'api_key_invalid',
	'api_key_revoked',
	'api_key_expired',
	'rate_limited',
	'internal',
	'unavailable',
];

const schemas = {
	ApiKey: contract.apiKey,
	CreatedApiKey: contract.createdApiKey,
	Board: contract.board,
	Lease: contract.lease,
	RenewedLease: contract.renewedLease,
	AdminLease: contract.adminLease,
	LeaseAction: contract.leaseAction,
	FirmwareFile: contract.firmwareFile,
	Agent: contract.agent,
	CreatedAgent: contract.createdAgent,
	BaseImage: z.extend(contract.baseImage, { position: z.int() }),
	BaseImagePlan: contract.baseImagePlan,
	ActivityEntry: contract.activityEntry,
	Error: contract.errorBody,
};

const inputs = {
	ApiKeyInput: contract.apiKeyInput,
	AgentInput: contract.agentInput,
	AgentUpdate: contract.agentUpdate,
	BaseImageInput: contract.baseImageInput,
	BaseImageUpdate: contract.baseImageUpdate,
	BaseImageSet: contract.baseImageSet,
	LeaseActionInput: contract.leaseActionInput,
	LeaseInput: contract.leaseInput,
	LeaseRenewal: contract.leaseRenewal,
	BoardInput: contract.boardInput,
	BoardUpdate: contract.boardUpdate,
	MaintenanceInput: contract.maintenanceInput,
};

const pages = Object.fromEntries([
	...['ApiKey', 'Board', 'BaseImage', 'Lease', 'AdminLease', 'LeaseAction', 'Agent'].map(
		(item) => [`${item}Page`, pageSchema(item)] as const,
	),
	['ActivityPage', pageSchema('ActivityEntry')] as const,
]);

type Addresses = Pick<Settings, 'baseUrl' | 'webUrl'>;

/** The document for a service at these addresses. */
export function openapiDocument(addresses: Addresses) {
	return {
		openapi: '3.1.0',
		info: {
			title: 'Board Access Service',
			version: '1',
			summary: 'Boards, leases, API keys and base images',
			description:
				'Send an API key as `Authorization: Bearer key_…`. Every response carries `X-Request-Id`. Lists are paged: follow `next_cursor` until it is null.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: addresses.baseUrl }],
		security: [{ apiKey: [] }, { session: [] }],
		tags: [
			{ name: 'Boards', description: 'Boards that can be leased' },
			{ name: 'Leases', description: 'Boards reserved for the account' },
			{ name: 'Agents', description: 'Programs that drive boards' },
			{ name: 'API keys', description: 'Credentials of the account' },
			{ name: 'Base images', description: 'Flash and erase actions that prepare boards' },
			{ name: 'Activity', description: 'Who changed what, when and from where' },
		],
		paths: mapValues(operations, (methods) => mapValues(methods, describeOperation)),
		components: {
			securitySchemes: {
				apiKey: {
					type: 'http',
					scheme: 'bearer',
					bearerFormat: 'key_ and 48 hexadecimal characters',
				},
				session: {
					type: 'apiKey',
					in: 'cookie',
					name: loginCookie(addresses, 'session_token').name,
				},
			},
			schemas: {
				...mapValues(schemas, (schema) => jsonSchema(schema, 'output')),
				...pages,
				Bytes: { type: 'string', format: 'binary' },
				...mapValues(inputs, (schema) => jsonSchema(schema, 'input')),
			},
		},
	};
}

function describeOperation(operation: Operation) {
	const { operationId, summary, description, tag, input, success, example, notModified } =
		operation;
	const [status, meaning, schema] = success;
	return {
		operationId,
		summary,
		description,
		parameters: parametersOf(operation),
		tags: [tag],
		...(input && {
			requestBody: {
				required: !operation.inputOptional,
				content: content(input, example?.request),
			},
		}),
		responses: {
			[status]: {
				description: meaning,
				...(schema && { content: content(schema, example?.response, operation.types) }),
			},
			...(notModified && { 304: { description: notModified } }),
			...errorResponses([...common, ...operation.errors]),
		},
	};
}

const queryHelp: Record<string, string> = {
	limit: 'Maximum number of items, 1 to 200; 100 by default.',
	cursor: 'The next_cursor of the previous page.',
	include_revoked: 'Also lists revoked keys.',
	account_id: 'What this account did, and what was done to it.',
	kind: 'Entries of this kind only.',
	created: 'Also revokes the keys that this key created.',
	board_type: 'Boards of this type only.',
	tag: 'Boards with this tag only, as name:value. Can be repeated; a board must have all of the tags.',
	status: 'Only this status; with wait, the status that you already know.',
	wait: 'Seconds to wait for a change, at most 60.',
	from: 'The offset of the first byte; 0 by default.',
};

/** Every parameter of an operation, those of its query included. */
export function parametersOf({ query, parameters }: Operation): Json[] {
	const queries = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
		name,
		in: 'query',
		description: queryHelp[name],
		schema: jsonSchema(schema, 'input'),
	}));
	return [...parameters, ...queries];
}

function content(schema: string, example?: Json | string, types = [typeOf(schema)]) {
	const body = { schema: { $ref: `#/components/schemas/${schema}` }, ...(example && { example }) };
	return Object.fromEntries(types.map((type) => [type, body]));
}

function typeOf(schema: string) {
	return schema === 'Bytes' ? 'application/octet-stream' : 'application/json';
}

function errorResponses(codes: contract.ErrorCode[]) {
	const byStatus = Object.groupBy(codes, (code) => String(contract.errorStatuses[code]));
	return mapValues(byStatus, (same = []) => ({
		description: same.map((code) => `\`${code}\``).join(', '),
		content: content('Error'),
	}));
}

function pageSchema(item: string): Json {
	const { properties, ...rest } = jsonSchema(contract.pageOf(z.unknown()), 'output');
	const data = { type: 'array', items: { $ref: `#/components/schemas/${item}` } };
	return { ...rest, properties: { ...Object(properties), data } };
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
	const { $schema: _$schema, ...rest } = z.toJSONSchema(schema, {
		io,
		// A response may gain fields; a request must not have unknown ones.
		override: ({ jsonSchema }) => {
			if (io === 'output') delete jsonSchema.additionalProperties;
		},
	});
	return rest;
}

function mapValues<Value, Result>(
	values: Partial<Record<string, Value>>,
	change: (value: Value) => Result,
) {
	return Object.fromEntries(
		Object.entries(values).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, change(value)]],
		),
	);
}
