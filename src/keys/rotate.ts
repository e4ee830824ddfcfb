// Replaces an API key.

import { BoardAccessError } from '../errors/base.ts';
import { InputError } from '../errors/errors.ts';
import { createTransport, type Transport } from '../http/request.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';
import { keyPath, keysPath, revokeKey } from './revoke.ts';
import type { ApiKeyInput, Keys, RotatedApiKey } from './types.ts';

/** The requests that a rotation sends. */
interface KeyRequests extends Pick<Keys, 'create' | 'list'> {
	transport: Transport;
}

interface Rotation {
	id: string;
	key: ApiKeyInput;
	options: CreateOptions | undefined;
}

export async function rotate(
	requests: KeyRequests,
	{ id, key, options }: Rotation,
): Promise<RotatedApiKey> {
	keyPath(id);
	const { transport, create } = requests;
	const { idempotencyKey: _, ...later } = options ?? {};
	const created = await create(await inheriting(key, requests, { id, options: later }), options);
	const withNewKey = createTransport({ ...transport.settings, apiKey: created.key });
	try {
		await withNewKey.request({
			method: 'GET',
			path: keysPath,
			options: later,
			read: () => undefined,
		});
		const replaced = await replace(withNewKey, id, later);
		return Object.assign(created, replaced && { replaced });
	} catch (error) {
		await undo(created.id, [transport, withNewKey], error);
		throw error;
	}
}

/** What the caller leaves out is taken from the old key. */
async function inheriting(
	key: ApiKeyInput,
	{ list }: KeyRequests,
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
async function replace(
	{ request }: Transport,
	id: string,
	{ signal: _, ...options }: RequestOptions,
) {
	try {
		// With the new key: if the old one is the client's own, a retry could not use it.
		return await revokeKey(request, id, options);
	} catch (error) {
		if (error instanceof BoardAccessError && error.outcome === 'unknown') return undefined;
		throw error;
	}
}

async function undo(
	id: string,
	[own, withNewKey]: readonly [Transport, Transport],
	error: unknown,
) {
	try {
		await revokeKey(own.request, id).catch(() => revokeKey(withNewKey.request, id));
	} catch {
		if (error instanceof BoardAccessError) {
			error.hint = `The new key ${id} could not be revoked: revoke it yourself.`;
		}
	}
}
