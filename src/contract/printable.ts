// Text from firmware, the service or other users, made safe to print: a terminal obeys control sequences,
// and a CI system looks for commands in the output of a program.
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what is looked for.

/** The text with every API key masked. */
export function redact(text: string) {
	return text.replace(/(key|agt)_[0-9a-f]{48}/gi, '$1_[redacted]');
}

/** Characters that control a terminal, end a line, or change the direction of text. */
const control = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** What a program on a board needs to draw: no sequence that reports, remembers, or opens anything. */
const drawing =
	/^(?:[\x07-\x0a\x0d]|\x1b(?:\[(?:[\d;:]*[A-HLMPX@`ad-gmrsu]|\d*[ST]|[0-2]?[JK]|[56]n|\?(?:1|7|25)[hl])|[78DEHM=>]|[()][AB0-2]))$/;

/** Commands of GitHub, Azure and TeamCity, which count anywhere in a line. */
const marks = /##(?=\[|vso|teamcity\[)/gi;

/** A command of GitHub counts where a line begins, or after white space; a group of Buildkite does where it begins. */
const colons = /^([^\S\n\r\u2028\u2029]*):(?=:)/gm;
const groups = /^(?=(?:---|\+\+\+|~~~|\^\^\^)[\t\r ])/gm;

const unfinishedCommand =
	/(?:##?|##(?:vs?|t[eamcity]{0,7})|(?<![^\n])(?:[^\S\n]*:|(?:-{1,3}|\+{1,3}|~{1,3}|\^{1,3})\r?)|\r)$/i;

/** One line, with spaces for control characters. */
export function printable(line: string) {
	return withoutCommands(line.replace(control, ' '));
}

/** One line that shows control characters by their codes. */
export function visible(line: string) {
	const shown = line.replace(control, (character) =>
		character > '\xff' ? `\\u${code(character, 4)}` : `\\x${code(character, 2)}`,
	);
	return withoutCommands(shown);
}

/** JSON, which still has the same value. */
export function printableJson(value: unknown, indent = 2) {
	return JSON.stringify(value, null, indent)
		.replace(/[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (found) => `\\u${code(found, 4)}`)
		.replace(marks, '#\\u0023');
}

/** Lines, with their tabs and line ends. */
export function printableText(text: string) {
	const lines = createPrintable();
	return lines.add(text) + lines.end();
}

/** The same for text that arrives in chunks of any length. A carriage return alone ends a line, too. */
export function createPrintable() {
	const finish = createFinisher((found) => /^[\t\n\r]$/.test(found));
	let command = '';
	/** What the current line begins with: nothing, white space, or text. */
	let before = '';
	const print = (text: string, isLast = false) => {
		const lines = (before + command + text).replace(isLast ? /\r(?!\n)/g : /\r(?=[^\n])/g, '\n');
		const [open = ''] = (!isLast && unfinishedCommand.exec(lines)) || [];
		command = open.slice(Math.max(0, open.length + before.length - lines.length));
		const finished = lines.slice(0, lines.length - command.length);
		const printed = withoutCommands(finished).slice(before.length);
		const line = finished.slice(finished.lastIndexOf('\n') + 1);
		before = line.trim() === '' ? line.slice(0, 1) : 'x';
		return printed;
	};
	return {
		/** What can be printed by now. */
		add: (chunk: string) => print(finish(chunk)),
		/** What must be printed before a message of ours, after which a line begins. */
		breakLine() {
			const rest = print(finish());
			const end = command && print('\n');
			before = '';
			return rest + end;
		},
		/** The rest, when nothing follows. */
		end: () => print(finish(), true),
	};
}

/** For a terminal on which the user works with a board: it may draw, and nothing else. */
export function createDrawing() {
	return createFinisher((found) => drawing.test(found));
}

/** What begins like a sequence with text, such as `OSC`, and is longer, is printed as text. */
const maxLength = 4_096;

/** Removes what is not kept, also where it is split between two chunks; without a chunk, returns the rest. */
function createFinisher(keeps: (control: string) => boolean) {
	// `CSI` with its parameters, `OSC` and the like with their text, and the short ones. Where a text would
	// begin within another one, that one has ended.
	const parameters = String.raw`(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}`;
	const text = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\r\n]{0,${maxLength}}`;
	const short = String.raw`\x1b[ -/]{0,8}`;
	const ended = String.raw`${parameters}[@-~]|${text}(?:\x07|\x1b\\|\x9c)|${short}[0-OQ-WYZ\\\x60-~]`;
	const begun = new RegExp(String.raw`(?:${parameters}|${text}\x1b?|${short})$`);
	const controls = new RegExp(`${ended}|${control.source}`, 'gu');
	let unfinished = '';
	return (chunk?: string) => {
		const arrived = unfinished + (chunk ?? '');
		unfinished = chunk === undefined ? '' : (begun.exec(arrived)?.[0] ?? '');
		return arrived
			.slice(0, arrived.length - unfinished.length)
			.replace(controls, (found) => (keeps(found) ? found : ''));
	};
}

/** With a space, because the runners of GitHub and Azure search as if invisible characters were not there. */
function withoutCommands(text: string) {
	return text.replace(marks, '## ').replace(colons, '$1: ').replace(groups, ' ');
}

function code(character: string, digits: number) {
	return character.charCodeAt(0).toString(16).padStart(digits, '0');
}

/** What a command that looks for problems has found. */
export interface Finding {
	check: string;
	state: 'ok' | 'warning' | 'error' | 'unknown';
	message: string;
	hint?: string | undefined;
}

/** The finding for a terminal, with its state in a color. */
export function describeFinding(finding: Finding, paint = (text: string) => text) {
	const { check, state, message, hint } = finding;
	const advice = hint ? `${' '.repeat(20)}${printable(hint)}\n` : '';
	return `${paint(state.padEnd(8))} ${check.padEnd(10)} ${printable(message)}\n${advice}`;
}
