// What a command does at the moment, on standard error: on a terminal, a line that is replaced.
import { Reachability } from '../../ci/reachability.ts';
import type { Io } from '../terminal/io.ts';
import { createStyle, printable } from '../terminal/style.ts';

export interface StatusOptions {
	color: boolean;
}

export interface Status {
	/** A line that the next one replaces on a terminal. */
	transient(text: string): void;
	lasting(text: string): void;
	/** Removes a line that would be replaced. */
	clear(): void;
}

/** Says it when the service can no longer be reached, and when it is back. */
export function sayingSo({ lasting }: Status) {
	const reachability = new Reachability();
	reachability.onChange = ({ message }) => lasting(message);
	return reachability;
}

export function createStatus({ color }: StatusOptions, { stderr, env }: Io): Status {
	const { dim } = createStyle(stderr, env, color);
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
		// A line that wraps could not be replaced.
		const fitting = end === '' ? line.slice(0, (stderr.columns ?? 80) - 1) : line;
		stderr.write(`${dim(fitting)}${end}`);
		isOpen = end === '';
	};
	return {
		transient: (text) => show(text, replaces ? '' : '\n'),
		lasting: (text) => show(text, '\n'),
		clear,
	};
}
