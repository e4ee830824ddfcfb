// Reads the options of a firmware test as people write them.

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a time such as `500ms`, `90s`, `10m` or `1h`; a bare number is seconds. */
export function readDuration(text: string) {
	const [, number, unit = 's'] = /^(\d{1,7})(ms|s|m|h)?$/.exec(text.trim()) ?? [];
	const milliseconds = Number(number) * (units[unit] ?? Number.NaN);
	if (milliseconds <= 24 * 3_600_000) return milliseconds;
	throw new Error(
		`${JSON.stringify(text)} is not a time such as 500ms, 90s, 10m or 1h, at most 24h`,
	);
}

/** A text, or the regular expression between two slashes. */
export function readPattern(text: string): string | RegExp {
	const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
	if (source === undefined) return text;
	try {
		return new RegExp(source, flags);
	} catch (error) {
		throw new Error(`${text} is not a valid regular expression: ${(error as Error).message}`); // what RegExp throws
	}
}

/** One expression for everything that must not appear. */
export function failPattern(texts: readonly string[]) {
	if (texts.length === 0) return undefined;
	const sources = texts.map((text) => {
		const pattern = readPattern(text);
		if (typeof pattern === 'string') return pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
		const local = pattern.flags.replace(/[^ims]/g, '');
		return local ? `(?${local}:${pattern.source})` : `(?:${pattern.source})`;
	});
	return new RegExp(sources.join('|'));
}
