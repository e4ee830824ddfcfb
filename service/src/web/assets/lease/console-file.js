// Sends a text file to the console, part by part: each waits until the service has taken the one before.
import { page, problem, say } from './page.js';

const mostBytes = 1024 * 1024;
const partLength = 512;

/** The parts of a text, which end with lines where they can. */
const partsOf = (text) =>
	text.match(new RegExp(`[^]{1,${partLength}}(?:\\n|$)|[^]{1,${partLength}}`, 'g'));

const read = async (file) => {
	if (file.size > mostBytes) throw new Error(`${file.name} is larger than 1 MiB.`);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
	} catch {
		throw new Error(`${file.name} is not a text file.`);
	}
};

const row = page.querySelector('[data-sending]');
const [words, progress] = [row.querySelector('span'), row.querySelector('progress')];
let cancelled = false;

row.querySelector('button').addEventListener('click', () => {
	cancelled = true;
});

const share = (sent, size) => `${sent.toLocaleString()} of ${size.toLocaleString()} characters`;

const sendParts = async (file, { send, withEndings }) => {
	const parts = partsOf((await read(file)).replace(/\r\n?/g, '\n')) ?? [];
	const size = parts.join('').length;
	let sent = 0;
	words.textContent = `Sending ${file.name}`;
	for (const part of parts) {
		progress.value = sent / size;
		if (cancelled) throw new Error(`${file.name} was cancelled after ${share(sent, size)}.`);
		if (problem || !(await send(withEndings(part)))) {
			throw new Error(
				`${file.name} was not sent completely: it stopped after ${share(sent, size)}.`,
			);
		}
		sent += part.length;
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
