// Status lines on standard error. On a terminal, a line can replace the one before.

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
