// Replaces an API key.
import { BoardAccessError, InputError, isBoardAccessError } from '../../errors.ts';
import type {
	ApiKey,
	ApiKeyInput,
	ApiKeyQuery,
	CreatedApiKey,
	Keys,
	RevokedApiKey,
	RevokeOptions,
	RotatedApiKey,
} from '../../keys.ts';
import { createListing, type ListRequest } from '../../listing.ts';
import type { RequestFunction } from '../request.ts';
import type { CreateOptions, RequestOptions } from '../settings.ts';
import { keyPath } from './path.ts';

export type RevokeKey = (
	id: string,
	options?: RevokeOptions & { apiKey?: string },
) => Promise<RevokedApiKey>;

/** What requests.ts lends. */
interface Lent {
	request: RequestFunction;
	create: Keys['create'];
	list: (query: ApiKeyQuery, options: RequestOptions) => ListRequest<ApiKey>;
	revoke: RevokeKey;
}

interface Rotation {
	id: string;
	key: ApiKeyInput;
	options: CreateOptions | undefined;
}

export async function rotate(lent: Lent, { id, key, options }: Rotation): Promise<RotatedApiKey> {
	keyPath(id);
	const { request, create, revoke } = lent;
	const { idempotencyKey: _, ...later } = options ?? {};
	const created = await create(await inheriting(key, lent, { id, options: later }), options);
	const proof = {
		method: 'GET',
		path: '/v1/auth/keys',
		apiKey: created.key,
		options: later,
	} as const;
	try {
		await request({ ...proof, read: () => undefined });
		const replaced = await replace(revoke, id, { ...later, apiKey: created.key });
		return Object.assign(created, replaced && { replaced });
	} catch (error) {
		await undo(revoke, created, error);
		throw error;
	}
}

/** What the caller leaves out is taken from the old key. */
async function inheriting(
	key: ApiKeyInput,
	{ request, list }: Lent,
	{ id, options }: { id: string; options: RequestOptions },
): Promise<ApiKeyInput> {
	const { label, scope } = key ?? {};
	if (typeof label === 'string' && typeof scope === 'string') return key;
	for await (const old of createListing(request, list({ includeRevoked: true }, options))) {
		if (old.id !== id) continue;
		if (old.revokedAt) throw new InputError([{ path: 'id', message: 'is already revoked' }]);
		return { ...key, label: label ?? old.label, scope: scope ?? old.scope };
	}
	return key;
}

/** From here on the old key may be revoked: an abort or a lost response must not lose the new one too. */
async function replace(
	revoke: Lent['revoke'],
	id: string,
	{ signal: _, ...options }: RequestOptions & { apiKey: string },
) {
	try {
		// With the new key: if the old one is the client's own, a retry could not use it.
		return await revoke(id, options);
	} catch (error) {
		if (isBoardAccessError(error) && error.outcome === 'unknown') return undefined;
		throw error;
	}
}

async function undo(revoke: Lent['revoke'], { id, key }: CreatedApiKey, error: unknown) {
	try {
		await revoke(id).catch(() => revoke(id, { apiKey: key }));
	} catch {
		if (error instanceof BoardAccessError) {
			error.hint = `The new key ${id} could not be revoked: revoke it yourself.`;
		}
	}
}
