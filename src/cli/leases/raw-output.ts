// The bytes that a board has printed, without the lines that agent and service put among them.

/** In milliseconds; such a line is not cut for longer, and may not begin at the end of what the board printed. */
const pause = 100;

/** As in `notice` of the agent, with each byte as one character. */
const notice = /\r\n\[\xe2\x80\xa6 [^\r\n]* \xe2\x80\xa6\]\r\n/g;
const beginning = /\r(?:\n(?:\[(?:\xe2(?:\x80(?:\xa6[^\r\n]{0,1000}\r?)?)?)?)?)?$/;

/** How many bytes are missing from a text, as the lines in their place say. */
export function droppedBytes(text: string) {
	const counts = text.matchAll(/\[… (\d+) bytes dropped …\]/g);
	return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}

interface RawOutput {
	write: (bytes: Uint8Array) => void;
	/** Receives what the agent says, and at the end how much is missing. */
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
