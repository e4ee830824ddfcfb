// Reads what a firmware test expects and sends, as people write it.

/** A text, or a regular expression between two slashes. */
export function readPattern(text: string): string | RegExp {
	const [, source, flags] = /^\/(.+)\/([a-z]*)$/is.exec(text) ?? [];
	if (source === undefined) return text;
	try {
		return new RegExp(source, flags?.replace(/[gy]/g, ''));
	} catch (error) {
		const { message } = error as Error; // RegExp throws it
		throw new Error(`${text} is not a valid regular expression: ${message}`);
	}
}

const escapes: Readonly<Record<string, number>> = { '\\r': 13, '\\n': 10, '\\t': 9, '\\\\': 92 };

/** The bytes of a text with the escapes \r, \n, \t, \\ and \xNN. */
export function readSent(text: string): Uint8Array {
	const parts = text.match(/\\x[\da-f]{2}|\\.?|[^\\]+/gis) ?? [];
	return new Uint8Array(Buffer.concat(parts.map(bytesOf)));
}

function bytesOf(part: string) {
	if (!part.startsWith('\\')) return Buffer.from(part);
	const byte = part.length === 4 ? Number.parseInt(part.slice(2), 16) : escapes[part];
	if (byte !== undefined) return Uint8Array.of(byte);
	throw new Error(`${part} is not an escape. Use \\r, \\n, \\t, \\xNN, or \\\\ for a backslash.`);
}
