// One record as lines of a name and a value.
import { age } from './age.ts';
import type { Io } from './io.ts';
import { printable } from './style.ts';
import type { Moment } from './table.ts';

type Fields = readonly (readonly [string, string | number | null | undefined])[];

/** Prints the fields that have a value. On a terminal, timestamps are ages. */
export function printDetails(fieldsOf: (moment: Moment) => Fields, { stdout }: Io) {
	const fields = fieldsOf(stdout.isTTY ? age : (time) => time ?? '');
	const width = Math.max(...fields.map(([name]) => name.length)) + 2;
	for (const [name, value] of fields) {
		if (value) stdout.write(`${name.padEnd(width)}${printable(String(value))}\n`);
	}
}
