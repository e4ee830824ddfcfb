// The keys of an account as its page shows them: searched and ordered by any column.
import { newestFirst } from '../database/pagination.ts';
import type { ApiKeyRow, Db } from '../database/schema.ts';
import { type KeyFilter, selectKeys } from './store.ts';

export const keySorts = ['age', 'label', 'used', 'expires'] as const;

type KeySort = (typeof keySorts)[number];

/** How many of the newest are checked, no matter how many there are. */
export const maxKeysShown = 2000;

type ShownKey = Awaited<ReturnType<typeof newestKeys>>[number];

/** The newest keys, and those whose label, masked key or id has the text in it, in this order. */
export async function searchKeys(
	db: Db,
	filter: KeyFilter,
	{ text, by, descending }: { text: string; by: KeySort; descending: boolean },
) {
	const all = await newestKeys(db, filter);
	const sought = text.toLowerCase();
	const found = all.filter(({ id, label, hint }) =>
		[id, label ?? '', hint].some((field) => field.toLowerCase().includes(sought)),
	);
	const direction = descending ? -1 : 1;
	return { all, found: found.sort((a, b) => direction * orders[by](a, b)) };
}

/** With the address of their last use. */
async function newestKeys(db: Db, filter: KeyFilter) {
	const query = selectKeys(db, filter).select('last_used_address');
	const { data } = await newestFirst(query, 'newest keys', { limit: maxKeysShown });
	return data.map((key) => ({ ...key, expiry: expiryOf(key, Date.now()) }));
}

// Without a label, a use or an expiry, a key comes after those that have one.
const orders: Record<KeySort, (a: ShownKey, b: ShownKey) => number> = {
	age: (a, b) => compare(b.created_at, a.created_at),
	label: (a, b) => compare(a.label?.toLowerCase() ?? last, b.label?.toLowerCase() ?? last),
	used: (a, b) => compare(b.last_used_at ?? '', a.last_used_at ?? ''),
	expires: (a, b) => compare(a.expires_at ?? last, b.expires_at ?? last),
};

const last = '\u{10ffff}';

function compare(a: string, b: string) {
	return a < b ? -1 : Number(a > b);
}

const week = 7 * 24 * 60 * 60 * 1000;

/** Whether a key has expired, or will within a week, unless it was made for no longer, for a job for example. */
function expiryOf(
	{ created_at, expires_at }: Pick<ApiKeyRow, 'created_at' | 'expires_at'>,
	now: number,
) {
	if (expires_at === null) return 'later';
	const end = Date.parse(expires_at);
	if (end <= now) return 'expired';
	return end - now <= week && end - Date.parse(created_at) > week ? 'soon' : 'later';
}
