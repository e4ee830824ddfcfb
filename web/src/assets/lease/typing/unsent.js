// What was typed but not sent, until it is sent again or dismissed. It stays when the page is loaded again.
import { remember, remembered } from '../console/settings.js';
import { id, page, problem } from '../page.js';

const unsent = page.querySelector('[data-unsent]');
const key = `unsent ${id}`;
let refused = [];

// What keys like the arrows send cannot be read.
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is typed has control characters
const unreadable = /\x1b(?:[[O][\d;]*.)?|[\x00-\x08\x0b-\x1f\x7f]/g;
const readable = (text) => text.replace(/\r\n?|\n/g, '⏎').replace(unreadable, '·');

const showUnsent = (reason) => {
	remember(key, refused);
	unsent.hidden = refused.length === 0;
	const texts = refused.map(({ text }) => readable(text)).join('');
	const sure = refused.every(({ offset }) => offset === undefined);
	const why = !reason || reason === problem ? '' : `${reason} `;
	const message = `${why}${sure ? 'Not sent' : 'Perhaps not sent'}: “${texts}”`;
	unsent.querySelector('p').textContent = refused.length > 0 ? message : '';
};

export const showRefused = ({ text, offset, echo, reason }) => {
	// Of a file, its sender says so.
	if (typeof text !== 'string') return;
	refused.push({ text, offset, echo });
	showUnsent(reason);
};

const clearUnsent = () => {
	const texts = refused;
	refused = [];
	showUnsent();
	return texts;
};

/** `onDone` is called when a button of it was pressed. */
export const offerUnsent = (stream, onDone) => {
	const on = (name, act) =>
		unsent.querySelector(name).addEventListener('click', () => {
			const texts = clearUnsent();
			onDone();
			act?.(texts);
		});
	on('[data-dismiss]');
	on('[data-send-again]', (texts) => {
		for (const { text, offset, echo } of texts) stream.postMessage({ typed: text, offset, echo });
	});
	refused = remembered(key, []);
	showUnsent();
};
