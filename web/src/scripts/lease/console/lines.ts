// The lines of a console as text: for screen readers, and for the plot.

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with escape
const sequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|[ -/]*[0-~])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: nor are other controls text
const controls = /[\x00-\x08\x0b-\x1f\x7f]/g;
const maxLine = 4096;

export interface Line {
	text: string;
	time: number;
}

/** The text of a line without control sequences, and without what was overwritten. */
export function plainText(line: string) {
	const text = line.replace(sequences, '');
	let end = text.length;
	while (text[end - 1] === '\r') end -= 1;
	return text.slice(text.lastIndexOf('\r', end - 1) + 1, end).replace(controls, '');
}

/** Returns a function that takes the next bytes with their time, and calls `onLine` with each line. */
export function splitLines(onLine: (line: Line) => void) {
	let decoder = new TextDecoder();
	let rest = '';
	let began: number | undefined;
	return {
		take(bytes: Uint8Array, time: number) {
			const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
			rest = (lines.pop() ?? '').slice(-maxLine);
			for (const line of lines) {
				onLine({ text: plainText(line), time: began ?? time });
				began = undefined;
			}
			began = rest ? (began ?? time) : undefined;
		},
		restart() {
			decoder = new TextDecoder();
			rest = '';
			began = undefined;
		},
	};
}
