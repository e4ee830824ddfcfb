// Names of fields and of hosts.

/** Elsewhere than in browsers, `*.localhost` is resolved by DNS. */
export function isLoopback(hostname: string) {
	return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

// Field names on the wire are snake_case; in TypeScript they are camelCase.

/** `board_type` becomes `boardType`. */
export type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
	? `${Head}${Capitalize<CamelCase<Tail>>}`
	: Name & string;

/** `boardType` becomes `board_type`; a name that is snake_case already stays as it is. */
export function snakeCase(name: string) {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function camelCase(name: string) {
	return name.replace(/(?<=[a-zA-Z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The same fields under their names in TypeScript. */
export function camelCased<Fields extends object>(fields: Fields) {
	const renamed = Object.entries(fields).map(([name, value]) => [camelCase(name), value]);
	return Object.fromEntries(renamed) as { [Name in keyof Fields as CamelCase<Name>]: Fields[Name] };
}

/** What other libraries, or the API, call some of the names. */
const synonyms: Readonly<Record<string, string>> = {
	limit: 'pageSize',
	type: 'boardType',
	minutes: 'durationMs',
	waitSeconds: 'waitMs',
};

/** The name that was probably meant: the closest one that differs in at most two characters and a third of its own. */
export function nearest(name: string, known: readonly string[]) {
	const synonym = known.find((each) => each === synonyms[name]);
	if (synonym !== undefined) return synonym;
	for (const edits of [0, 1, 2]) {
		const near = known.find(
			(each) => each.length >= 3 * edits && isNear(plain(name), plain(each), edits),
		);
		if (near !== undefined) return near;
	}
	return undefined;
}

/** `baseURL`, `base_url` and `baseUrl` are the same. */
function plain(name: string) {
	return name.toLowerCase().replaceAll('_', '');
}

/** What to say of an option that is not known. */
export function unknownOption(name: string, known: readonly string[]) {
	const meant = nearest(name, known);
	return `is not an option${meant ? ` (did you mean ${meant}?)` : `; the options are ${known.join(', ')}`}`;
}

/** Whether so many inserted, removed, changed or swapped characters make one text of the other. */
function isNear(one: string, other: string, edits: number): boolean {
	if (edits < 0) return false;
	if (one === '' || other === '') return one.length + other.length <= edits;
	const [rest, otherRest] = [one.slice(1), other.slice(1)];
	if (one[0] === other[0]) return isNear(rest, otherRest, edits);
	const isSwapped = one[0] === other[1] && one[1] === other[0];
	return (
		(isSwapped && isNear(rest.slice(1), otherRest.slice(1), edits - 1)) ||
		isNear(rest, otherRest, edits - 1) ||
		isNear(rest, other, edits - 1) ||
		isNear(one, otherRest, edits - 1)
	);
}
