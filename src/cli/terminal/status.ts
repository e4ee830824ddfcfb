// What a command does at the moment, on standard error: on a terminal, a line that is replaced.

import { printable } from '../../contract/printable.ts';
import type { OutputOptions } from '../options.ts';
import type { Io } from './io.ts';
import { createStyle } from './style.ts';

export type Status = ReturnType<typeof createStatus>;

export function createStatus({ color }: OutputOptions, { stderr, env }: Io) {
	const style = createStyle(stderr, env, color);
	const replaces = stderr.isTTY === true && env.TERM !== 'dumb';
	let last = '';
	let isOpen = false;
	/** Removes a line that would be replaced. */
	const clear = () => {
		if (isOpen) stderr.write('\r\u001b[2K');
		isOpen = false;
	};
	const show = (text: string, end: string) => {
		if (text === last && !isOpen) return;
		last = text;
		clear();
		const line = printable(text);
		// A line that wraps could not be replaced.
		const fitting = end === '' ? line.slice(0, (stderr.columns ?? 80) - 1) : line;
		stderr.write(`${style('dim', fitting)}${end}`);
		isOpen = end === '';
	};
	return {
		/** A line that the next one replaces on a terminal. */
		transient: (text: string) => show(text, replaces ? '' : '\n'),
		lasting: (text: string) => show(text, '\n'),
		clear,
	};
}
