// Credits that live leases hold. Code that holds more locks the account first (`accounts/lock.ts`), so
// that two requests cannot both have the last credits.
import type { Db } from '../database/schema.ts';
import { ApiError } from '../errors.ts';

/** The balance minus what live leases hold, except for the given lease. */
export async function spendableCredits(
	db: Db,
	accountId: string,
	exceptLease: string | null = null,
) {
	// One statement, so that a lease that ends in the meantime counts once.
	const { balance, held } = await db
		.selectNoFrom(({ selectFrom, val }) => [
			selectFrom('credit_entries')
				.select(({ fn }) => fn.sum('amount').as('sum'))
				.where('account_id', '=', accountId)
				.as('balance'),
			selectFrom('leases')
				.select(({ fn }) => fn.sum('held_credits').as('sum'))
				.where('account_id', '=', accountId)
				.where('status', '<>', 'ended')
				.where('id', '<>', val(exceptLease ?? ''))
				.as('held'),
		])
		.executeTakeFirstOrThrow();
	return Number(balance ?? 0) - Number(held ?? 0);
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
