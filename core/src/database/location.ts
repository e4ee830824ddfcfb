// What kind of database a setting names: in memory, a file, or PostgreSQL.

export function isPostgres(location: string) {
	return /^postgres(ql)?:\/\//i.test(location);
}

/** The path of an SQLite file, which may be given as a `file:` address. */
export function filePath(location: string) {
	if (isPostgres(location) || location === ':memory:') return undefined;
	if (!location.startsWith('file:')) return location;
	const [address = '', query] = location.slice('file:'.length).split(/[?#]/);
	const path = decodeURIComponent(address.replace(/^\/\/[^/]*/, ''));
	const inMemory = path === ':memory:' || new URLSearchParams(query).get('mode') === 'memory';
	return path === '' || inMemory ? undefined : path;
}

export function holdsPassword(location: string) {
	const url = isPostgres(location) ? URL.parse(location.replace('@/', '@localhost/')) : null;
	return url !== null && (url.password !== '' || url.searchParams.has('password'));
}
