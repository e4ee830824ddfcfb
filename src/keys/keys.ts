// The requests about API keys.
import * as z from 'zod/mini';
import { apiKeyPattern } from '../contract/api-key.ts';
import { apiKeyFields, createdApiKeyFields } from '../contract/api-key-fields.ts';
import { InputError } from '../errors/errors.ts';
import { invalidResponse } from '../errors/invalid-response.ts';
import { createListing } from '../http/list.ts';
import type { Transport } from '../http/request.ts';
import { jsonBody } from '../records/json.ts';
import { listQuery, readInput, recordReader, snakeCased } from '../records/records.ts';
import { keysPath, revokeKey } from './revoke.ts';
import { rotate } from './rotate.ts';
import type { ApiKeyInput, CreatedApiKey, Keys } from './types.ts';

const text = z.nullable(z.string());
const fields = { label: text, expiresAt: text, scope: text };

const readKey = recordReader(apiKeyFields);
const readCreatedKey = recordReader(createdApiKeyFields);

export function createKeys(transport: Transport): Keys {
	const { request } = transport;
	const revoke: Keys['revoke'] = async (...id) => await revokeKey(request, ...id);
	const keys: Keys = {
		create: async (key = {}, options) =>
			await request({
				method: 'POST',
				path: keysPath,
				body: jsonBody(snakeCased(readInput(fields, wireInput(key)))),
				options,
				read: (body) => withDisposal(wellFormed(readCreatedKey(body)), revoke),
			}),
		list: (query, options) =>
			createListing(request, () => ({
				path: keysPath,
				query: listQuery({ includeRevoked: z.boolean() }, query),
				read: readKey,
				options,
			})),
		revoke,
		rotate: async (id, key = {}, options) =>
			await rotate({ ...keys, transport }, { id, key, options }),
	};
	return keys;
}

function wireInput(key: ApiKeyInput) {
	const { expiresAt } = key ?? {};
	return expiresAt instanceof Date ? { ...key, expiresAt: timeOf(expiresAt) } : key;
}

function timeOf(date: Date) {
	if (!Number.isNaN(date.getTime())) return date.toISOString();
	throw new InputError([{ path: 'expiresAt', message: 'must be a valid date' }]);
}

/** Adds what a record cannot say itself: how it is printed, and how it is disposed of. */
function withDisposal(
	created: Omit<CreatedApiKey, typeof Symbol.asyncDispose>,
	revoke: Keys['revoke'],
): CreatedApiKey {
	return Object.defineProperties(created, {
		[Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: {
			value: async () => void (await revoke(created.id)),
		},
		[Symbol.for('nodejs.util.inspect.custom')]: {
			value: () => ({ ...created, key: '[shown once]' }),
		},
	}) as CreatedApiKey; // the property was just defined
}

/** A key goes into files, variables and headers, where anything else could do harm. */
function wellFormed<Created extends { key: string }>(created: Created) {
	if (apiKeyPattern.test(created.key)) return created;
	throw invalidResponse('The response contains a key that is not "key_" and 48 hexadecimal digits');
}
