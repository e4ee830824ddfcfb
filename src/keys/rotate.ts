// Replaces an API key.

import { BoardAccessError } from '../errors/base.ts';
import { ApiError, InputError } from '../errors/errors.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';
import type { ApiKeyInput, Keys, RotatedApiKey } from './types.ts';

interface Rotation {
	id: string;
	key: ApiKeyInput;
	options: CreateOptions | undefined;
	/** The same requests with another key, and one that a key of any scope may send. */
	using: (apiKey: string) => { keys: Keys; check: (options: RequestOptions) => Promise<unknown> };
}

export async function rotateKey(
	keys: Keys,
	{ id, key, options, using }: Rotation,
): Promise<RotatedApiKey> {
	const { idempotencyKey: _, ...later } = options ?? {};
	const wanted = await inheriting(key, keys, { id, options: later });
	const created = await keys.create(wanted, options).catch(adviseToLook);
	const { keys: withNewKey, check } = using(created.key);
	try {
		await check(later);
		const replaced = await replace(id, { keys, withNewKey, options: later });
		return Object.assign(created, replaced && { replaced });
	} catch (error) {
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
	{ list }: Keys,
	{ id, options }: { id: string; options: RequestOptions },
): Promise<ApiKeyInput> {
	const { label, scope, expiresAt } = key ?? {};
	for await (const old of list({}, options)) {
		if (old.id !== id) continue;
		return {
			...key,
			label: label ?? old.label,
			scope: scope ?? old.scope,
			expiresAt: expiresAt ?? old.expiresAt,
		};
	}
	throw new InputError([{ path: 'id', message: 'is revoked, or not a key of this account' }]);
}

interface Replacing {
	keys: Keys;
	withNewKey: Keys;
	options: RequestOptions;
}

/** From here on the old key may be revoked: an abort or a lost response must not lose the new one too. */
async function replace(
	id: string,
	{ keys, withNewKey, options: { signal: _, ...rest } }: Replacing,
) {
	try {
		// With the new key, if its scope allows that: if the old one is the client's own, a retry could not use it.
		return await withNewKey.revoke(id, rest).catch((error) => {
			if (error instanceof ApiError && error.status === 403) return keys.revoke(id, rest);
			throw error;
		});
	} catch (error) {
		if (isOurs(error) && error.outcome === 'unknown') return undefined;
		throw error;
	}
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
