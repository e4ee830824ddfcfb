// Reads the patterns of a firmware test as people write them.

/** A text, or the regular expression between two slashes. It is searched once, so it needs no state. */
export function readPattern(text: string): string | RegExp {
	const [, source, flags] = /^\/(.+)\/([a-z]*)$/is.exec(text) ?? [];
	if (source === undefined) return text;
	try {
		return new RegExp(source, flags?.replace(/[gy]/g, ''));
	} catch (error) {
		// Only RegExp can throw here, and it throws an Error.
		throw new Error(`${text} is not a valid regular expression: ${(error as Error).message}`);
	}
}
