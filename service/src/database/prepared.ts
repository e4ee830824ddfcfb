// Building a query costs more than running it. The few that run on every request are built once,
// and PostgreSQL keeps its plan of them under their name.
import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './database.ts';

const compiled = new WeakMap<object, Map<string, CompiledQuery>>();

/** Holds the place of a value in a compiled query. */
class Placeholder {
	readonly name: string;

	constructor(name: string) {
		this.name = name;
	}
}

interface PreparedQuery<Values, Row> {
	name: string;
	values: Values;
	/**
	 * Builds the query from placeholders for the values. It runs once for each set of values that
	 * are not undefined, so the SQL may depend on which ones there are, never on what they are.
	 */
	build: (db: Database['query'], values: Values) => Compilable<Row>;
}

export async function runPrepared<Values extends Record<string, unknown>, Row>(
	{ query: db, pool }: Database,
	{ name, values, build }: PreparedQuery<Values, Row>,
): Promise<Row[]> {
	const known = compiled.get(db) ?? new Map<string, CompiledQuery>();
	compiled.set(db, known);
	const present = Object.keys(values).filter((key) => values[key] !== undefined);
	const shape = [name, ...present].join(' ');
	const query = known.get(shape) ?? build(db, placeholders<Values>(present)).compile();
	known.set(shape, query);
	const parameters = query.parameters.map((parameter) =>
		parameter instanceof Placeholder ? values[parameter.name] : parameter,
	);
	const { rows } = pool
		? await pool.query({ name: shape, text: query.sql, values: parameters })
		: await db.executeQuery({ ...query, parameters });
	// `build` says what a row of this query is.
	return rows as Row[];
}

function placeholders<Values>(names: string[]) {
	const places = names.map((name) => [name, new Placeholder(name)]);
	// Kysely passes parameters on as they are, whatever their type.
	return Object.fromEntries(places) as Values;
}
