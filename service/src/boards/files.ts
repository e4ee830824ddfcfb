// Boards in files. In CSV every tag has a column of its own, `tags.<name>`.
import { explain } from '../explain.ts';
import { parseCsv, writeCsv } from './csv.ts';
import { type BoardInput, boardInput } from './import.ts';
import type { BoardRecord } from './store.ts';

export type BoardFormat = 'json' | 'csv';

interface Item {
	line: number;
	value: unknown;
}

/** Reads every board, or throws an error that names each bad row by its line. */
export const readBoards = (text: string, format: BoardFormat): BoardInput[] => {
	const items = (format === 'csv' ? csvItems : jsonItems)(text.replace(/^\uFEFF/, ''));
	const checked = items.map(({ line, value }) => ({
		line,
		result: boardInput.safeParse(value, { error: explain }),
	}));
	const faults = checked.flatMap(({ line, result }) =>
		(result.error?.issues ?? []).map(
			({ path, message }) => `line ${line}: ${[...path, message].join(' ')}`,
		),
	);
	if (faults.length > 0) throw new Error(faults.join('\n'));
	return checked.flatMap(({ result }) => (result.success ? [result.data] : []));
};

export const writeBoards = (boards: BoardRecord[], format: BoardFormat) =>
	format === 'json' ? `${JSON.stringify(boards, null, 2)}\n` : boardsAsCsv(boards);

const csvItems = (text: string): Item[] => {
	const [header, ...rows] = parseCsv(text);
	return rows.map(({ line, values }) => {
		const value: Record<string, unknown> = {};
		const tags: Record<string, string> = {};
		for (const [index, cell] of values.entries()) {
			const name = header?.values[index] ?? `column ${index + 1}`;
			if (cell === '') continue;
			if (name.startsWith('tags.')) tags[name.slice(5)] = cell;
			else value[name] = cell;
		}
		return { line, value: { ...value, tags } };
	});
};

const jsonItems = (text: string): Item[] => {
	const values: unknown = JSON.parse(text);
	if (!Array.isArray(values)) throw new Error('line 1: the file must hold an array of boards');
	const lines = linesOfItems(text);
	return values.map((value: unknown, index) => ({ line: lines[index] ?? 1, value }));
};

/** The lines on which the items of a JSON array begin. */
const linesOfItems = (text: string) => {
	const lines: number[] = [];
	let line = 1;
	let depth = 0;
	let awaited = false;
	for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]|\n|[^\s[\]{},"]+/g)) {
		if (token === '\n') {
			line += 1;
			continue;
		}
		if (awaited && depth === 1 && token !== ']') lines.push(line);
		if (token === '[' || token === '{') depth += 1;
		if (token === ']' || token === '}') depth -= 1;
		awaited = depth === 1 && (token === ',' || token === '[');
	}
	return lines;
};

const plainColumns = ['id', 'name', 'board_type', 'status', 'description'] as const;
const timeColumns = ['created_at', 'updated_at'] as const;

const boardsAsCsv = (boards: BoardRecord[]) => {
	const tags = [...new Set(boards.flatMap((board) => Object.keys(board.tags)))].sort();
	const rows = boards.map((board) => [
		...plainColumns.map((column) => board[column]),
		...tags.map((tag) => board.tags[tag] ?? ''),
		...timeColumns.map((column) => board[column]),
	]);
	return writeCsv([
		[...plainColumns, ...tags.map((tag) => `tags.${tag}`), ...timeColumns],
		...rows,
	]);
};
