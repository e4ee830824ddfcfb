// Sends a file to the console, part by part: each waits until the service has taken the one before.
import { page, problem, say } from './page.js';

const mostBytes = 1024 * 1024;
const partLength = 512;
// Parts end with lines where they can.
const textPart = new RegExp(`[^]{1,${partLength}}(?:\\n|$)|[^]{1,${partLength}}`, 'g');
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const binary = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

/** The parts of a text with the chosen line ending, or of any other file as they are. */
const partsOf = (bytes, withEndings) => {
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		if (!binary.test(text)) {
			return (text.replace(/\r\n?/g, '\n').match(textPart) ?? []).map(withEndings);
		}
	} catch {
		// It is not a text.
	}
	const count = Math.ceil(bytes.length / partLength);
	return Array.from({ length: count }, (_, part) =>
		bytes.slice(part * partLength, (part + 1) * partLength),
	);
};

const row = page.querySelector('[data-sending]');
const [words, progress] = [row.querySelector('span'), row.querySelector('progress')];
let cancelled = false;

row.querySelector('button').addEventListener('click', () => {
	cancelled = true;
});

const sendParts = async (file, { send, withEndings }) => {
	if (file.size > mostBytes) throw new Error(`${file.name} is larger than 1 MiB.`);
	const parts = partsOf(new Uint8Array(await file.arrayBuffer()), withEndings);
	words.textContent = `Sending ${file.name}`;
	for (const [sent, part] of parts.entries()) {
		progress.value = sent / parts.length;
		const share = `${Math.floor(progress.value * 100)} %`;
		if (cancelled) throw new Error(`${file.name} was cancelled after ${share}.`);
		if (problem || !(await send(part))) {
			throw new Error(`${file.name} was not sent completely: it stopped after ${share}.`);
		}
	}
	say(`${file.name} was sent.`);
};

/** Sends the file that was chosen in a field. `send` says whether the service has taken a text. */
export const sendFile = async (input, sending) => {
	cancelled = false;
	row.hidden = false;
	await sendParts(input.files[0], sending).catch((error) => say(error.message, true));
	row.hidden = true;
	input.value = '';
};
