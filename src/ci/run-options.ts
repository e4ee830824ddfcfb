// Reads the patterns of a firmware test as people write them.

/** A text, or the regular expression between two slashes. */
export function readPattern(text: string): string | RegExp {
	const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
	if (source === undefined) return text;
	try {
		return new RegExp(source, flags);
	} catch (error) {
		// Only RegExp can throw here, and it throws an Error.
		throw new Error(`${text} is not a valid regular expression: ${(error as Error).message}`);
	}
}
