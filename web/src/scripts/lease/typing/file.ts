// Sends a file to the console, part by part, so that it can be cancelled.
import { get } from '../../dom.ts';
import { page, say } from '../page.ts';
import type { Entry } from './entry.ts';
import type { Lines } from './lines.ts';

const maxBytes = 1024 * 1024;
const partLength = 512;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const binary = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

/** The bytes of a text with the chosen line ending, or of any other file as they are. */
async function bytesOf(file: File, withEndings: Entry['withEndings']) {
	const bytes = new Uint8Array(await file.arrayBuffer());
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return binary.test(text) ? bytes : new TextEncoder().encode(withEndings(text));
	} catch {
		// It is not a text.
		return bytes;
	}
}

export function offerFile({ write }: Lines, { withEndings }: Entry) {
	const input = get<HTMLInputElement>('[data-send-file]', page);
	const row = get('[data-sending]', page);
	const progress = get<HTMLProgressElement>('progress', row);
	let cancelled = false;
	get('button', row).addEventListener('click', () => {
		cancelled = true;
	});

	const sendParts = async (file: File) => {
		if (file.size > maxBytes) throw new Error(`${file.name} is larger than 1 MiB.`);
		const bytes = await bytesOf(file, withEndings);
		get('span', row).textContent = `Sending ${file.name}`;
		for (let sent = 0; sent < bytes.length; sent += partLength) {
			progress.value = sent / bytes.length;
			const share = `${Math.floor(progress.value * 100)} %`;
			if (cancelled) throw new Error(`${file.name} was cancelled after ${share}.`);
			await write(bytes.subarray(sent, sent + partLength)).catch(() => {
				throw new Error(`${file.name} was not sent completely: it stopped after ${share}.`);
			});
		}
		say(`${file.name} was sent.`);
	};

	input.addEventListener('change', async () => {
		const file = input.files?.[0];
		if (!file) return;
		cancelled = false;
		input.disabled = true;
		row.hidden = false;
		await sendParts(file).catch((error) => say(error.message, true));
		row.hidden = true;
		input.disabled = false;
		input.value = '';
	});
}
