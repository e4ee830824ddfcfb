// API keys: made, listed, revoked and replaced.
import * as z from 'zod/mini';
import { apiKey } from './contract/index.ts';
import { BoardAccessError } from './errors.ts';
import type { Request } from './http.ts';
import { createListing, type Listing } from './listing.ts';
import { keyPath } from './path.ts';
import { readInput, readRecord, tolerant } from './records.ts';
import type { CreateOptions, RequestOptions } from './settings.ts';

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

const record = tolerant(apiKey.shape);
const records = z.array(record);
const createdRecord = z.object({ ...record.shape, key: z.string() });
// All that a revocation needs is its status.
const revokedRecord = z.object({ revoked_at: z.optional(z.nullable(z.string())) });

const input = z.object({ label: z.optional(z.string()) });

const query = z.object({
	includeRevoked: z.optional(z.boolean()),
	pageSize: z.optional(z.number()),
});

const path = '/v1/auth/keys';

/** The API keys of the account. */
export class Keys {
	readonly #request: Request;

	/** @internal */
	constructor(request: Request) {
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
			json: readInput(input, key),
			options,
			read: (body) => this.#created(readRecord(createdRecord, body)),
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
		const { includeRevoked, pageSize } = readInput(query, which);
		return createListing(this.#request, {
			path,
			query: { include_revoked: includeRevoked, limit: pageSize },
			schema: records,
			options,
		});
	}

	/** Revokes a key. It stops working at once; revoking it again does no harm. */
	async revoke(id: string, options?: RequestOptions): Promise<RevokedApiKey> {
		return await this.#revoke(id, options);
	}

	/**
	 * Replaces a key: creates one, proves that it works, then revokes the old one. If any of it
	 * fails, the new key is revoked again. Without a `label`, the new key takes that of the old one.
	 */
	async rotate(id: string, key: ApiKeyInput = {}, options?: CreateOptions): Promise<CreatedApiKey> {
		keyPath(id);
		const { idempotencyKey: _, ...later } = options ?? {};
		const label = key.label ?? (await this.#labelOf(id, later));
		const created = await this.create({ label }, options);
		try {
			await this.#prove(created.key, later);
			// With the new key: where the old one is the client's own, a repeated try could not use it.
			await this.#revoke(id, later, created.key);
			return created;
		} catch (error) {
			await this.#takeBack(created, error);
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
				const revokedAt = z.safeParse(revokedRecord, body).data?.revoked_at;
				return { id, ...(revokedAt && { revokedAt }) };
			},
		});
	}

	async #labelOf(id: string, options: RequestOptions) {
		for await (const key of this.list({}, options)) {
			if (key.id === id) return key.label ?? undefined;
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
