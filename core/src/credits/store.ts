// The ledger of credits, and topping up through a payment provider. Entries are never changed.
import { randomUUID } from 'node:crypto';
import { record } from '../activity/record.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import type { CreditEntryRow, Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { newId } from '../identifier.ts';
import { invalid } from '../validation.ts';

/** Books each reference once, and returns whether it did so now. Needs a transaction. */
export async function addCredits(
	db: Db,
	entry: Pick<CreditEntryRow, 'account_id' | 'amount' | 'reason' | 'reference'>,
) {
	const booked = await db
		.insertInto('credit_entries')
		.values({ id: newId('crd'), created_at: timeIn(db), ...entry })
		.onConflict((conflict) => conflict.column('reference').doNothing())
		.returning('id')
		.executeTakeFirst();
	if (booked) {
		await db
			.updateTable('accounts')
			.set((eb) => ({ balance: eb('balance', '+', entry.amount) }))
			.where('id', '=', entry.account_id)
			.execute();
		return true;
	}
	const { account_id, amount } = await db
		.selectFrom('credit_entries')
		.select(['account_id', 'amount'])
		.where('reference', '=', entry.reference)
		.executeTakeFirstOrThrow();
	if (account_id !== entry.account_id) {
		throw invalid([{ path: 'reference', message: 'belongs to an entry of another account' }]);
	}
	if (amount === entry.amount) return false;
	const message = `was already booked as ${amount}; nothing was added`;
	throw invalid([{ path: 'amount', message }]);
}

export function readAmount(text: string) {
	if (/^[1-9]\d{0,8}$/.test(text.trim())) return Number(text);
	throw invalid([{ path: 'amount', message: 'must be a whole number above 0' }]);
}

/** Grants credits. A grant of the same name is booked once. */
export function grantCredits(
	{ database }: Core,
	{
		name = randomUUID(),
		...entry
	}: { account_id: string; amount: number; name?: string | undefined },
) {
	return inTransaction(database.query, async (transaction) => {
		const reference = `grant ${name}`;
		const booked = await addCredits(transaction, { ...entry, reason: 'grant', reference });
		if (booked) {
			const { account_id: accountId, amount } = entry;
			const details = { amount, reference };
			await record(transaction, { kind: 'credits.granted', accountId, details });
		}
		return { booked, balance: await creditBalance(transaction, entry.account_id) };
	});
}

export async function creditBalance(db: Db, accountId: string) {
	const { balance } = await db
		.selectFrom('accounts')
		.select('balance')
		.where('id', '=', accountId)
		.executeTakeFirstOrThrow();
	return balance;
}

/** The latest entries, newest first. */
export function listCredits(db: Db, accountId: string, limit = 100) {
	return db
		.selectFrom('credit_entries')
		.selectAll()
		.where('account_id', '=', accountId)
		.orderBy('created_at', 'desc')
		.orderBy('id', 'desc')
		.limit(limit)
		.execute();
}

interface Payment {
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
