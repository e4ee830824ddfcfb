// Sends what is typed through the client, and keeps what was not sent until it is sent again or dismissed,
// also when the page is reloaded, even in the middle of sending.
import type { WriteError } from 'board-access';
import { get } from '../../dom.ts';
import { isError, leaseOfPage, messageOf } from '../client.ts';
import { remember, remembered } from '../console/settings.ts';
import { id, page, problem } from '../page.ts';

export type Lines = ReturnType<typeof createLines>;

// The sequences of keys such as arrows, which cannot be read.
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is typed has control characters
const unreadable = /\x1b(?:[[O][\d;]*.)?|[\x00-\x08\x0b-\x1f\x7f]/g;

function readable(text: string) {
	return text.replace(/\r\n?|\n/g, '⏎').replace(unreadable, '·');
}

interface Unsent {
	text: string;
	/** The line that is shown for it. */
	echo?: string | undefined;
	/** Whether it was certainly not sent. */
	sure: boolean;
}

/** `onTyped` is called with each line that is being sent. */
export function createLines(onTyped: (line: string) => void) {
	// Only a page with a console has it.
	const strip = page.querySelector<HTMLElement>('[data-unsent]');
	const key = `unsent ${id}`;
	let unsent = remembered<Unsent[]>(key, []);
	let sending: Unsent[] = [];

	const store = () => remember(key, [...unsent, ...sending]);

	const showUnsent = (reason = '') => {
		store();
		if (!strip) return;
		strip.hidden = unsent.length === 0;
		const texts = unsent.map(({ text }) => readable(text)).join('');
		const why = !reason || reason === problem ? '' : `${reason} `;
		const what = unsent.every(({ sure }) => sure)
			? `Not sent: “${texts}”`
			: `Perhaps sent: “${texts}”. If you send it again, it may be typed twice.`;
		get('p', strip).textContent = strip.hidden ? '' : why + what;
	};

	/** Writes data to the console, after earlier writes. */
	const write = async (data: string | Uint8Array) => {
		if (problem) throw new Error(problem);
		const lease = await leaseOfPage();
		await lease.console.write(data);
	};

	/** Sends a text, and shows a line for it in the console. */
	const send = async (text: string, echo?: string) => {
		if (echo !== undefined && !problem) onTyped(echo);
		const line: Unsent = { text, echo, sure: false };
		sending.push(line);
		store();
		const error = await write(text).catch((error) => error);
		sending = sending.filter((one) => one !== line);
		if (error) {
			const isPartial = isError(error, 'WriteError');
			const { sent = 0, cause } = isPartial ? (error as WriteError) : { cause: error }; // by its name
			const rest = new TextDecoder().decode(new TextEncoder().encode(text).subarray(sent));
			unsent.push({ text: rest, echo, sure: !isPartial });
			showUnsent(messageOf(cause));
		} else store();
	};

	return {
		write,
		send,
		/** `onDone` is called when a button of the strip is pressed. */
		offerUnsent(onDone: () => void) {
			const take = () => {
				const texts = unsent;
				unsent = [];
				showUnsent();
				onDone();
				return texts;
			};
			get('[data-dismiss]', page).addEventListener('click', take);
			get('[data-send-again]', page).addEventListener('click', () => {
				for (const { text, echo } of take()) send(text, echo);
			});
			showUnsent();
		},
	};
}
