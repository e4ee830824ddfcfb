// Console text in whole lines, for JSON.

/** In milliseconds. Longer than the agent collects output. */
const pause = 100;

const maxLine = 4_096;

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
			if (open.length > maxLine) flush();
			else if (open !== '') timer = setTimeout(flush, pause);
		},
		flush,
	};
}
