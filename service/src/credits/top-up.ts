// Topping up: the payment first, then the entry that it earned.
import { record } from '../activity/record.ts';
import type { Database } from '../database/database.ts';
import type { Payment, PaymentProvider } from './payment.ts';
import { addCredits } from './store.ts';

/** Pays and books. A second attempt with the same idempotency key does neither again. */
export async function topUp({ query }: Database, payments: PaymentProvider, payment: Payment) {
	const { reference } = await payments.pay(payment);
	const { accountId, credits: amount } = payment;
	await query.transaction().execute(async (db) => {
		const entry = { account_id: accountId, amount, reason: 'top_up', reference } as const;
		if (!(await addCredits(db, entry))) return;
		const details = { amount, reference };
		await record(db, { kind: 'credits.topped_up', accountId, details });
	});
}
