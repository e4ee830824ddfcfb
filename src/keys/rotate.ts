// Replaces an API key.

import { BoardAccessError } from '../errors/base.ts';
import { InputError } from '../errors/errors.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';
import type { ApiKeyInput, Keys, RotatedApiKey } from './types.ts';

interface Rotation {
	id: string;
	key: ApiKeyInput;
	options: CreateOptions | undefined;
	/** The same requests with another key. */
	keysWith: (apiKey: string) => Keys;
}

export async function rotateKey(
	keys: Keys,
	{ id, key, options, keysWith }: Rotation,
): Promise<RotatedApiKey> {
	const { idempotencyKey: _, ...later } = options ?? {};
	const created = await keys.create(await inheriting(key, keys, { id, options: later }), options);
	const withNewKey = keysWith(created.key);
	try {
		await withNewKey.list({}, later).first(1);
		const replaced = await replace(withNewKey, id, later);
		return Object.assign(created, replaced && { replaced });
	} catch (error) {
		await keys
			.revoke(created.id)
			.catch(() => withNewKey.revoke(created.id))
			.catch(() => adviseToRevoke(created.id, error));
		throw error;
	}
}

/** What the caller leaves out is taken from the old key. */
async function inheriting(
	key: ApiKeyInput,
	{ list }: Keys,
	{ id, options }: { id: string; options: RequestOptions },
): Promise<ApiKeyInput> {
	const { label, scope } = key ?? {};
	if (typeof label === 'string' && typeof scope === 'string') return key;
	for await (const old of list({ includeRevoked: true }, options)) {
		if (old.id !== id) continue;
		if (old.revokedAt) throw new InputError([{ path: 'id', message: 'is already revoked' }]);
		return { ...key, label: label ?? old.label, scope: scope ?? old.scope };
	}
	return key;
}

/** From here on the old key may be revoked: an abort or a lost response must not lose the new one too. */
async function replace(withNewKey: Keys, id: string, { signal: _, ...options }: RequestOptions) {
	try {
		// With the new key: if the old one is the client's own, a retry could not use it.
		return await withNewKey.revoke(id, options);
	} catch (error) {
		if (error instanceof BoardAccessError && error.outcome === 'unknown') return undefined;
		throw error;
	}
}

function adviseToRevoke(id: string, error: unknown) {
	if (!(error instanceof BoardAccessError)) return;
	error.hint = `The new key ${id} could not be revoked: revoke it yourself.`;
}
