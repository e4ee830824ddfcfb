// Colors where they are wanted, and words as a shell reads them.
import { styleText } from 'node:util';
import type { Io, Output } from './io.ts';

export type Style = ReturnType<typeof createStyle>;

/** A function that styles a text, or returns it unchanged: NO_COLOR, --no-color, or no terminal. */
export function createStyle(output: Output, env: Io['env'], allowed = true) {
	const colored = wantsColor(output, env, allowed);
	return (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) =>
		colored ? styleText(format, text, { validateStream: false }) : text;
}

/** A word of a command line, quoted for a shell if it needs it. */
export function quoted(word: string) {
	return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Whether colors are wanted. NO_COLOR wins over FORCE_COLOR. */
export function wantsColor(output: Output, env: Io['env'], allowed = true) {
	if (!allowed || env.NO_COLOR) return false;
	if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
	return output.isTTY === true && env.TERM !== 'dumb';
}
