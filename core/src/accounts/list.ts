// Accounts as administrators read them, with the balance of each.
import { sql } from 'kysely';
import { hasText, type PageQuery, readPage } from '../database/pagination.ts';
import type { Db } from '../database/schema.ts';

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
