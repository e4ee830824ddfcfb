// Sends a file to the console, part by part: each waits until the service has taken the one before.
import { page, problem, say } from '../page.js';

const maxBytes = 1024 * 1024;
const partLength = 512;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const binary = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

/** The bytes of a text with the chosen line ending, or of any other file as they are. */
const bytesOf = async (file, withEndings) => {
	const bytes = new Uint8Array(await file.arrayBuffer());
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return binary.test(text) ? bytes : new TextEncoder().encode(withEndings(text));
	} catch {
		// It is not a text.
		return bytes;
	}
};

const partsOf = (bytes) => {
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
	if (file.size > maxBytes) throw new Error(`${file.name} is larger than 1 MiB.`);
	const parts = partsOf(await bytesOf(file, withEndings));
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
	const [file] = input.files;
	if (!file) return;
	cancelled = false;
	input.disabled = true;
	row.hidden = false;
	await sendParts(file, sending).catch((error) => say(error.message, true));
	row.hidden = true;
	input.disabled = false;
	input.value = '';
};
