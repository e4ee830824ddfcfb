// Colors, and quoting for shells.
import { styleText } from 'node:util';
import type { Io, Output } from './io.ts';

export type Style = ReturnType<typeof createStyle>;

/** Returns a function that styles text if colors are wanted. */
export function createStyle(output: Output, env: Io['env'], allowed = true) {
	const colored = wantsColor(output, env, allowed);
	return (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) =>
		colored ? styleText(format, text, { validateStream: false }) : text;
}

export function quoted(word: string) {
	return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** NO_COLOR takes precedence over FORCE_COLOR. */
export function wantsColor(output: Output, env: Io['env'], allowed = true) {
	if (!allowed || env.NO_COLOR) return false;
	if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
	return output.isTTY === true && env.TERM !== 'dumb';
}
