// Names a device by its user agent.

// The first match counts, because browsers also name those that they are compatible with.
const browsers: readonly (readonly [RegExp, string])[] = [
	[/Edg(e|A|iOS)?\//, 'Microsoft Edge'],
	[/OPR\/|Opera/, 'Opera'],
	[/SamsungBrowser\//, 'Samsung Internet'],
	[/Firefox\/|FxiOS\//, 'Firefox'],
	[/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
	[/^(?=.*Version\/).*Safari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
	[/Windows/, 'Windows'],
	[/Android/, 'Android'],
	[/iPhone|iPad|iPod/, 'iOS'],
	[/Macintosh/, 'macOS'],
	[/CrOS/, 'Chrome OS'],
	[/Linux/, 'Linux'],
];

/** "Firefox on Windows", or the name of a program. */
export function deviceName(userAgent: string) {
	const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
	const browser = find(browsers) ?? userAgent.replace(/[\s/].*/s, '');
	if (!browser) return 'Unknown device';
	const system = find(systems);
	return system ? `${browser} on ${system}` : browser;
}
