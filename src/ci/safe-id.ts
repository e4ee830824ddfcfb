// Workflows put identifiers into shell lines, so none may contain what a shell interprets.

/** The identifier, if it has only letters, digits, `_`, `.` and `-`. */
export function safeId(id: string) {
	if (/^[A-Za-z0-9][\w.-]*$/.test(id)) return id;
	throw new Error('The service sent an ID with characters that are not allowed in a shell');
}
