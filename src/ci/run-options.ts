// Reads the options of a firmware test as people write them.

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const longest = 24 * 3_600_000;

/** Milliseconds of a time such as `500ms`, `90s`, `10m` or `1.5h`; a number alone is in seconds. */
export function readDuration(text: string) {
	const [, count, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
	const milliseconds = Math.round(Number(count) * (units[unit] ?? Number.NaN));
	if (milliseconds <= longest) return milliseconds;
	throw new Error(
		`${JSON.stringify(text)} is not a time. Expected a duration such as 30s or 10m, at most 24h.`,
	);
}

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
