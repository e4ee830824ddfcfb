// What the text that names a database stands for; one of PostgreSQL is neither memory nor a file.

/** Whether it is an address of PostgreSQL. */
export function isPostgres(location: string) {
	return /^postgres(ql)?:\/\//i.test(location);
}

/** Whether it is the plain path of an SQLite file. */
export function isPath(location: string) {
	return !isPostgres(location) && !/^(:memory:$|file:)/.test(location);
}
