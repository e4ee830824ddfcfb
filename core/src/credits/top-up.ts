// Topping up credits through a payment provider.
import { record } from '../activity/record.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/transactions.ts';
import { addCredits } from './store.ts';

export interface Payment {
	accountId: string;
	credits: number;
	/** The same for every attempt at this payment. */
	idempotencyKey: string;
}

export interface PaymentProvider {
	/** Takes the payment once for each idempotency key, and throws if it fails. */
	pay(payment: Payment): Promise<{ reference: string }>;
}

/** Takes no money. Demo mode only. */
export const sandbox: PaymentProvider = {
	pay: async ({ idempotencyKey }) => ({ reference: `sandbox ${idempotencyKey}` }),
};

/** Pays, then books, each once for an idempotency key. */
export async function topUp({ query }: Database, payments: PaymentProvider, payment: Payment) {
	const { reference } = await payments.pay(payment);
	const { accountId, credits: amount } = payment;
	await inTransaction(query, async (db) => {
		const entry = { account_id: accountId, amount, reason: 'top_up', reference } as const;
		if (!(await addCredits(db, entry))) return;
		const details = { amount, reference };
		await record(db, { kind: 'credits.topped_up', accountId, details });
	});
}
