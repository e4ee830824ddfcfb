// The account that a client acts for.
import type { accountRoles, accountTiers } from '../contract/account.ts';
import type { ApiKey } from '../keys/types.ts';
import type { RequestOptions } from '../settings/settings.ts';

/** The account that the requests of a client belong to. Only `id` is always present. */
export interface AccountRecord {
	/** Identifies the account: `acc_…`. */
	readonly id: string;
	/** What it may do: an `admin` manages the service. */
	readonly role?: (typeof accountRoles)[number] | (string & {}) | null;
	/** An account on the `paid` tier can create API keys. */
	readonly tier?: (typeof accountTiers)[number] | (string & {}) | null;
	/** The credits of the account. */
	readonly balance?: number | null;
	/** How many of the credits its live leases hold; the others can be spent. */
	readonly heldCredits?: number | null;
	/** The API key that the client uses; null with a session cookie. */
	readonly key?: ApiKey | null;
}

/** The account that the client acts for. */
export interface Account {
	/**
	 * Returns the account, and the API key in use. A key of any scope can read it.
	 *
	 * @example
	 * ```ts
	 * const { role, tier, balance, key } = await client.account.get();
	 * ```
	 */
	get(options?: RequestOptions): Promise<AccountRecord>;
}
