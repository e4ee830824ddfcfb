// Sends what is typed through the client, and keeps what was not sent until it is sent again or dismissed.
// It stays when the page is loaded again.
import type { WriteError } from 'board-access';
import { get } from '../../dom.ts';
import type { FromTab } from '../../stream.ts';
import { isError, leaseOfPage, messageOf } from '../client.ts';
import { remember, remembered } from '../console/settings.ts';
import { id, page, problem } from '../page.ts';

export type Lines = ReturnType<typeof createLines>;

// What keys like the arrows send cannot be read.
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

export function createLines(tell: (message: FromTab) => void) {
	// Only the page of a console has it.
	const strip = page.querySelector<HTMLElement>('[data-unsent]');
	const key = `unsent ${id}`;
	let unsent = remembered<Unsent[]>(key, []);

	const showUnsent = (reason = '') => {
		remember(key, unsent);
		if (!strip) return;
		strip.hidden = unsent.length === 0;
		const texts = unsent.map(({ text }) => readable(text)).join('');
		const why = !reason || reason === problem ? '' : `${reason} `;
		const what = unsent.every(({ sure }) => sure) ? 'Not sent' : 'Perhaps not sent';
		get('p', strip).textContent = strip.hidden ? '' : `${why}${what}: “${texts}”`;
	};

	/** Writes it, after what was written before. */
	const write = async (data: string | Uint8Array) => {
		if (problem) throw new Error(problem);
		const lease = await leaseOfPage();
		await lease.console.write(data);
	};

	/** Sends a text, with a line that the console shows for it. */
	const send = async (text: string, echo?: string) => {
		tell({ focused: true, ...(echo !== undefined && !problem && { typed: echo }) });
		try {
			await write(text);
		} catch (error) {
			const isPartial = isError(error, 'WriteError');
			const { sent = 0, cause } = isPartial ? (error as WriteError) : { cause: error }; // by its name
			const rest = new TextDecoder().decode(new TextEncoder().encode(text).subarray(sent));
			unsent.push({ text: rest, echo, sure: !isPartial });
			showUnsent(messageOf(cause));
		}
	};

	return {
		write,
		send,
		tell,
		/** `onDone` is called when a button of the strip was pressed. */
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
