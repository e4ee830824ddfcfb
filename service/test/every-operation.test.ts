// What holds for every operation of the API, asked of each: nothing here knows one by name.
import {
	isForAdmins,
	isForBoards,
	methodOf,
	type Operation,
	pathOf,
	operations as values,
} from 'board-access-contract/operations';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { issueKey } from '../../core/src/keys/store.ts';
import { paidAccount } from '../../core/test/support/databases.ts';
import { runs } from '../../test/support/runs.ts';
import { texts } from '../src/openapi/texts.ts';
import { type Backend, onSqlite } from './support/backends.ts';

const operations = Object.entries(values).map(([name, operation]) => {
	const { example } = texts[name as keyof typeof values];
	const value: Operation = operation;
	return { name, operation: value, example: value.input ? (example ?? {}) : undefined };
});
type Each = (typeof operations)[number];

const select = (suits: (operation: Operation) => boolean) =>
	operations.filter(({ operation }) => suits(operation));
const hasId = (operation: Operation) => operation.route.includes('{');

const unlimited = {
	rateLimitPerKey: 1e9,
	rateLimitPerAccount: 1e9,
	rateLimitFailedCredentials: 1e9,
	rateLimitPerAddress: 1e9,
	rateLimitConsoleInput: 1e9,
};

/** Identifiers of the right form that nothing has. */
const unknownIds: readonly [RegExp, string][] = [
	[/keys/, `key_${'0'.repeat(24)}`],
	[/leases/, `lse_${'0'.repeat(24)}`],
	[/agents/, `agt_${'0'.repeat(24)}`],
	[/images/, `img_${'0'.repeat(24)}`],
	[/boards/, 'brd_none'],
];
const unknownId = (operation: Operation) =>
	unknownIds.find(([prefix]) => prefix.test(pathOf(operation)))?.[1] ?? '';

interface Changes {
	id?: string;
	query?: string;
	body?: BodyInit;
	headers?: Record<string, string>;
}

function request(backend: Backend, { operation, example }: Each, changes: Changes = {}) {
	const { id = unknownId(operation), query = '', headers = {} } = changes;
	const path = pathOf(operation)
		.replace('{id}', id)
		.replace('{action_id}', `act_${'0'.repeat(24)}`);
	const body = changes.body ?? (operation.bytes ? 'x' : JSON.stringify(example));
	const type = operation.bytes ? 'application/octet-stream' : 'application/json';
	return backend.send(path + query, {
		method: methodOf(operation),
		...(body !== undefined && { body }),
		headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
	});
}

async function errorOf(sent: Promise<Response>) {
	const response = await sent;
	const text = await response.text();
	return { status: response.status, ...JSON.parse(text || '{}').error, text };
}

describe('every operation', () => {
	let backend: Backend;
	let boardsKey: string;
	beforeAll(async () => {
		backend = await onSqlite.open(unlimited);
		const { key } = await backend.client().keys.create({ scope: 'boards' });
		boardsKey = key;
	});
	afterAll(() => backend.close());

	const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

	test.each(operations)('$name needs a credential', async (each) => {
		const error = await errorOf(request(backend, each, { headers: { authorization: 'none' } }));
		expect(error).toMatchObject({ status: 401, code: 'credentials_missing' });
	});

	test.each(select(isForAdmins))('$name is for administrators', async (each) => {
		const error = await errorOf(request(backend, each, as(backend.freeApiKey)));
		expect(error).toMatchObject({ status: 403, code: 'admin_required' });
	});

	test.each(operations)('a key for boards may use $name if it is for boards', async (each) => {
		const { code } = await errorOf(
			request(backend, each, { ...as(boardsKey), query: '?unknown=1' }),
		);
		expect(code).toBe(isForBoards(each.operation) ? 'invalid_request' : 'scope_insufficient');
	});

	test.each(operations)('$name rejects a name in its query that is unknown', async (each) => {
		const error = await errorOf(request(backend, each, { query: '?colour=red' }));
		expect(error).toMatchObject({ status: 400, code: 'invalid_request', param: 'colour' });
	});

	test.each(select(hasId))('$name rejects a key in place of an identifier', async (each) => {
		const error = await errorOf(request(backend, each, { id: backend.apiKey }));
		expect(error).toMatchObject({ status: 400, code: 'secret_in_path' });
		expect(error.text).not.toContain(backend.apiKey);
	});

	test.each(select(hasId))('$name of something unknown is a 404', async (each) => {
		const error = await errorOf(request(backend, each));
		expect([error.status, error.code]).toEqual([404, expect.stringMatching(/_not_found$/)]);
	});
});

