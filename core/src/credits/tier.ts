// An account is on the paid tier once its ledger shows credits that were topped up or granted.
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

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
