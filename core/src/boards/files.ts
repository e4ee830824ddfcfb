// Boards in JSON and CSV files. In CSV, each tag has a column `tags.<name>`.
import { importedBoard, maxImported } from 'board-access-contract';
import type { Db } from '../database/schema.ts';
import { explain, firstOf, invalid, issuesOf, printableName } from '../validation.ts';
import { parseCsv, writeCsv } from './csv.ts';
import type { BoardInput } from './import.ts';
import { boardColumns } from './store.ts';

type BoardFormat = 'json' | 'csv';

interface Item {
	/** Its place in the file, for error messages. */
	place: string;
	value: unknown;
}

type PlacedBoard = BoardInput & Pick<Item, 'place'>;

/** Reads all boards, or throws an error with the places of invalid ones. */
export function readBoards(text: string, format: BoardFormat, max = Infinity): BoardInput[] {
	const items = (format === 'csv' ? csvItems : jsonItems)(text.replace(/^\uFEFF/, ''), max);
	if (items.length > max) throw new Error(`There are more than ${max} boards`);
	if (items.length === 0)
		throw new Error('The file contains no boards; in CSV the first line names the columns');
	const boards: PlacedBoard[] = [];
	const problems: string[] = [];
	for (const { place, value } of items) {
		const { data, error } = importedBoard.safeParse(value, { error: explain });
		if (data) boards.push({ ...data, place });
		for (const { path, message } of (error?.issues ?? []).flatMap(issuesOf)) {
			problems.push(`${place}: ${path || 'it'} ${message}`);
		}
	}
	problems.push(...repetitions(boards));
	if (problems.length > 0) throw new Error(firstOf(problems).join('\n'));
	return boards.map(({ place: _, ...board }) => board);
}

/** Reads the boards of a request: listed boards, or a file in either format. */
export function readGiven(given: string | readonly BoardInput[]) {
	return (typeof given === 'string' ? boardsIn(given) : given).map(withoutMomentary);
}

function boardsIn(text: string) {
	try {
		return readBoards(text, text.trimStart().startsWith('[') ? 'json' : 'csv', maxImported);
	} catch (error) {
		throw notImported(error);
	}
}

export function notImported(error: unknown) {
	const reason = error instanceof Error ? error.message : String(error);
	return invalid([{ path: 'boards', message: `cannot be imported: ${reason}` }]);
}

/** Ignores a status that follows from a lease or an agent. Only an agent sets `offline` with a reason. */
function withoutMomentary(board: BoardInput): BoardInput {
	const { status, status_reason } = board;
	const isMomentary = status === 'in_use' || (status === 'offline' && status_reason);
	return isMomentary ? { ...board, status: undefined } : board;
}

/** Of two with the same identity, the second would overwrite the first. */
function repetitions(boards: readonly PlacedBoard[]) {
	const groups = (boards: readonly PlacedBoard[], keyOf: (board: PlacedBoard) => unknown) =>
		[...Map.groupBy(boards, keyOf).values()].filter((same) => same.length > 1);
	const identified = boards.filter(({ id }) => id);
	return [
		...groups(identified, ({ id }) => id).map((same) => `${placesOf(same)} have the same id`),
		// A board without an id is recognized by its name and type.
		...groups(boards, ({ name, board_type }) => JSON.stringify([name, board_type]))
			.filter((same) => same.some(({ id }) => !id))
			.map((same) => `${placesOf(same)} have the same name and type, but not all have an id`),
	];
}

function placesOf(same: readonly PlacedBoard[]) {
	return same.map(({ place }) => place).join(' and ');
}

export async function exportBoards(db: Db, format: BoardFormat) {
	return writeBoards(await readAll(db), format);
}

/** Exports the status that was set, not the current one, so that importing it again changes nothing. */
async function readAll(db: Db) {
	const boards = await db
		.selectFrom('boards')
		.select([...boardColumns, 'base_status'])
		.orderBy('name')
		.orderBy('id')
		.execute();
	return boards.map(({ base_status: status, status_reason, tags, ...board }) => ({
		...board,
		status,
		status_reason: status === 'maintenance' ? status_reason : '',
		// Written by this service, as a JSON object of strings.
		tags: JSON.parse(tags) as Record<string, string>,
	}));
}

type ExportedBoard = Awaited<ReturnType<typeof readAll>>[number];

export function writeBoards(boards: ExportedBoard[], format: BoardFormat) {
	return format === 'json' ? `${JSON.stringify(boards, null, 2)}\n` : boardsAsCsv(boards);
}

function csvItems(text: string, max: number): Item[] {
	const [header, ...rows] = parseCsv(text, max + 1);
	checkColumns(header?.values ?? []);
	return rows.map(({ line, values }) => {
		const cells = values
			.map((cell, index) => [header?.values[index] ?? `column ${index + 1}`, cell] as const)
			.filter(([, cell]) => cell !== '');
		const { tags = [], fields = [] } = Object.groupBy(cells, ([name]) =>
			name.startsWith('tags.') ? 'tags' : 'fields',
		);
		const named = Object.fromEntries(tags.map(([name, cell]) => [name.slice(5), cell]));
		return { place: `line ${line}`, value: { ...Object.fromEntries(fields), tags: named } };
	});
}

const timeColumns = ['created_at', 'updated_at'] as const;
/** The columns before those of the tags, of which each has its own. */
const plainColumns = boardColumns.filter(
	(name) => name !== 'tags' && !timeColumns.some((time) => time === name),
);

/** Rejects unknown names. A column without a name is rejected only if it has values. */
function checkColumns(names: string[]) {
	if (names.length === 1 && names[0]?.includes(';')) {
		throw new Error('line 1: columns are separated by commas, not by semicolons');
	}
	const known = new Set<string>(['', ...plainColumns, 'lease_id', 'has_agent', ...timeColumns]);
	const unknown = names.filter((name) => !known.has(name) && !name.startsWith('tags.'));
	if (unknown.length === 0) return;
	const problems = unknown.map((name) => `line 1: ${printableName(name)} is not a known name`);
	throw new Error(firstOf(problems).join('\n'));
}

function jsonItems(text: string): Item[] {
	const values: unknown = JSON.parse(text.trim() || '[]');
	if (!Array.isArray(values)) throw new Error('The file must contain an array of boards');
	return values.map((value: unknown, index) => ({ place: `board ${index + 1}`, value }));
}

function boardsAsCsv(boards: ExportedBoard[]) {
	const tags = [...new Set(boards.flatMap((board) => Object.keys(board.tags)))].sort();
	const rows = boards.map((board) => [
		...plainColumns.map((column) => String(board[column])),
		...tags.map((tag) => board.tags[tag] ?? ''),
		...timeColumns.map((column) => board[column]),
	]);
	return writeCsv([
		[...plainColumns, ...tags.map((tag) => `tags.${tag}`), ...timeColumns],
		...rows,
	]);
}
