// The account search for administrators, with the balance of each account.
import { sql } from 'kysely';
import type { Db } from '../database/schema.ts';

export const accountSorts = ['email', 'created_at', 'credits'] as const;

export interface AccountSlice {
	by: (typeof accountSorts)[number];
	descending: boolean;
	limit: number;
	offset: number;
}

export function searchAccounts(
	db: Db,
	text: string,
	{ by, descending, limit, offset }: AccountSlice,
) {
	return withCredits(db)
		.where(emailContains(text))
		.orderBy(by, descending ? 'desc' : 'asc')
		.orderBy('accounts.id')
		.limit(limit)
		.offset(offset)
		.execute();
}

export function listAccounts(db: Db) {
	return withCredits(db).orderBy('email').execute();
}

export async function countAccounts(db: Db, text: string) {
	const { accounts } = await db
		.selectFrom('accounts')
		.select(({ fn }) => fn.countAll().as('accounts'))
		.where('deleted_at', 'is', null)
		.where(emailContains(text))
		.executeTakeFirstOrThrow();
	return Number(accounts);
}

export function accountWithCredits(db: Db, id: string) {
	return withCredits(db).where('accounts.id', '=', id).executeTakeFirst();
}

export type AccountRecord = Awaited<ReturnType<typeof listAccounts>>[number];

function withCredits(db: Db) {
	return db
		.selectFrom('accounts')
		.where('deleted_at', 'is', null)
		.select(['id', 'email', 'role', 'disabled_at', 'two_factor_at', 'created_at', 'verified_at'])
		.select([
			'balance as credits',
			// SQLite has numbers for true and false.
			sql<
				boolean | 0 | 1
			>`exists (select 1 from credit_entries where account_id = accounts.id and amount > 0)`.as(
				'paid',
			),
		]);
}

function emailContains(text: string) {
	const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
	return sql<boolean>`email like ${pattern} escape '\\'`;
}
