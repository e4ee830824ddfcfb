// The kind of database that a text identifies: in memory, a file, or PostgreSQL.

/** Whether it is an address of PostgreSQL. */
export function isPostgres(location: string) {
	return /^postgres(ql)?:\/\//i.test(location);
}

/** The path of an SQLite file, also of one that is named by a `file:` address. */
export function filePath(location: string) {
	if (isPostgres(location) || location === ':memory:') return undefined;
	if (!location.startsWith('file:')) return location;
	const [address = '', query] = location.slice('file:'.length).split(/[?#]/);
	const path = decodeURIComponent(address.replace(/^\/\/[^/]*/, ''));
	const inMemory = path === ':memory:' || new URLSearchParams(query).get('mode') === 'memory';
	return path === '' || inMemory ? undefined : path;
}

/** Whether the address of a PostgreSQL database has a password in it. */
export function holdsPassword(location: string) {
	const url = isPostgres(location) ? URL.parse(location.replace('@/', '@localhost/')) : null;
	return url !== null && (url.password !== '' || url.searchParams.has('password'));
}
