// Placeholders in the argument lists: `{name}`.

/** Filled in for each flash. */
export const flashPlaceholders = ['file', 'offset', 'address', 'format'] as const;

const placeholder = /\{([a-z][a-z0-9_]*)\}/g;

/** The names of the placeholders in an argument. */
export function placeholdersIn(argument: string): string[] {
	return [...argument.matchAll(placeholder)].map(([, name = '']) => name);
}

/** The arguments with the values inserted. Each stays one argument, whatever its value. */
export function fillIn(
	command: readonly string[],
	values: Readonly<Record<string, string>>,
): string[] {
	return command.map((argument) =>
		argument.replaceAll(placeholder, (text, name: string) => values[name] ?? text),
	);
}
