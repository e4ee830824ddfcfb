// Field names on the wire are snake_case; in TypeScript they are camelCase.

/** `boardType` becomes `board_type`; a name that is snake_case already stays as it is. */
export function snakeCase(name: string) {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
