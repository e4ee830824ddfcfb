// Building a query costs more than running it. The few that run on every request are built once.
import type { Compilable, CompiledQuery, Kysely } from 'kysely';

const compiled = new WeakMap<object, Map<string, CompiledQuery>>();

/** Runs the query that `build` describes; `shape` names all that its SQL depends on. */
export const runPrepared = async <Row, Tables>(
	db: Kysely<Tables>,
	{
		shape,
		build,
		parameters,
	}: {
		shape: string;
		/** Called once for each shape; the values in it only hold places. */
		build: () => Compilable<Row>;
		parameters: readonly unknown[];
	},
): Promise<Row[]> => {
	const known = compiled.get(db) ?? new Map<string, CompiledQuery>();
	compiled.set(db, known);
	const query = known.get(shape) ?? build().compile();
	known.set(shape, query);
	const { rows } = await db.executeQuery({ ...query, parameters });
	// `build` says what a row of this shape is.
	return rows as Row[];
};
