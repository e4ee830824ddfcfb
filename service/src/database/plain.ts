// SQL as text, for the few queries that run on every request: building one costs more than running it.
import { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import { prepareOnce } from './statements.ts';

export interface PlainQuery {
	/** With `?` in place of each value. */
	text: string;
	values: readonly unknown[];
	/** Under this name PostgreSQL keeps its plan of the text. */
	name?: string | undefined;
}

export async function runPlain<Row>(
	{ query, pool, readNow }: Pick<Database, 'query' | 'pool' | 'readNow'>,
	{ text, values, name }: PlainQuery,
): Promise<Row[]> {
	if (pool) {
		const { rows } = await pool.query({ ...numbered(text), name, values: [...values] });
		return rows;
	}
	const rows =
		readNow?.(text, values) ??
		(await query.executeQuery(CompiledQuery.raw(text, [...values]))).rows;
	// The text says what a row is.
	return rows as Row[];
}

/** PostgreSQL numbers its places. */
const numbered = prepareOnce((text) => {
	let count = 0;
	const next = () => {
		count += 1;
		return `$${count}`;
	};
	return { text: text.replace(/\?/g, next) };
}, 100);
