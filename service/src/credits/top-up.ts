// Topping up: the payment first, then the entry that it earned.
import type { Database } from '../database/database.ts';
import type { PaymentProvider } from './payment.ts';
import { addCredits } from './store.ts';

export async function topUp(
	{ query }: Database,
	payments: PaymentProvider,
	payment: { accountId: string; credits: number },
) {
	const { reference } = await payments.pay(payment);
	const { accountId: account_id, credits: amount } = payment;
	await addCredits(query, { account_id, amount, reason: 'top_up', reference });
}
