// The OpenAPI document, made from the schemas that requests are checked with.
import {
	activityEntry,
	adminLease,
	agent,
	agentInput,
	agentUpdate,
	apiKey,
	apiKeyInput,
	baseImage,
	baseImageInput,
	baseImagePlan,
	baseImageSet,
	baseImageUpdate,
	board,
	boardInput,
	boardUpdate,
	createdAgent,
	createdApiKey,
	type ErrorCode,
	errorBody,
	errorStatuses,
	firmwareFile,
	lease,
	leaseAction,
	leaseActionInput,
	leaseInput,
	leaseRenewal,
	maintenanceInput,
	pageOf,
	renewedLease,
} from 'board-access-contract';
import * as z from 'zod/mini';
import { sessionCookie } from '../accounts/sessions/cookie.ts';
import type { Settings } from '../env.ts';
import type { Json, Operation } from './operation.ts';
import { operations } from './operations.ts';

/** The errors that every operation under /v1 can respond with. */
const common: ErrorCode[] = [
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
	ApiKey: apiKey,
	CreatedApiKey: createdApiKey,
	Board: board,
	Lease: lease,
	RenewedLease: renewedLease,
	AdminLease: adminLease,
	LeaseAction: leaseAction,
	FirmwareFile: firmwareFile,
	Agent: agent,
	CreatedAgent: createdAgent,
	BaseImage: z.extend(baseImage, { position: z.int() }),
	BaseImagePlan: baseImagePlan,
	ActivityEntry: activityEntry,
	Error: errorBody,
};

const inputs = {
	ApiKeyInput: apiKeyInput,
	AgentInput: agentInput,
	AgentUpdate: agentUpdate,
	BaseImageInput: baseImageInput,
	BaseImageUpdate: baseImageUpdate,
	BaseImageSet: baseImageSet,
	LeaseActionInput: leaseActionInput,
	LeaseInput: leaseInput,
	LeaseRenewal: leaseRenewal,
	BoardInput: boardInput,
	BoardUpdate: boardUpdate,
	MaintenanceInput: maintenanceInput,
};

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
					name: `${sessionCookie(addresses).prefix}.session_token`,
				},
			},
			schemas: {
				...mapValues(schemas, (schema) => jsonSchema(schema, 'output')),
				ApiKeyPage: pageSchema('ApiKey'),
				BoardPage: pageSchema('Board'),
				BaseImagePage: pageSchema('BaseImage'),
				LeasePage: pageSchema('Lease'),
				AdminLeasePage: pageSchema('AdminLease'),
				LeaseActionPage: pageSchema('LeaseAction'),
				AgentPage: pageSchema('Agent'),
				ActivityPage: pageSchema('ActivityEntry'),
				Bytes: { type: 'string', format: 'binary' },
				...mapValues(inputs, (schema) => jsonSchema(schema, 'input')),
			},
		},
	};
}

function describeOperation({
	tag,
	input,
	success,
	errors,
	query,
	parameters,
	example,
	notModified,
	...rest
}: Operation) {
	return {
		...rest,
		parameters: parametersOf({ query, parameters }),
		tags: [tag],
		...(input && {
			requestBody: {
				required: input.required,
				...content(input.schema, {
					example: example?.request,
					types: input.type === undefined ? undefined : [input.type],
				}),
			},
		}),
		responses: {
			[success.status]: {
				description: success.description,
				...(success.schema &&
					content(success.schema, { example: example?.response, types: success.types })),
			},
			...(notModified && { 304: { description: notModified } }),
			...errorResponses([...common, ...errors]),
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
export function parametersOf({ query, parameters = [] }: Partial<Operation>): Json[] {
	return [
		...parameters,
		...Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
			name,
			in: 'query',
			description: queryHelp[name],
			schema: jsonSchema(schema, 'input'),
		})),
	];
}

function content(
	schema: string,
	{
		example,
		types = ['application/json'],
	}: { example?: Json | string | undefined; types?: readonly string[] | undefined } = {},
) {
	const body = { schema: { $ref: `#/components/schemas/${schema}` }, ...(example && { example }) };
	return { content: Object.fromEntries(types.map((type) => [type, body])) };
}

function errorResponses(codes: ErrorCode[]) {
	const byStatus = Object.groupBy(codes, (code) => String(errorStatuses[code]));
	return mapValues(byStatus, (same = []) => ({
		description: same.map((code) => `\`${code}\``).join(', '),
		...content('Error'),
	}));
}

function pageSchema(item: string): Json {
	const { properties, ...rest } = jsonSchema(pageOf(z.unknown()), 'output');
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
