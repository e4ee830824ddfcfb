// The requests about API keys.
import * as z from 'zod/mini';
import { apiKeyFields, apiKeyPattern, createdApiKeyFields } from '../contract/api-key.ts';
import { BoardAccessError } from '../errors/base.ts';
import { keepCallers } from '../errors/caller.ts';
import { ApiError, InputError, invalidResponse } from '../errors/errors.ts';
import { call } from '../http/call.ts';
import { createListing } from '../http/list.ts';
import { checkId } from '../http/path.ts';
import { createTransport, type Transport } from '../http/request.ts';
import { fieldsOf, jsonBody } from '../records/json.ts';
import type { InputFields } from '../records/operations.ts';
import { fieldRule, masked, readInput, recordReader, snakeCased } from '../records/records.ts';
import { flag, readCallOptions } from '../settings/option-rules.ts';
import type { CreateOptions } from '../settings/settings.ts';
import type {
	ApiKey,
	ApiKeyInput,
	ApiKeyScope,
	CreatedApiKey,
	Keys,
	RotatedApiKey,
} from './types.ts';

const text = z.nullable(z.string());
const expiresAt = fieldRule(isTime, 'must be text or a valid date');
const creditLimit = z.nullable(z.number());
const fields = {
	label: text,
	expiresAt,
	scope: text,
	creditLimit,
} satisfies InputFields<'POST /v1/auth/keys'>;

export const readKey = recordReader(apiKeyFields);
const readCreatedKey = recordReader(createdApiKeyFields);

export function createKeys({ request, settings }: Transport): Keys {
	const keys: Keys = {
		create: async (key = {}, options) =>
			await call(request, 'POST /v1/auth/keys', {
				json: snakeCased(readInput(fields, key)),
				options,
				read: (body) => withDisposal(wellFormed(readCreatedKey(body)), keys.revoke),
			}),
		list: (query, options) =>
			createListing(request, {
				route: 'GET /v1/auth/keys',
				filters: { includeRevoked: z.boolean() },
				query,
				read: readKey,
				options,
			}),
		expiring: async (within, options) => {
			const days = z.number().check(z.minimum(0, 'must be 0 or more'));
			readInput({ withinDays: days }, within, { withinDays: days });
			const { withinDays } = within;
			const until = Date.now() + withinDays * 24 * 60 * 60 * 1000;
			const endOf = ({ expiresAt }: ApiKey) => Date.parse(expiresAt ?? '');
			const all = await keys.list({}, options);
			return all.filter((key) => endOf(key) <= until).sort((a, b) => endOf(a) - endOf(b));
		},
		revoke: async (id, given) => {
			const { created, ...options } = readCallOptions(given, { created: flag });
			checkKeyId(id);
			return await call(request, 'DELETE /v1/auth/keys/{id}', {
				ids: { id },
				query: { created },
				options,
				read: (body) => {
					const { revoked_at: revokedAt } = fieldsOf(body);
					return { id, ...(typeof revokedAt === 'string' && { revokedAt }) };
				},
			});
		},
		rotate: async (id, key = {}, options) => {
			checkKeyId(id);
			readCallOptions(options);
			jsonBody(readInput(fields, key));
			const using = (apiKey: string) => createKeys(createTransport({ ...settings, apiKey }));
			return await rotateKey(keys, { id, key, options, using });
		},
	};
	return keys;
}

function checkKeyId(id: string) {
	checkId(id);
	if (id.startsWith('key_') && id !== 'key_') return;
	throw new InputError([{ path: 'id', message: 'must start with "key_"' }]);
}

/** A date is written to JSON as text. */
function isTime(value: unknown): value is string | Date | null {
	const isDate = value instanceof Date && !Number.isNaN(value.getTime());
	return isDate || typeof value === 'string' || value === null;
}

/** Adds what a record cannot say itself: how it is printed, and how it is disposed of. */
function withDisposal(
	created: Omit<CreatedApiKey, typeof Symbol.asyncDispose>,
	revoke: Keys['revoke'],
): CreatedApiKey {
	const dispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
	const value = async () => void (await revoke(created.id));
	const disposable = Object.defineProperty(masked(created, 'key'), dispose, {
		value,
		configurable: true,
	});
	return keepCallers(disposable, [dispose]) as CreatedApiKey; // the property was just defined
}

/** A key goes into files, variables and headers, where anything else could do harm. */
function wellFormed<Created extends { key: string }>(created: Created) {
	if (apiKeyPattern.test(created.key)) return created;
	throw invalidResponse('The response contains a key that is not "key_" and 48 hexadecimal digits');
}

interface Rotation {
	id: string;
	key: ApiKeyInput;
	options: CreateOptions | undefined;
	/** The same requests with another key. */
	using: (apiKey: string) => Keys;
}

async function rotateKey(
	keys: Keys,
	{ id, key, options, using }: Rotation,
): Promise<RotatedApiKey> {
	const { idempotencyKey: _key, ...later } = options ?? {};
	const wanted = await inheriting(key, id, keys.list({}, later));
	const created = await keys.create(wanted, options).catch(adviseToLook);
	const withNewKey = using(created.key);
	// From here on the old key may be revoked: an abort or a lost response must not lose the new one too.
	const { signal: _signal, ...rest } = later;
	try {
		// With the new key, which shows that it works: if the old one is the client's own, a retry could not use it.
		const replaced = await withNewKey.revoke(id, rest).catch((error) => {
			// It works, but its scope does not allow this.
			if (error instanceof ApiError && error.status === 403) return keys.revoke(id, rest);
			throw error;
		});
		return Object.assign(created, { replaced });
	} catch (error) {
		if (isOurs(error) && error.outcome === 'unknown') return created;
		await keys
			.revoke(created.id)
			.catch(() => withNewKey.revoke(created.id))
			.catch((failure) => adviseToRevoke(created.id, isOurs(error) ? error : failure));
		throw error;
	}
}

/** What the caller leaves out is taken from the old key. */
async function inheriting(
	key: ApiKeyInput,
	id: string,
	keys: AsyncIterable<ApiKey>,
): Promise<ApiKeyInput> {
	const { label, scope, expiresAt, creditLimit } = key ?? {};
	for await (const old of keys) {
		if (old.id !== id) continue;
		return {
			...key,
			label: label ?? old.label,
			scope: scope ?? (old.scope as ApiKeyScope), // the service has sent it
			// Only the scope `boards` has a limit.
			...((scope ?? old.scope) === 'boards' && { creditLimit: old.creditLimit }),
			...(creditLimit !== undefined && { creditLimit }),
			expiresAt: expiresAt ?? old.expiresAt,
		};
	}
	throw new InputError([{ path: 'id', message: 'is revoked, or not a key of this account' }]);
}

function isOurs(error: unknown) {
	return error instanceof BoardAccessError;
}

function adviseToLook(error: unknown): never {
	if (isOurs(error) && error.outcome === 'unknown') {
		error.hint = 'A new key may exist: list the keys, and revoke the one that you do not know.';
	}
	throw error;
}

function adviseToRevoke(id: string, error: BoardAccessError): never {
	error.hint = `The new key ${id} may still be valid: revoke it yourself.`;
	throw error;
}
