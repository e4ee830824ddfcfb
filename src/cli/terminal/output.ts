// Prints results: data goes to standard output, everything else to standard error.
import { age } from './age.ts';
import type { Io } from './io.ts';
import { createStyle, printable, printableJson } from './style.ts';
import { type Column, table } from './table.ts';

export function printJson(value: unknown, { stdout }: Io): void {
	stdout.write(`${printableJson(value)}\n`);
}

/** Prints a message that is not data. */
export function note(text: string, { stderr }: Io): void {
	stderr.write(`${printable(text)}\n`);
}

/** Writes text that must not get lost; rejects if it cannot be written. */
export async function deliver(text: string, { stdout }: Io) {
	if (stdout.deliver) await stdout.deliver(text);
	else stdout.write(text);
}

/** How a list is printed. */
interface ListView<Row> {
	columns: readonly Column<Row>[];
	/** The message for an empty list. */
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
	const layout = io.stdout.isTTY ? { width: io.stdout.columns, moment: age } : { width: undefined };
	io.stdout.write(table(rows, columns, { ...layout, heading: bold }));
}
