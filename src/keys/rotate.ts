// Replaces an API key.

import { BoardAccessError } from '../errors/base.ts';
import { ApiError, InputError } from '../errors/errors.ts';
import type { CreateOptions } from '../settings/settings.ts';
import type { ApiKey, ApiKeyInput, ApiKeyScope, Keys, RotatedApiKey } from './types.ts';

interface Rotation {
	id: string;
	key: ApiKeyInput;
	options: CreateOptions | undefined;
	/** The same requests with another key. */
	using: (apiKey: string) => Keys;
}

export async function rotateKey(
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
