// Reads a duration as people write it.

const units: Readonly<Record<string, number>> = {
	ms: 1,
	s: 1000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

/** Milliseconds of a time such as `500ms`, `90s`, `1.5h` or `30d`; a number alone is in seconds. */
export function readDuration(text: string, max = '24h') {
	const milliseconds = millisecondsOf(text);
	if (milliseconds <= millisecondsOf(max)) return milliseconds;
	throw new Error(
		`${JSON.stringify(text)} is not a duration. Use a number and a unit, such as 90s or 10m; the longest is ${max}.`,
	);
}

/** The time at which a key of this lifetime expires: `2h`, `30d`. */
export function expiryAfter(lifetime: string) {
	return new Date(Date.now() + readDuration(lifetime, '3650d'));
}

function millisecondsOf(text: string) {
	const [, count, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
	return Math.round(Number(count) * (units[unit] ?? Number.NaN));
}
