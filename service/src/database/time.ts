// Moments as the wire and the database write them.

export function now() {
	return new Date().toISOString();
}
