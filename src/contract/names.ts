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

export type CamelCased<Fields> = { [Name in keyof Fields as CamelCase<Name>]: Fields[Name] };

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
	return Object.fromEntries(renamed) as CamelCased<Fields>;
}
