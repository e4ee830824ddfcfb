// Reads from the output of a flash tool how much of the firmware it has written, in percent.

/** A step of the tool that writes, one that does not, any other word, a percentage, or the marks of avrdude. */
const words =
	/\b(?<writes>wr[io]t|program|flash|(?:up|down)?load)|\b(?<other>eras|verif|read)|(?<word>[a-z]{3,})|(?<![\d.])(?<percent>\d{1,3})(?:\.\d+)?\s?%|\| (?<marks>#+)/gi;

/** avrdude draws one for every two percent, and prints the percentage when all are drawn. */
const percentPerMark = 2;

/** No progress bar is longer. */
const maxLine = 256;

/** Calls back with each higher percentage. Returns a function that creates a reader for a stream. */
export function watchProgress(onProgress: (percent: number) => void) {
	let highest = -1;
	const onPercent = (percent: number) => {
		if (percent <= highest || percent > 100) return;
		highest = percent;
		onProgress(percent);
	};
	return () => createReader(onPercent);
}

function createReader(onPercent: (percent: number) => void) {
	let line = '';
	/** A line that names no step, such as a bar, belongs to the step before. Undefined at the beginning. */
	let isWriting: boolean | undefined;
	return (bytes: Buffer) => {
		const added = bytes.toString('latin1');
		const lines = (line + added).split(/[\r\n]+/);
		line = (lines.pop() ?? '').slice(-maxLine);
		for (const text of lines) isWriting = readLine(text, isWriting, onPercent);
		// The line is not complete, so it is read again with what follows.
		if (/[%#]/.test(added)) readLine(line, isWriting, onPercent);
	};
}

/** Returns whether the line is of a step that writes. */
function readLine(
	text: string,
	wasWriting: boolean | undefined,
	onPercent: (percent: number) => void,
) {
	let isWriting: boolean | undefined;
	for (const { groups = {} } of text.matchAll(words)) {
		const { writes, other, word, percent, marks } = groups;
		if (writes || other) isWriting ??= writes !== undefined;
		else if (word) wasWriting ??= false;
		else {
			// A tool that begins with a percentage names no steps.
			wasWriting ??= true;
			if (!(isWriting ?? wasWriting)) continue;
			onPercent(marks ? Math.min(marks.length * percentPerMark, 100) : Number(percent));
		}
	}
	return isWriting ?? wasWriting;
}
