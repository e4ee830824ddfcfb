// Building a query costs more than running it. The few that run on every request are built once,
// and PostgreSQL keeps its plan of them under their name.
import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './database.ts';

const compiled = new WeakMap<object, Map<string, CompiledQuery>>();

/** Runs the query that `build` describes; `shape` names all that its SQL depends on. */
export async function runPrepared<Row>(
	{ query: db, pool }: Database,
	{
		shape,
		build,
		parameters,
	}: {
		shape: string;
		/** Called once for each shape; the values in it only hold places. */
		build: (db: Database['query']) => Compilable<Row>;
		parameters: readonly unknown[];
	},
): Promise<Row[]> {
	const known = compiled.get(db) ?? new Map<string, CompiledQuery>();
	compiled.set(db, known);
	const query = known.get(shape) ?? build(db).compile();
	known.set(shape, query);
	const { rows } = pool
		? await pool.query({ name: shape, text: query.sql, values: [...parameters] })
		: await db.executeQuery({ ...query, parameters });
	// `build` says what a row of this shape is.
	return rows as Row[];
}
