// The activity log as accounts and administrators read it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InferResult, sql } from 'kysely';
import { timeIn } from '../database/clock.ts';
import { limitOf, newestFirst, type PageQuery, pageOf, readPage } from '../database/pagination.ts';
import type { ActivityRow, Db } from '../database/schema.ts';

export interface ActivityFilter {
	/** Only what this account did, and what was done to it. */
	accountId?: string | undefined;
	kind?: ActivityRow['kind'] | undefined;
	/** Whether the account reads its own log, which hides who else made a change. */
	own?: boolean;
}

/** One page of entries, newest first. */
export async function listActivity(db: Db, filter: ActivityFilter, request: PageQuery) {
	const list = newestFirst(JSON.stringify(['activity', filter.accountId, filter.kind]));
	const limit = limitOf(request);
	// One query for each column, because no index has both.
	const columns =
		filter.accountId === undefined ? [undefined] : (['account_id', 'actor_id'] as const);
	const found: Entry[] = [];
	for (const column of columns) {
		const more = { ...request, limit: limit + 1 };
		found.push(...(await readPage(entries(db, filter, column), list, more)).data);
	}
	const page = pageOf(newestOf(found), list, limit);
	return { ...page, data: page.data.map((row) => activityRecord(row, filter)) };
}

export type ActivityRecord = Awaited<ReturnType<typeof listActivity>>['data'][number];

const batch = 500;

/** Deletes old entries in batches, so that others can write in between. */
export async function deleteOldActivity(db: Db, days: number) {
	const oldest = timeIn(db, -days * 24 * 60 * 60 * 1000);
	const some = sql`select id from activity where created_at < ${oldest} order by created_at limit ${batch}`;
	const deletion = sql`delete from activity where id in (${some})`;
	for (;;) {
		const { numAffectedRows = 0n } = await deletion.execute(db);
		if (numAffectedRows < batch) return;
		// Queries on SQLite do not yield to the event loop.
		await nextTurn();
	}
}

type Column = 'account_id' | 'actor_id';

function entries(db: Db, { accountId, kind }: ActivityFilter, column?: Column) {
	const emailOf = (column: Column) =>
		sql<
			string | null
		>`(select email from accounts where accounts.id = ${sql.ref(`activity.${column}`)})`;
	let query = db
		.selectFrom('activity')
		.selectAll()
		.select(emailOf('account_id').as('account_email'))
		.select(emailOf('actor_id').as('actor_email'));
	if (column && accountId !== undefined) query = query.where(column, '=', accountId);
	return kind === undefined ? query : query.where('kind', '=', kind);
}

type Entry = InferResult<ReturnType<typeof entries>>[number];

/** Each entry once, newest first. */
function newestOf(found: readonly Entry[]) {
	const each = new Map(found.map((entry) => [entry.id, entry]));
	const place = ({ created_at, id }: Entry) => created_at + id;
	return [...each.values()].sort((a, b) => (place(a) < place(b) ? 1 : -1));
}

function activityRecord(
	{ repeat_key: _repeatKey, details, ...row }: Entry,
	{ accountId, own }: ActivityFilter,
) {
	// Written by this service, as a JSON object.
	const entry = { ...row, details: JSON.parse(details) as Record<string, unknown> };
	if (!own || entry.actor_id === null || entry.actor_id === accountId) return entry;
	const hidden = { api_key_id: null, session_id: null, address: null };
	return { ...entry, actor_id: null, actor_email: null, ...hidden };
}
