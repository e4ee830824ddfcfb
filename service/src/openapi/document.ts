// The OpenAPI document, made from the schemas that requests are checked with.
import * as contract from 'board-access-contract';
import type { Settings } from 'board-access-core';
import { serviceCookie } from 'board-access-http/cookies';
import type { ServiceApp } from 'board-access-http/environment';
import { type Described, type Json, jsonSchema, type Schema } from 'board-access-http/operation';
import * as z from 'zod/mini';
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

type Addresses = Pick<Settings, 'baseUrl' | 'webUrl'>;

/** Adds /openapi.json, written on the first request. */
export function openapiRoute(app: ServiceApp, { settings }: { settings: Addresses }) {
	let json: string | undefined;

	app.get('/openapi.json', (c) => {
		json ??= JSON.stringify(openapiDocument(settings));
		return c.body(json, 200, { 'content-type': 'application/json' });
	});
}

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
			{ name: 'Leases', description: 'Boards in use by the account' },
			{ name: 'Agents', description: 'Programs that drive boards' },
			{ name: 'Account', description: 'Who sends the requests' },
			{ name: 'API keys', description: 'Credentials of the account' },
			{ name: 'Base images', description: 'Flash and erase actions that prepare boards' },
			{ name: 'Activity', description: 'Who changed what, when and from where' },
		],
		paths: mapValues(
			Object.groupBy(operations, ({ path }) => path),
			(methods = []) =>
				Object.fromEntries(
					methods.map((operation) => [operation.method.toLowerCase(), describe(operation)]),
				),
		),
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
					name: serviceCookie(addresses, 'session_token').name,
				},
			},
			schemas: components(),
		},
	};
}

function describe(operation: Described) {
	const { operationId, summary, description, parameters, tag, input, output } = operation;
	const { example, notModified, status, success } = operation;
	return {
		operationId,
		summary,
		description,
		parameters,
		tags: [tag],
		...(input && {
			requestBody: {
				required: !operation.inputOptional,
				content: content(input, example),
			},
		}),
		responses: {
			[status]: {
				description: success,
				...(output && { content: content(output) }),
			},
			...(notModified && { 304: { description: notModified } }),
			...errorResponses([...common, ...operation.errors]),
		},
	};
}

/** The schemas that the operations name, and those of the items of their pages. */
function components() {
	const inputs = operations.flatMap(({ input }) => input ?? []);
	const outputs = operations.flatMap(({ output = '' }) => [output, itemOf(output)]);
	const named = (names: string[], io: 'input' | 'output') =>
		names.filter(Boolean).map((name) => [name, component(name, io)] as const);
	return Object.fromEntries([...named(inputs, 'input'), ...named(['Error', ...outputs], 'output')]);
}

function component(name: string, io: 'input' | 'output'): Schema {
	if (name === 'Bytes') return { type: 'string', format: 'binary' };
	if (itemOf(name)) return pageSchema(itemOf(name));
	const key = name === 'Error' ? 'errorBody' : name.charAt(0).toLowerCase() + name.slice(1);
	const schema: unknown = Reflect.get(contract, key);
	if (!(schema instanceof z.ZodMiniType)) throw new Error(`The contract has no schema ${name}`);
	return jsonSchema(schema, io);
}

function itemOf(name: string) {
	return /^(.*)Page$/.exec(name)?.[1] ?? '';
}

function content(schema: string, example?: Json | string) {
	const type = schema === 'Bytes' ? 'application/octet-stream' : 'application/json';
	const body = { schema: { $ref: `#/components/schemas/${schema}` }, ...(example && { example }) };
	return { [type]: body };
}

function errorResponses(codes: contract.ErrorCode[]) {
	const byStatus = Object.groupBy(codes, (code) => String(contract.errorStatuses[code]));
	return mapValues(byStatus, (same = []) => ({
		description: same.map((code) => `\`${code}\``).join(', '),
		content: content('Error'),
	}));
}

function pageSchema(item: string): Schema {
	const { properties, ...rest } = jsonSchema(contract.pageOf(z.unknown()), 'output');
	const data: Schema = { type: 'array', items: { $ref: `#/components/schemas/${item}` } };
	return { ...rest, properties: { ...properties, data } };
}

function mapValues<Value, Result>(values: Record<string, Value>, change: (value: Value) => Result) {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
