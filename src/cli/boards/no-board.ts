// Explains why no board matches: a mistyped type looks the same as a busy pool otherwise.
import type { BoardAccess } from 'board-access';
import { closest, distance } from 'fastest-levenshtein';
import type { Io } from '../terminal/io.ts';

interface Filters {
	type?: readonly string[];
	tag?: readonly unknown[];
	status?: string;
}

export async function whyNoBoard(client: BoardAccess, { type, tag, status }: Filters, io: Io) {
	if (type === undefined) return 'No board matches.';
	const known = await knownTypes(client, io);
	const unknown = type.filter((name) => !known.includes(name));
	if (unknown.length === 0 && (tag || !status)) return 'No board matches.';
	if (unknown.length === 0) return `No board of type ${type.join(', ')} is ${status}.`;
	return unknown.map((name) => unknownType(name, known)).join(' ');
}

/** Says that there is no such type, and which there are. */
export async function unknownTypeMessage(client: BoardAccess, type: string, io: Io) {
	return unknownType(type, await knownTypes(client, io));
}

async function knownTypes(client: BoardAccess, { signal }: Io) {
	const boards = await client.boards.list({}, { signal });
	return [...new Set(boards.flatMap(({ boardType }) => boardType ?? []))].sort();
}

function unknownType(name: string, known: readonly string[]) {
	const message = `There is no board type "${name}".`;
	if (known.length === 0) return message;
	const nearest = closest(name.toLowerCase(), known);
	if (distance(name.toLowerCase(), nearest) <= 3) return `${message} Did you mean ${nearest}?`;
	return `${message} Known types: ${known.join(', ')}.`;
}
