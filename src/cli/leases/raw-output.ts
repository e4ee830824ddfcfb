// The bytes that a board has printed, without the notices of the agent among them.

/** How long to wait for the rest of a notice, in milliseconds. */
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
