// The balance of an account, the credits that its live leases hold, and its tier.
import { accountDisabled } from '../accounts/lock.ts';
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

/** Rejects an account that is disabled or deleted. */
export function creditsOf(db: Db, accountId: string) {
	return db
		.selectFrom('accounts')
		.select(['role', 'balance', 'held_credits'])
		.where('id', '=', accountId)
		.where('disabled_at', 'is', null)
		.executeTakeFirstOrThrow(accountDisabled);
}

export async function spendableCredits(db: Db, accountId: string) {
	const { balance, held_credits } = await creditsOf(db, accountId);
	return balance - held_credits;
}

export function creditsExhausted(
	{ needed, spendable }: { needed: number; spendable: number },
	webUrl: string,
) {
	return new ApiError(
		'credits_exhausted',
		`This needs ${needed} credits; you have ${Math.max(0, spendable)} available.`,
		{ hint: `Top up credits at ${webUrl}/credits` },
	);
}

/** An account is on the paid tier once its ledger shows credits that were topped up or granted. */
export async function isPaidTier(db: Db, accountId: string) {
	const entry = await db
		.selectFrom('credit_entries')
		.select('id')
		.where('account_id', '=', accountId)
		.where('amount', '>', 0)
		.limit(1)
		.executeTakeFirst();
	return entry !== undefined;
}

export async function requirePaidTier(db: Db, accountId: string, webUrl: string) {
	if (await isPaidTier(db, accountId)) return;
	throw new ApiError('paid_tier_required', 'Creating API keys requires the paid tier.', {
		hint: `Top up credits at ${webUrl}/credits`,
	});
}
