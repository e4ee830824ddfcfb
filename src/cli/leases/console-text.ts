// The console of a board as text that is safe to print on a terminal.
import { stripVTControlCharacters } from 'node:util';

const escapeCode = String.fromCharCode(27);
const sequenceStart = new RegExp(`${escapeCode}(\\[[\\d;?]{0,32})?$`);

/** Removes what would let firmware write to the user's terminal, also where it is split in two. */
export function createConsoleText() {
	let unfinished = '';
	return (piece: string) => {
		const text = unfinished + piece;
		unfinished = sequenceStart.exec(text)?.[0] ?? '';
		const finished = text.slice(0, text.length - unfinished.length);
		return stripVTControlCharacters(finished).replace(
			/(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
			'',
		);
	};
}
