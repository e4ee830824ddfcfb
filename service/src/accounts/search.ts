// The account search for administrators, with the balance of each account.
import { type InferResult, type Kysely, sql } from 'kysely';
import { containing } from '../database/containing.ts';
import type { Schema } from '../database/schema.ts';

export const accountSorts = ['email', 'created_at', 'credits'] as const;

export interface AccountSlice {
	by: (typeof accountSorts)[number];
	descending: boolean;
	limit: number;
	offset: number;
}

export async function searchAccounts(
	db: Kysely<Schema>,
	text: string,
	{ by, descending, limit, offset }: AccountSlice,
) {
	const rows = await withCredits(db)
		.where(containing(sql.ref('email'), text))
		.orderBy(by, descending ? 'desc' : 'asc')
		.orderBy('accounts.id')
		.limit(limit)
		.offset(offset)
		.execute();
	return rows.map(accountRecord);
}

export async function listAccounts(db: Kysely<Schema>) {
	return (await withCredits(db).orderBy('email').execute()).map(accountRecord);
}

export async function countAccounts(db: Kysely<Schema>, text: string) {
	const { accounts } = await db
		.selectFrom('accounts')
		.select(({ fn }) => fn.countAll().as('accounts'))
		.where('deleted_at', 'is', null)
		.where(containing(sql.ref('email'), text))
		.executeTakeFirstOrThrow();
	return Number(accounts);
}

export async function accountWithCredits(db: Kysely<Schema>, id: string) {
	const row = await withCredits(db).where('accounts.id', '=', id).executeTakeFirst();
	return row && accountRecord(row);
}

export type AccountRecord = ReturnType<typeof accountRecord>;

// PostgreSQL returns a sum and a count as text.
function accountRecord({ credits, additions, ...row }: AccountWithSums) {
	return {
		...row,
		credits: Number(credits ?? 0),
		paid: Number(additions ?? 0) > 0,
	};
}

type AccountWithSums = InferResult<ReturnType<typeof withCredits>>[number];

function withCredits(db: Kysely<Schema>) {
	return db
		.selectFrom('accounts')
		.where('deleted_at', 'is', null)
		.select(({ selectFrom }) => [
			'accounts.id',
			'accounts.email',
			'accounts.role',
			'accounts.disabled_at',
			'accounts.two_factor_at',
			'accounts.created_at',
			'accounts.verified_at',
			selectFrom('credit_entries')
				.select(({ fn }) => fn.sum('amount').as('sum'))
				.whereRef('credit_entries.account_id', '=', 'accounts.id')
				.as('credits'),
			selectFrom('credit_entries')
				.select(({ fn }) => fn.countAll().as('count'))
				.whereRef('credit_entries.account_id', '=', 'accounts.id')
				.where('amount', '>', 0)
				.as('additions'),
		]);
}
