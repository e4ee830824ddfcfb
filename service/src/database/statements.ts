// Prepared statements by their text, so that each is compiled only once.

/** Prepares each text once; begins again when there are too many. */
export function prepareOnce<Statement extends object>(
	prepare: (sql: string) => Statement,
	most: number,
) {
	const statements = new Map<string, Statement>();
	return (sql: string): Statement => {
		const known = statements.get(sql);
		if (known) return known;
		if (statements.size >= most) statements.clear();
		const statement = prepare(sql);
		statements.set(sql, statement);
		return statement;
	};
}
