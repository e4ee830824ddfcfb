// The balance of an account, the credits that its live leases hold, and its tier.
import { sql } from 'kysely';
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

/** What the leases of an API key may still cost. */
export async function creditsOfKey(db: Db, keyId: string | null) {
	if (keyId === null) return Number.POSITIVE_INFINITY;
	const cost = sql`(select coalesce(sum(coalesce(credits, 0) + held_credits), 0)
		from leases where api_key_id = api_keys.id)`;
	const limited = await db
		.selectFrom('api_keys')
		.select(sql<number | string>`credit_limit - ${cost}`.as('left'))
		.where('id', '=', keyId)
		.where('credit_limit', 'is not', null)
		.executeTakeFirst();
	// PostgreSQL has text for sums.
	return limited ? Number(limited.left) : Number.POSITIVE_INFINITY;
}

export function creditsExhausted(
	{ needed, spendable, ofKey }: { needed: number; spendable: number; ofKey: number },
	webUrl: string,
) {
	if (ofKey < spendable) {
		const message = `This needs ${needed} credits; the leases of this API key may cost ${Math.max(0, ofKey)} more.`;
		const hint = 'Ask the owner of the account for a key with a higher credit limit.';
		return new ApiError('credits_exhausted', message, { hint });
	}
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
