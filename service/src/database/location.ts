// The kind of database that a text identifies: in memory, a file, or PostgreSQL.

/** Whether it is an address of PostgreSQL. */
export function isPostgres(location: string) {
	return /^postgres(ql)?:\/\//i.test(location);
}

/** Whether it is the plain path of an SQLite file. */
export function isPath(location: string) {
	return !isPostgres(location) && !/^(:memory:$|file:)/.test(location);
}
