// Text on standard output.

/** The lines without other control characters, for a terminal: names come from other people. */
export function printable(text: string) {
	return text.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ');
}

/** Writes data: to a file as it is, to a terminal without control characters. Waits until it is taken. */
export function write(data: string) {
	return written(process.stdout.isTTY ? printable(data) : data);
}

/** Writes a text as it is. */
export function written(text: string) {
	return new Promise<void>((resolve, reject) => {
		// A stream reports a failed write both ways.
		process.stdout.once('error', reject);
		process.stdout.write(text, (error) => {
			if (error) return reject(error);
			process.stdout.off('error', reject);
			resolve();
		});
	});
}
