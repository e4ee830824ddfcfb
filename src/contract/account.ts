// Accounts on the wire, as their own credentials see them.
import * as z from 'zod/mini';

export const accountRoles = ['user', 'admin'] as const;

/** An account is on the paid tier once it was credited anything. */
export const accountTiers = ['free', 'paid'] as const;

export const accountFields = {
	id: z.string(),
	role: z.string(),
	tier: z.string(),
	/** The credits of the account, and how many of them its live leases hold. */
	balance: z.number(),
	held_credits: z.number(),
	/** The API key of the request; null with a session. */
	key: z.unknown(),
};
