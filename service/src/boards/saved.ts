// What an account keeps of the list of boards: its favorites, and filters by their names.
import type { Db, Owned } from '../database/schema.ts';

export const mostFavorites = 200;
export const mostFilters = 20;

export async function readFavorites(db: Db, accountId: string) {
	const rows = await db
		.selectFrom('favorite_boards')
		.select('board_id')
		.where('account_id', '=', accountId)
		.orderBy('board_id')
		.limit(mostFavorites)
		.execute();
	return rows.map(({ board_id }) => board_id);
}

/** Marks a board that exists, or removes the mark. */
export async function setFavorite(db: Db, { accountId, id }: Owned, on: boolean) {
	const own = db.deleteFrom('favorite_boards').where('account_id', '=', accountId);
	await own.where('board_id', '=', id).execute();
	if (!on || (await readFavorites(db, accountId)).length >= mostFavorites) return;
	await db
		.insertInto('favorite_boards')
		.columns(['account_id', 'board_id'])
		.expression(({ selectFrom, val }) =>
			selectFrom('boards')
				.select([val(accountId).as('account_id'), 'id'])
				.where('id', '=', id),
		)
		.onConflict((conflict) => conflict.doNothing())
		.execute();
}

export function readFilters(db: Db, accountId: string) {
	return db
		.selectFrom('saved_filters')
		.select(['name', 'query'])
		.where('account_id', '=', accountId)
		.orderBy('name')
		.limit(mostFilters)
		.execute();
}

/** Saves a filter and replaces an earlier one of that name; without a query, removes the name. */
export async function saveFilter(
	db: Db,
	{ accountId, name, query }: { accountId: string; name: string; query: string },
) {
	const own = db.deleteFrom('saved_filters').where('account_id', '=', accountId);
	await own.where('name', '=', name).execute();
	if (!name || !query || (await readFilters(db, accountId)).length >= mostFilters) return;
	await db
		.insertInto('saved_filters')
		.values({ account_id: accountId, name, query })
		.onConflict((conflict) => conflict.columns(['account_id', 'name']).doUpdateSet({ query }))
		.execute();
}
