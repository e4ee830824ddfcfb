// Prints results: data goes to standard output, everything else to standard error.
import type { Io } from './io.ts';
import { createStyle, printable, printableJson } from './style.ts';
import { type Column, table } from './table.ts';

export function printJson(value: unknown, { stdout }: Io): void {
	stdout.write(`${printableJson(value)}\n`);
}

/** Tells the user something that is not data. */
export function note(text: string, { stderr }: Io): void {
	stderr.write(`${printable(text)}\n`);
}

/** How a list is printed. */
interface ListView<Row> {
	columns: readonly Column<Row>[];
	/** What to say when there is nothing. */
	empty: string;
}

export function printList<Row>(
	rows: readonly Row[],
	{ columns, empty }: ListView<Row>,
	{ options, io }: { options: { json?: true; color: boolean }; io: Io },
) {
	if (options.json) return printJson(rows, io);
	if (rows.length === 0) return note(empty, io);
	const { bold } = createStyle(io.stdout, io.env, options.color);
	const width = io.stdout.isTTY ? io.stdout.columns : undefined;
	io.stdout.write(table(rows, columns, { width, heading: bold }));
}
