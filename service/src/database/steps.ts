// Changes of several tables that depend on each other. PostgreSQL runs them as one statement, and so in one
// round trip; SQLite runs one after the other in a transaction.
import { CompiledQuery } from 'kysely';
import { explainCommit, onPostgres } from './postgres.ts';
import type { Db } from './schema.ts';
import { afterDeadlocks, inTransaction } from './transactions.ts';

type Value = string | number | Uint8Array | null | undefined;

/**
 * Compiles statements into a function that runs them and returns the rows of the last one, or of `result`. The
 * key of each is its name, with its columns if later ones read them: `board (id, fence)`. In the text, `:name` is
 * a value, and braces contain what is for PostgreSQL only. A statement reads what another has changed from its
 * rows, not from the table: on PostgreSQL, all of them see the tables as they were before.
 */
export function defineSteps(
	steps: Readonly<Record<string, string>>,
	result = nameOf(Object.keys(steps).at(-1) ?? ''),
) {
	const entries = Object.entries(steps);
	const parts = entries.map(([head, text]) => `${head} as (${text.replace(/[{}]/g, '')})`);
	const whole = compile(`with ${parts.join(', ')} select * from ${result}`, { numbered: true });
	const single = entries.map(([head, text]) => ({
		name: nameOf(head),
		...compileSingle(text, Object.keys(steps)),
	}));

	return async <Row>(db: Db, values: Readonly<Record<string, Value>>): Promise<Row[]> => {
		if (onPostgres(db)) {
			if (db.isTransaction) return run(db, whole, values);
			// It commits by itself: without a response it may have happened, unless there was no connection for it.
			return afterDeadlocks(() =>
				db.connection().execute((db) => run<Row>(db, whole, values).catch(explainCommit)),
			);
		}
		return inTransaction(db, async (db) => {
			const rows: Record<string, object[]> = {};
			const known = { ...values };
			for (const step of single) {
				rows[step.name] = await run<object>(db, step, known);
				known[`rows_of_${step.name}`] = JSON.stringify(rows[step.name]?.map(Object.values));
			}
			return (rows[result] ?? []) as Row[]; // the caller knows the columns of the result
		});
	};
}

function nameOf(head: string) {
	return head.split(' ', 1)[0] ?? '';
}

interface Compiled {
	text: string;
	/** The values in their order. */
	names: string[];
}

/** For SQLite: the rows of earlier statements are values. */
function compileSingle(text: string, heads: readonly string[]) {
	const read = heads.filter((head) => new RegExp(`\\b(from|join) ${nameOf(head)}\\b`).test(text));
	const tables = read.map((head) => {
		const columns = /\((.*)\)/.exec(head)?.[1]?.split(',') ?? ['value'];
		const values = columns.map((_, index) => `value ->> ${index}`);
		return `${head} as (select ${values.join(', ')} from json_each(:rows_of_${nameOf(head)}))`;
	});
	const before = tables.length > 0 ? `with ${tables.join(', ')} ` : '';
	return compile(before + text.replace(/\{.*?\}/g, ''), { numbered: false });
}

/** Numbered values stand once in their order, however often the text names them. */
function compile(text: string, { numbered }: { numbered: boolean }): Compiled {
	const names: string[] = [];
	const compiled = text.replace(/:([a-z_]+)/g, (_, name: string) => {
		const known = numbered ? names.indexOf(name) : -1;
		const number = known < 0 ? names.push(name) : known + 1;
		return numbered ? `$${number}` : '?';
	});
	return { text: compiled, names };
}

async function run<Row>(
	db: Db,
	{ text, names }: Compiled,
	values: Readonly<Record<string, Value>>,
): Promise<Row[]> {
	const parameters = names.map((name) => values[name] ?? null);
	return (await db.executeQuery<Row>(CompiledQuery.raw(text, parameters))).rows;
}
