// Colours where they are wanted, and text that cannot play tricks on a terminal.
import { styleText } from 'node:util';
import type { Io, Output } from './io.ts';

type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Functions that colour a text, or leave it alone: NO_COLOR, --no-color, or no terminal. */
export function createStyle(output: Output, env: Io['env'], allowed = true) {
	const coloured = wantsColour(output, env, allowed);
	const style = (format: Format) => (text: string) =>
		coloured ? styleText(format, text, { validateStream: false }) : text;
	return {
		bold: style('bold'),
		dim: style('dim'),
		red: style('red'),
		green: style('green'),
		yellow: style('yellow'),
	};
}

export type Style = ReturnType<typeof createStyle>;

/** The text without control characters: the names of other people's boards end up on a terminal. */
export function printable(text: string) {
	return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ');
}

/** The JSON with everything escaped that a terminal could obey; it still says the same. */
export function printableJson(value: unknown) {
	return JSON.stringify(value, null, 2).replace(
		/[\x7f-\x9f\p{Bidi_Control}]/gu,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

function wantsColour(output: Output, env: Io['env'], allowed: boolean) {
	if (!allowed || env.NO_COLOR) return false;
	if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
	return output.isTTY === true && env.TERM !== 'dumb';
}
