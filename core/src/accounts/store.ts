// Accounts in the database.
import { type RawBuilder, sql } from 'kysely';
import { record } from '../activity/record.ts';
import type { Core } from '../core.ts';
import { timeIn } from '../database/clock.ts';
import { hasText, type PageQuery, readPage } from '../database/pagination.ts';
import type { AccountRow, Db } from '../database/schema.ts';
import { inTransaction } from '../database/transactions.ts';
import { newId } from '../identifier.ts';
import { invalid } from '../validation.ts';
import { keepLastAdmin } from './lock.ts';
import { hashPassword } from './password-hash.ts';

export type Account = Pick<AccountRow, 'id' | 'email' | 'role'>;

export function emailTaken() {
	return invalid([{ path: 'email', message: 'is already in use' }]);
}

interface NewAccount {
	email: string;
	role?: Account['role'];
	verified?: boolean;
}

export async function createAccount(
	db: Db,
	{ password, ...account }: NewAccount & { password: string },
): Promise<Account> {
	// Hashing is slow on purpose, so it comes before the transaction.
	const password_hash = await hashPassword(password);
	return inTransaction(db, (transaction) =>
		insertAccount(transaction, { ...account, password_hash }),
	);
}

/** Needs a transaction. */
export async function insertAccount(
	transaction: Db,
	{ email, role = 'user', verified, password_hash }: NewAccount & { password_hash: string },
): Promise<Account> {
	const id = newId('acc');
	const created_at = timeIn(transaction);
	const account = { id, email: email.toLowerCase(), role };
	const { numInsertedOrUpdatedRows } = await transaction
		.insertInto('accounts')
		.values({
			...account,
			disabled_at: null,
			verified_at: verified ? created_at : null,
			created_at,
		})
		.onConflict((conflict) => conflict.column('email').doNothing())
		.executeTakeFirstOrThrow();
	if (numInsertedOrUpdatedRows === 0n) throw emailTaken();
	await transaction.insertInto('credentials').values({ account_id: id, password_hash }).execute();
	await record(transaction, { kind: 'account.created', accountId: id, details: { role } });
	return account;
}

/** Mail is sent only to verified addresses, because anybody can sign up with the address of somebody else. */
export function verifiedAddress(db: Db, accountId: string) {
	return db
		.selectFrom('accounts')
		.select('email')
		.where('id', '=', accountId)
		.where('verified_at', 'is not', null)
		.where('disabled_at', 'is', null)
		.executeTakeFirst();
}

export function findAccount(db: Db, email: string) {
	return db
		.selectFrom('accounts')
		.selectAll()
		.where('email', '=', email.toLowerCase())
		.where('deleted_at', 'is', null)
		.executeTakeFirst();
}

export function setRole({ database }: Core, id: string, role: Account['role']) {
	return inTransaction(database.query, async (transaction) => {
		if (role === 'user') await keepLastAdmin(transaction, id, 'made a user');
		if (!(await updateAccountIf(transaction, id, { role }, sql`role <> ${role}`))) return;
		// Sessions from before must not have the new rights.
		await transaction.deleteFrom('sessions').where('account_id', '=', id).execute();
		await record(transaction, { kind: 'account.role_changed', accountId: id, details: { role } });
	});
}

export function enableAccount({ database }: Core, id: string) {
	return inTransaction(database.query, async (transaction) => {
		const isDisabled = sql<boolean>`disabled_at is not null and deleted_at is null`;
		const enabled = await updateAccountIf(transaction, id, { disabled_at: null }, isDisabled);
		if (enabled) await record(transaction, { kind: 'account.enabled', accountId: id });
	});
}

/** Marks an address as verified by an administrator or the operator. */
export function vouchForAddress({ database }: Core, id: string) {
	return inTransaction(database.query, async (transaction) => {
		const change = { verified_at: timeIn(transaction), vouched: 1 } as const;
		const isUnverified = sql<boolean>`verified_at is null and deleted_at is null`;
		const verified = await updateAccountIf(transaction, id, change, isUnverified);
		if (verified) await record(transaction, { kind: 'account.verified', accountId: id });
	});
}

/** Marks an address as verified by its owner. */
export function markVerified(transaction: Db, email: string) {
	return transaction
		.updateTable('accounts')
		.set({ verified_at: timeIn(transaction), vouched: 0 })
		.where('email', '=', email)
		.execute();
}

/** Whether the owner has verified the address. */
export function isProven({ verified_at, vouched }: Pick<AccountRow, 'verified_at' | 'vouched'>) {
	return verified_at !== null && !vouched;
}

/** Changes an account if the condition is true, and returns whether it was. */
export async function updateAccountIf(
	transaction: Db,
	id: string,
	change: Partial<AccountRow>,
	condition: RawBuilder<boolean>,
) {
	const account = transaction.updateTable('accounts').set(change).where('id', '=', id);
	const { numUpdatedRows } = await account.where(condition).executeTakeFirstOrThrow();
	return numUpdatedRows > 0n;
}

/** By email address, of which they have a part. */
export function searchAccounts(db: Db, text: string, request: PageQuery) {
	const name = JSON.stringify(['accounts', text]);
	const list = { name, by: ['email'], direction: 'asc' } as const;
	return readPage(withCredits(db).where(hasText('email', text)), list, request);
}

export function listAccounts(db: Db) {
	return withCredits(db).orderBy('email').execute();
}

export function accountWithCredits(db: Db, id: string) {
	return withCredits(db).where('accounts.id', '=', id).executeTakeFirst();
}

export type AccountRecord = Awaited<ReturnType<typeof listAccounts>>[number];

function withCredits(db: Db) {
	// SQLite has numbers for true and false.
	const isPaid = sql<boolean | 0 | 1>`exists (
		select 1 from credit_entries where account_id = accounts.id and amount > 0)`;
	return db
		.selectFrom('accounts')
		.where('deleted_at', 'is', null)
		.select(['id', 'email', 'role', 'disabled_at', 'two_factor_at', 'created_at', 'verified_at'])
		.select(['balance as credits', isPaid.as('paid')]);
}
