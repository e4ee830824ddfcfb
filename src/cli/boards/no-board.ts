// Explains why no board matches: a mistyped type looks the same as a busy pool otherwise.
import type { BoardAccess } from 'board-access';
import type { Io } from '../terminal/io.ts';

interface Filters {
	type?: readonly string[];
	tag?: readonly unknown[];
	status?: string;
}

/** A type that differs by more is not what was meant. */
const mostEdits = 3;

export async function whyNoBoard(client: BoardAccess, { type, tag, status }: Filters, io: Io) {
	if (type === undefined) return 'No board matches.';
	const known = await knownTypes(client, io);
	const unknown = type.filter((name) => !known.includes(name));
	if (unknown.length === 0 && (tag || !status)) return 'No board matches.';
	if (unknown.length === 0) return `No board of type ${type.join(', ')} is ${status}.`;
	return unknown.map((name) => unknownType(name, known)).join(' ');
}

async function knownTypes(client: BoardAccess, { signal }: Io) {
	const boards = await client.boards.list({}, { signal });
	return [...new Set(boards.flatMap(({ boardType }) => boardType ?? []))].sort();
}

function unknownType(name: string, known: readonly string[]) {
	const message = `There is no board type "${name}".`;
	const edits = (type: string) => editsBetween(name.toLowerCase(), type);
	const [nearest] = known.toSorted((one, other) => edits(one) - edits(other));
	if (nearest === undefined) return message;
	if (edits(nearest) <= mostEdits) return `${message} Did you mean ${nearest}?`;
	return `${message} Known types: ${known.join(', ')}.`;
}

/** The Levenshtein distance, row by row. */
function editsBetween(one: string, other: string) {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [line, letter] of [...one].entries()) {
		const next = [line + 1];
		for (const [column, wanted] of [...other].entries()) {
			const replaced = (row[column] ?? 0) + (letter === wanted ? 0 : 1);
			next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
