// Writes the rows that a decision has changed. It knows no rules.
import type { Insertable, Kysely, Updateable } from 'kysely';
import type { Db, Schema } from './schema.ts';

type Rows<Row> = readonly (Row & { id: string })[];

/** SQLite accepts 32,766 parameters in a statement. */
const maxAtOnce = 1_000;

/** Inserts, updates and deletes rows where `after` differs from `before`. */
export async function saveRows<Row extends object>(
	db: Db,
	table: keyof Schema,
	{ before, after }: { before: Rows<Row>; after: Rows<Row> },
) {
	if (before === after) return;
	const known = new Map(before.map((row) => [row.id, row]));
	const left = new Set(after.map(({ id }) => id));
	const gone = before.filter(({ id }) => !left.has(id)).map(({ id }) => id);
	const added = after.filter(({ id }) => !known.has(id));
	const changes = after.flatMap((row) => {
		const change = differenceOf(known.get(row.id) ?? row, row);
		return change ? [{ id: row.id, change, alike: JSON.stringify(change) }] : [];
	});
	// The rows were read from this table, so they have its columns.
	const any = db as unknown as Kysely<Record<string, { id: string }>>;
	if (gone.length > 0) await any.deleteFrom(table).where('id', 'in', gone).execute();
	if (added.length > 0) {
		const rows = added as unknown as Insertable<{ id: string }>[];
		await any.insertInto(table).values(rows).execute();
	}
	for (const group of Map.groupBy(changes, ({ alike }) => alike).values()) {
		const change = group[0]?.change as Updateable<{ id: string }>;
		for (let start = 0; start < group.length; start += maxAtOnce) {
			const ids = group.slice(start, start + maxAtOnce).map(({ id }) => id);
			await any.updateTable(table).set(change).where('id', 'in', ids).execute();
		}
	}
}

function differenceOf(before: object, after: object) {
	if (before === after) return undefined;
	const old = new Map<string, unknown>(Object.entries(before));
	const changed = Object.entries(after).filter(([column, value]) => value !== old.get(column));
	return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}
