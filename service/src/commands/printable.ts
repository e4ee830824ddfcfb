// What other people wrote, shown on a terminal.

/** The lines without other control characters: names from a file end up on a terminal. */
export const printable = (text: string) => text.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ');
