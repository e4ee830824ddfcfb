// The tier is not stored: an account is on the paid tier once the ledger shows any credits,
// topped up by itself or granted by the operator.
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { ApiFault } from '../http/fault.ts';

export const isPaidTier = async (db: Kysely<Schema>, accountId: string) => {
	const entry = await db
		.selectFrom('credit_entries')
		.select('id')
		.where('account_id', '=', accountId)
		.where('amount', '>', 0)
		.limit(1)
		.executeTakeFirst();
	return entry !== undefined;
};

export const requirePaidTier = async (db: Kysely<Schema>, accountId: string, webUrl: string) => {
	if (await isPaidTier(db, accountId)) return;
	throw new ApiFault('paid_tier_required', 'Creating API keys needs the paid tier.', {
		hint: `Top up credits at ${webUrl}/credits`,
	});
};
