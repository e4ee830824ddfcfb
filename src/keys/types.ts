// API keys: creating, listing, revoking and replacing them.
import type { apiKeyScopes } from '../contract/api-key.ts';
import type { Listing, PageQuery } from '../http/list.ts';
import type { CreateOptions, RequestOptions } from '../settings/settings.ts';

/**
 * What a key may do: `full` is everything the account may do, `boards` is boards and leases only, without sharing them.
 *
 * @useDeclaredType
 */
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** An API key without its secret. */
export interface ApiKey {
	/** Identifies the key; what {@link Keys.revoke} takes. */
	readonly id: string;
	/** What the key is for. */
	readonly label: string | null;
	/** The masked key, enough to tell it from others: `key_1a2b…9f0e`. */
	readonly hint: string;
	/** What the key may do; a service may have other scopes than these. */
	readonly scope: ApiKeyScope | (string & {});
	/** When it was created. */
	readonly createdAt: string;
	/** The id of the key that created it; null for a key that was created in the web UI. */
	readonly createdBy: string | null;
	/** When it expires; null for a key that does not. */
	readonly expiresAt: string | null;
	/** The credits that all leases requested with it may cost together; null without a limit. */
	readonly creditLimit: number | null;
	/** When it was last used, to about a minute. */
	readonly lastUsedAt: string | null;
	/** When it was revoked. */
	readonly revokedAt: string | null;
}

/** A new API key with its secret. The full key is returned only here. */
export interface CreatedApiKey extends ApiKey {
	/**
	 * The full key. Store it now: it cannot be retrieved later. `console.log` masks it; `JSON.stringify`
	 * and structured loggers such as pino and winston print it.
	 */
	readonly key: string;
	/** Revokes the key: `await using key = await client.keys.create()`. */
	[Symbol.asyncDispose](): Promise<void>;
}

/** A key to create. */
export interface ApiKeyInput {
	/** What the key is for. It cannot be changed later. */
	label?: string | null | undefined;
	/**
	 * When the key stops working: a `Date`, or text such as `2026-12-31T23:59:59Z`. By default, and at the
	 * latest, when the key expires that creates it.
	 */
	expiresAt?: Date | string | null | undefined;
	/** What the key may do; `full` by default. */
	scope?: ApiKeyScope | null | undefined;
	/** The credits that all leases requested with the key may cost together. Only with the scope `boards`. Default: no limit. */
	creditLimit?: number | null | undefined;
}

/** Which keys to list. */
export interface ApiKeyQuery extends PageQuery {
	/** Whether to list revoked keys too. */
	includeRevoked?: boolean | undefined;
}

/** Settings for revoking a key. */
export interface RevokeOptions extends RequestOptions {
	/** Whether the keys that this key created are revoked too, for a key that was leaked. */
	created?: boolean | undefined;
}

/** A key that was revoked. */
export interface RevokedApiKey {
	/** The key that no longer works. */
	readonly id: string;
	/** When it was revoked, if the service says so. */
	readonly revokedAt?: string;
}

/** A new API key that replaces another. */
export interface RotatedApiKey extends CreatedApiKey {
	/**
	 * The old key, revoked. Missing if the response was lost, so the old key may still work: revoke it
	 * again.
	 */
	readonly replaced?: RevokedApiKey;
}

/** The API keys of the account. */
export interface Keys {
	/**
	 * Creates a key. Needs an account on the paid tier.
	 *
	 * @example
	 * ```ts
	 * const created = await client.keys.create({ label: 'ci' });
	 * await store(created.key); // the full key is returned only here
	 * ```
	 * @throws {@link ApiError} with the code `paid_tier_required` on the free tier.
	 */
	create(key?: ApiKeyInput, options?: CreateOptions): Promise<CreatedApiKey>;

	/**
	 * Lists the keys of the account that work, newest first. `await` the list for an array, loop over it
	 * with `for await`, or read its `pages()`.
	 *
	 * @example
	 * ```ts
	 * for await (const key of client.keys.list()) console.log(key.hint, key.label);
	 * ```
	 */
	list(query?: ApiKeyQuery, options?: RequestOptions): Listing<ApiKey>;

	/**
	 * Returns the keys that expire within so many days, the next one first: those to rotate.
	 *
	 * @example
	 * ```ts
	 * for (const { id } of await client.keys.expiring({ withinDays: 14 })) console.log(id);
	 * ```
	 */
	expiring(query: { withinDays: number }, options?: RequestOptions): Promise<ApiKey[]>;

	/**
	 * Revokes a key. It stops working at once; revoking it again does no harm.
	 *
	 * @param id - The id of the key, not the key itself.
	 * @param options - Settings for this request, and whether the keys that it created are revoked too.
	 * @throws {@link InputError} if it is a full key or no id.
	 *
	 * @example
	 * ```ts
	 * await client.keys.revoke(leaked.id, { created: true });
	 * ```
	 */
	revoke(id: string, options?: RevokeOptions): Promise<RevokedApiKey>;

	/**
	 * Replaces a key: creates one, then revokes the old one with it, which shows that it works. If the new
	 * key does not work, or the old one cannot be revoked, the new one is revoked and the old one stays.
	 * Label, scope and expiry are those of the old key unless you pass others.
	 *
	 * @param id - The id of the key to replace.
	 *
	 * @example
	 * ```ts
	 * const { key } = await client.keys.rotate(old.id, { label: 'nightly' });
	 * await store(key); // the old key no longer works
	 * ```
	 */
	rotate(id: string, key?: ApiKeyInput, options?: CreateOptions): Promise<RotatedApiKey>;
}
