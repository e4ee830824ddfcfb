// Console text in whole lines, for JSON.

/** In milliseconds; longer than the time for which the agent collects output. */
const pause = 100;

/** In characters; a longer line is written before it ends. */
const longest = 4_096;

/** Collects console text into chunks that end with a line, or where the board pauses. */
export function createWholeLines(write: (text: string) => void) {
	let open = '';
	let timer: ReturnType<typeof setTimeout> | undefined;
	const flush = () => {
		clearTimeout(timer);
		const text = open;
		open = '';
		if (text !== '') write(text);
	};
	return {
		add(text: string) {
			clearTimeout(timer);
			const end = text.lastIndexOf('\n') + 1;
			open += text.slice(0, end);
			if (end > 0) flush();
			open += text.slice(end);
			if (open.length > longest) flush();
			else if (open !== '') timer = setTimeout(flush, pause);
		},
		/** Writes the remaining text, before other output. */
		flush,
	};
}
