// Timestamps in the format of the API and the database.

export function now() {
	return new Date().toISOString();
}
