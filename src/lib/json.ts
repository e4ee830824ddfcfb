// JSON from outside, looked at by name.

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}; // it has fields
}
