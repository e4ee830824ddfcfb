// Makes text from other people safe to print on a terminal.

/** The lines without other control characters: names from a file end up on a terminal. */
export function printable(text: string) {
	return text.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ');
}
