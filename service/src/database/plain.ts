// SQL as text, for the few queries that run on every request: building one costs more than running it.
import { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';

export interface PlainQuery {
	/** With `?` in place of each value. */
	text: string;
	values: readonly unknown[];
	/** Under this name PostgreSQL keeps its plan of the text. */
	name?: string | undefined;
}

export async function runPlain<Row>(
	{ query, pool }: Pick<Database, 'query' | 'pool'>,
	{ text, values, name }: PlainQuery,
): Promise<Row[]> {
	const { rows } = pool
		? await pool.query({ name, text: numbered(text), values: [...values] })
		: await query.executeQuery(CompiledQuery.raw(text, [...values]));
	// The text says what a row is.
	return rows as Row[];
}

/** PostgreSQL numbers its places. */
function numbered(text: string) {
	let count = 0;
	return text.replace(/\?/g, () => {
		count += 1;
		return `$${count}`;
	});
}
