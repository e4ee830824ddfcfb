// API keys: made, listed, revoked and replaced.
import * as z from 'zod/mini';
import { apiKey, apiKeyPattern, createdApiKey } from './contract/index.ts';
import { BoardAccessError, InputError, invalidResponse, isBoardAccessError } from './errors.ts';
import { fieldsOf } from './lib/json.ts';
import { keyPath } from './lib/path.ts';
import { readInput, recordReader, snakeCased } from './lib/records.ts';
import type { RequestFunction } from './lib/request.ts';
import type { CreateOptions, RequestOptions } from './lib/settings.ts';
import { createListing, type Listing } from './listing.ts';

/** An API key as it can be seen later, without its secret. Only `id` is sure to be there. */
export interface ApiKey {
	/** Identifies the key; what {@link Keys.revoke} takes. */
	id: string;
	/** What it was created for. */
	label?: string | null;
	/** Enough of the key to tell it from others: `key_1a2b…9f0e`. */
	hint?: string | null;
	/** When it was created. */
	createdAt?: string | null;
	/** When it was last used, to about a minute. */
	lastUsedAt?: string | null;
	/** When it was revoked. */
	revokedAt?: string | null;
}

/** A new API key with its secret, which is shown this once. */
export interface CreatedApiKey extends ApiKey {
	/** The whole key. Store it now: it cannot be had again. `console.log` does not show it. */
	key: string;
	/** Revokes the key: `await using key = await client.keys.create()`. */
	[Symbol.asyncDispose](): Promise<void>;
}

/** A key to create. */
export interface ApiKeyInput {
	/** What the key is for. It cannot be changed later. */
	label?: string | undefined;
}

/** Which keys to list. */
export interface ApiKeyQuery {
	/** Lists revoked keys too. */
	includeRevoked?: boolean | undefined;
	/** How many keys to fetch at a time. */
	pageSize?: number | undefined;
}

/** What is left of a key. */
export interface RevokedApiKey {
	/** The key that no longer works. */
	id: string;
	/** Since when, if the service says so. */
	revokedAt?: string;
}

/** A new API key that took the place of another. */
export interface RotatedApiKey extends CreatedApiKey {
	/**
	 * The old key, revoked. Missing if the service's answer was lost, so that the old key may still
	 * work: revoke it again.
	 */
	replaced?: RevokedApiKey;
}

const input = z.looseObject({ label: z.optional(z.string()) });

const query = z.looseObject({
	includeRevoked: z.optional(z.boolean()),
	pageSize: z.optional(z.number()),
});

const readKey = recordReader(apiKey.shape);
const readCreatedKey = recordReader(createdApiKey.shape);

const path = '/v1/auth/keys';

/** The API keys of the account. */
export class Keys {
	readonly #request: RequestFunction;

	/** @internal */
	constructor(request: RequestFunction) {
		this.#request = request;
	}

	/**
	 * Creates a key. Needs an account on the paid tier.
	 *
	 * @example
	 * ```ts
	 * const created = await client.keys.create({ label: 'ci' });
	 * store(created.key); // shown this once
	 * ```
	 */
	async create(key: ApiKeyInput = {}, options?: CreateOptions): Promise<CreatedApiKey> {
		return await this.#request({
			method: 'POST',
			path,
			json: snakeCased(readInput(input, key)),
			options,
			read: (body) => this.#created(wellFormed(readCreatedKey(body))),
		});
	}

	/**
	 * Lists the keys of the account, newest first.
	 *
	 * @example
	 * ```ts
	 * for await (const key of client.keys.list()) console.log(key.hint, key.label);
	 * ```
	 */
	list(which: ApiKeyQuery = {}, options?: RequestOptions): Listing<ApiKey> {
		const { pageSize, ...filters } = readInput(query, which);
		return createListing(this.#request, {
			path,
			query: { ...snakeCased(filters), limit: pageSize },
			read: readKey,
			options,
		});
	}

	/** Revokes a key. It stops working at once; revoking it again does no harm. */
	async revoke(id: string, options?: RequestOptions): Promise<RevokedApiKey> {
		return await this.#revoke(id, options);
	}

	/**
	 * Replaces a key: creates one, proves that it works, then revokes the old one. If the new key
	 * does not work, or the service refuses to revoke the old one, the new one is revoked and the old
	 * one stays. Without a `label`, the new key takes that of the old one.
	 */
	async rotate(id: string, key: ApiKeyInput = {}, options?: CreateOptions): Promise<RotatedApiKey> {
		keyPath(id);
		const { idempotencyKey: _, ...later } = options ?? {};
		const label = key.label ?? (await this.#labelOf(id, later));
		const created = await this.create({ ...key, label }, options);
		try {
			await this.#prove(created.key, later);
			const replaced = await this.#replace(id, later, created.key);
			return Object.assign(created, replaced && { replaced });
		} catch (error) {
			await this.#takeBack(created, error);
			throw error;
		}
	}

	/** From here on the old key may be gone: no abort and no lost answer may cost the new one too. */
	async #replace(id: string, { signal: _, ...options }: RequestOptions, apiKey: string) {
		try {
			// With the new key: where the old one is the client's own, a repeated try could not use it.
			return await this.#revoke(id, options, apiKey);
		} catch (error) {
			if (isBoardAccessError(error) && error.outcome === 'unknown') return undefined;
			throw error;
		}
	}

	async #revoke(id: string, options: RequestOptions | undefined, apiKey?: string) {
		return await this.#request({
			method: 'DELETE',
			path: keyPath(id),
			apiKey,
			options,
			read: (body): RevokedApiKey => {
				const { revoked_at: revokedAt } = fieldsOf(body);
				return { id, ...(typeof revokedAt === 'string' && { revokedAt }) };
			},
		});
	}

	async #labelOf(id: string, options: RequestOptions) {
		for await (const key of this.list({ includeRevoked: true }, options)) {
			if (key.id !== id) continue;
			if (key.revokedAt) throw new InputError([{ path: 'id', message: 'is revoked already' }]);
			return key.label ?? undefined;
		}
		return undefined;
	}

	async #prove(apiKey: string, options: RequestOptions) {
		await this.#request({ method: 'GET', path, apiKey, options, read: () => undefined });
	}

	async #takeBack({ id, key }: CreatedApiKey, error: unknown) {
		try {
			await this.revoke(id).catch(() => this.#revoke(id, undefined, key));
		} catch {
			if (error instanceof BoardAccessError) {
				error.hint = `The new key ${id} could not be revoked again: revoke it by hand.`;
			}
		}
	}

	/** Adds what a record cannot say itself: how it is shown, and how it is disposed of. */
	#created(created: Omit<CreatedApiKey, typeof Symbol.asyncDispose>): CreatedApiKey {
		const revoke = async () => void (await this.revoke(created.id));
		return Object.defineProperties(created, {
			[Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: { value: revoke },
			[Symbol.for('nodejs.util.inspect.custom')]: {
				value: () => ({ ...created, key: '[shown once]' }),
			},
		}) as CreatedApiKey; // the property was just defined
	}
}

/** A key goes on into files, variables and headers; what is not one could do harm there. */
function wellFormed<Created extends { key: string }>(created: Created) {
	if (apiKeyPattern.test(created.key)) return created;
	throw invalidResponse('The answer holds a key that is not "key_" and 48 hexadecimal characters');
}