describe('what every operation reads', () => {
	let backend: Backend;
	const theirs = { lease: '', key: '' };
	let strangersKey: string;
	beforeAll(async () => {
		backend = await onSqlite.open(unlimited);
		const { database } = backend.services;
		const free = backend.client(backend.freeApiKey);
		const [board] = await free.boards.list({ status: 'available' });
		theirs.lease = (await free.leases.create({ boardId: board?.id ?? '' })).id;
		const { id: accountId } = await free.account.get();
		theirs.key = (await issueKey(database.query, { accountId })).id;
		const stranger = await paidAccount(database);
		strangersKey = (await issueKey(database.query, { accountId: stranger.id })).key;
	});
	afterAll(() => backend.close());

	const names = select((operation) => operation.query !== undefined).flatMap((each) =>
		Object.entries(each.operation.query?.shape ?? {}).map(([name, schema]) => ({
			each,
			name,
			title: `${each.name} with ${name}`,
			isList: z.safeParse(schema, ['x']).success || z.safeParse(schema, []).success,
		})),
	);

	test.each(names)('$title twice', async ({ each, name, isList }) => {
		const error = await errorOf(request(backend, each, { query: `?${name}=1&${name}=1` }));
		if (isList) expect(error.message ?? '').not.toContain('given once');
		else expect(error).toMatchObject({ status: 400, param: name });
	});

	const withInput = select((operation) => operation.input !== undefined);

	test.each(withInput)('$name rejects a body that is not JSON', async (each) => {
		for (const body of ['{', '\xff', '"']) {
			expect(await errorOf(request(backend, each, { body }))).toMatchObject({ status: 400 });
		}
		const headers = { 'content-type': 'text/plain' };
		expect(await errorOf(request(backend, each, { headers }))).toMatchObject({ status: 415 });
	});

	const fields = withInput.flatMap(({ name, operation, example }) => {
		const schema = z.toJSONSchema(operation.input as z.ZodMiniType, { io: 'input' });
		const wrong = (type: unknown) => (type === 'string' ? 5 : 'x');
		return Object.entries(schema.properties ?? {})
			.filter((field) => typeof field[1] === 'object' && 'type' in field[1])
			.map(([field, given]) => ({
				each: { name, operation, example },
				field,
				title: `${name} with a ${field} of the wrong type`,
				body: { ...Object(example), [field]: wrong(Reflect.get(Object(given), 'type')) },
			}));
	});

	test.each(fields)('$title', async ({ each, field, body }) => {
		const error = await errorOf(request(backend, each, { body: JSON.stringify(body) }));
		expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
		expect(JSON.stringify(error.errors)).toContain(field);
	});

	test.each(withInput)('$name rejects a field that is unknown', async (each) => {
		const body = JSON.stringify({ ...Object(each.example), colour: 'red' });
		const error = await errorOf(request(backend, each, { body }));
		expect([error.status, JSON.stringify(error.errors)]).toEqual([
			400,
			expect.stringContaining('colour'),
		]);
	});

	const ofAccounts = select(
		(operation) =>
			hasId(operation) && !isForAdmins(operation) && /keys|leases/.test(operation.route),
	);

	test.each(ofAccounts)('$name of another account is as unknown', async (each) => {
		const headers = { authorization: `Bearer ${strangersKey}` };
		const id = each.operation.route.includes('keys') ? theirs.key : theirs.lease;
		const rejected = await errorOf(request(backend, each, { id, headers }));
		const {
			request_id: _id,
			text: _text,
			...unknown
		} = await errorOf(request(backend, each, { headers }));
		expect(rejected).toMatchObject(unknown);
		expect(rejected.status).toBe(404);
	});

	const value = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.integer(),
		fc.boolean(),
		fc.constant(null),
		fc.anything({ maxDepth: 2 }),
	);
	const generated = fc.constantFrom(...operations).chain((each) => {
		const { query, input } = each.operation;
		const named = Object.keys(query?.shape ?? {});
		const fieldNames = Object.keys(
			input ? (z.toJSONSchema(input, { io: 'input' }).properties ?? {}) : {},
		);
		return fc.record({
			each: fc.constant(each),
			id: fc.oneof(fc.constant(undefined), fc.webSegment({ size: 'small' })),
			query: fc.array(fc.tuple(fc.constantFrom('limit', ...named), fc.string({ unit: 'binary' })), {
				maxLength: 3,
			}),
			fields: fc.dictionary(fc.constantFrom('name', ...fieldNames), value, { maxKeys: 4 }),
		});
	});

	test('generated requests of all operations cause no internal error', {
		timeout: 120_000,
		tags: 'generated',
	}, async () => {
		const statuses = new Set<number>();
		await fc.assert(
			fc.asyncProperty(generated, async ({ each, id, query, fields }) => {
				const body = { ...Object(each.example), ...fields };
				const text = JSON.stringify(body, (_name, inner) =>
					typeof inner === 'bigint' ? String(inner) : inner,
				);
				const response = await request(backend, each, {
					...(id && { id }),
					query: `?${new URLSearchParams(query.map(([name, text]) => [name, text.toWellFormed()]))}`,
					...(each.operation.input && { body: text }),
				});
				await response.body?.cancel();
				statuses.add(response.status);
				expect([response.status, each.name, text]).not.toEqual([500, each.name, text]);
			}),
			{ numRuns: runs(1_000) },
		);
		expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
	});
});
