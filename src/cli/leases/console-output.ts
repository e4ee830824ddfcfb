// The console in other forms: in whole lines, and without the notices of the agent.

/** How long to wait for the rest of a line or a notice, in milliseconds. Longer than the agent collects output. */
const pause = 100;

/** As `notice` of the agent writes it, with a character for each byte. */
const notice = /\r\n\[\xe2\x80\xa6 [^\r\n]* \xe2\x80\xa6\]\r\n/g;
const beginning = /\r(?:\n(?:\[(?:\xe2(?:\x80(?:\xa6[^\r\n]{0,1000}\r?)?)?)?)?)?$/;

/** How many bytes the notices in a text say are missing. */
export function droppedBytes(text: string) {
	const counts = text.matchAll(/\[… (\d+) bytes dropped …\]/g);
	return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}

interface RawOutput {
	write: (bytes: Uint8Array) => void;
	/** Called with each notice, and at the end with how much is missing. */
	say: (text: string) => void;
}

export function createRawOutput({ write, say }: RawOutput) {
	let rest = '';
	let missing = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const take = (line: string) => {
		const text = Buffer.from(line, 'latin1').toString().trim();
		const dropped = droppedBytes(text);
		missing += dropped;
		if (dropped === 0) say(text);
		return '';
	};
	const flush = (length = rest.length) => {
		clearTimeout(timer);
		if (length > 0) write(Buffer.from(rest.slice(0, length), 'latin1'));
		rest = rest.slice(length);
	};
	return {
		flush,
		add(bytes: Uint8Array) {
			rest = (rest + Buffer.from(bytes).toString('latin1')).replace(notice, take);
			const { index = rest.length } = beginning.exec(rest) ?? {};
			flush(index);
			if (rest !== '') timer = setTimeout(flush, pause);
		},
		end() {
			flush();
			if (missing > 0) say(`${missing} bytes of the console output are missing.`);
		},
	};
}

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
