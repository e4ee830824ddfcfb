// The requests about API keys.
import * as z from 'zod/mini';
import { apiKeyPattern } from '../../contract/api-key.ts';
import { apiKeyFields, createdApiKeyFields } from '../../contract/api-key-fields.ts';
import { InputError } from '../../errors.ts';
import type {
	ApiKey,
	ApiKeyInput,
	ApiKeyQuery,
	CreatedApiKey,
	Keys,
	RevokedApiKey,
	RevokeOptions,
} from '../../keys.ts';
import { type ListRequest, pageQuery } from '../../listing.ts';
import { invalidResponse } from '../invalid-response.ts';
import { fieldsOf } from '../json.ts';
import { readInput, recordReader, snakeCased } from '../records.ts';
import type { RequestFunction } from '../request.ts';
import type { RequestOptions } from '../settings.ts';
import { keyPath } from './path.ts';
import { type RevokeKey, rotate } from './rotate.ts';

const text = z.optional(z.nullable(z.string()));
const fields = { label: text, expiresAt: text, scope: text };

const queryFields = {
	includeRevoked: z.optional(z.boolean()),
	pageSize: z.optional(z.number()),
	cursor: z.optional(z.string()),
};

const readKey = recordReader(apiKeyFields);
const readCreatedKey = recordReader(createdApiKeyFields);

const path = '/v1/auth/keys';

/** What {@link Keys} does; a list is only described. */
interface ApiKeyRequests extends Omit<Keys, 'list'> {
	list(query?: ApiKeyQuery, options?: RequestOptions): ListRequest<ApiKey>;
}

export function apiKeys(request: RequestFunction): ApiKeyRequests {
	const revokeKey: RevokeKey = async (id, options) => await revoke(request, id, options);
	const keys: ApiKeyRequests = {
		create: async (key = {}, options) =>
			await request({
				method: 'POST',
				path,
				json: snakeCased(readInput(fields, wireInput(key))),
				options,
				read: (body) => withDisposal(wellFormed(readCreatedKey(body)), revokeKey),
			}),
		list: (query = {}, options) => ({
			path,
			query: () => pageQuery(readInput(queryFields, query)),
			read: readKey,
			options,
		}),
		revoke: revokeKey,
		rotate: async (id, key = {}, options) =>
			await rotate({ ...keys, request, revoke: revokeKey }, { id, key, options }),
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

async function revoke(
	request: RequestFunction,
	id: string,
	{ apiKey, created, ...options }: RevokeOptions & { apiKey?: string } = {},
) {
	return await request({
		method: 'DELETE',
		path: keyPath(id),
		query: { created },
		apiKey,
		options,
		read: (body): RevokedApiKey => {
			const { revoked_at: revokedAt } = fieldsOf(body);
			return { id, ...(typeof revokedAt === 'string' && { revokedAt }) };
		},
	});
}

/** Adds what a record cannot say itself: how it is printed, and how it is disposed of. */
function withDisposal(
	created: Omit<CreatedApiKey, typeof Symbol.asyncDispose>,
	revokeKey: RevokeKey,
): CreatedApiKey {
	return Object.defineProperties(created, {
		[Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: {
			value: async () => void (await revokeKey(created.id)),
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
