// Prints results: data goes to standard output, everything else to standard error.
import { printable, printableJson } from '../../contract/printable.ts';
import type { OutputOptions } from '../options.ts';
import type { Io } from './io.ts';
import { createStyle } from './style.ts';
import { type Column, type Moment, table } from './table.ts';

interface View {
	options: OutputOptions;
	io: Io;
}

export function printJson(value: unknown, { stdout }: Io): void {
	stdout.write(`${printableJson(value)}\n`);
}

/** Prints a message. */
export function note(text: string, { stderr }: Io): void {
	stderr.write(`${printable(text)}\n`);
}

/** Prints the record as JSON, or a sentence. */
export function printResult(record: unknown, text: string, { options, io }: View) {
	if (options.json) printJson(record, io);
	else note(text, io);
}

/** Rejects if the text cannot be written. */
export async function deliver(text: string, { stdout }: Io) {
	if (stdout.deliver) await stdout.deliver(text);
	else stdout.write(text);
}

export function printList<Row>(
	rows: readonly Row[],
	{ columns, empty }: { columns: readonly Column<Row>[]; empty: string },
	{ options, io }: View,
) {
	if (options.json) return printJson(rows, io);
	if (rows.length === 0) return note(empty, io);
	const style = createStyle(io.stdout, io.env, options.color);
	const layout = io.stdout.isTTY ? { width: io.stdout.columns, moment: age } : { width: undefined };
	const heading = (text: string) => style('bold', text);
	io.stdout.write(table(rows, columns, { ...layout, heading }));
}

export type Fields = readonly (readonly [string, string | number | null | undefined])[];

/** Prints the fields that have a value. On a terminal, timestamps are relative. */
export function printRecord<Shown>(
	record: Shown,
	fieldsOf: (record: Shown, moment: Moment) => Fields,
	{ options, io }: View,
) {
	if (options.json) return printJson(record, io);
	const { stdout } = io;
	const fields = fieldsOf(record, stdout.isTTY ? age : (time) => time ?? '');
	const width = Math.max(...fields.map(([name]) => name.length)) + 2;
	for (const [name, value] of fields) {
		if (value) stdout.write(`${name.padEnd(width)}${printable(String(value))}\n`);
	}
}

const units = [
	['year', 31_557_600],
	['month', 2_629_800],
	['day', 86_400],
	['hour', 3600],
	['minute', 60],
	['second', 1],
] as const;

const format = new Intl.RelativeTimeFormat('en', { style: 'narrow' });

/** `3d ago` or `in 2h`. The service may send the milliseconds that are left, whatever the clock of this machine is. */
function age(timestamp: string | null | undefined, left?: number | null) {
	const seconds = Math.round((left ?? Date.parse(timestamp ?? '') - Date.now()) / 1000);
	if (Number.isNaN(seconds)) return timestamp ?? '';
	const [unit, size] = units.find(([, min]) => Math.abs(seconds) >= min) ?? ['second', 1];
	return format.format(Math.trunc(seconds / size), unit);
}

export type Status = ReturnType<typeof createStatus>;

export function createStatus({ color }: OutputOptions, { stderr, env }: Io) {
	const style = createStyle(stderr, env, color);
	const replaces = stderr.isTTY === true && env.TERM !== 'dumb';
	let last = '';
	let isOpen = false;
	const clear = () => {
		if (isOpen) stderr.write('\r\u001b[2K');
		isOpen = false;
	};
	const show = (text: string, end: string) => {
		if (text === last && !isOpen) return;
		last = text;
		clear();
		const line = printable(text);
		// A line that wraps cannot be replaced.
		const fitting = end === '' ? line.slice(0, (stderr.columns ?? 80) - 1) : line;
		stderr.write(`${style('dim', fitting)}${end}`);
		isOpen = end === '';
	};
	return {
		/** The next line replaces it. */
		transient: (text: string) => show(text, replaces ? '' : '\n'),
		lasting: (text: string) => show(text, '\n'),
		clear,
	};
}
