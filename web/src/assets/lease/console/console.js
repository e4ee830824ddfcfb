// The console of the lease page: what the board prints, what is typed, and the tools for both. One can
// type at once; the terminal, most of what the page loads, follows.

import { page, say } from '../page.js';
import { loadStyle } from '../style.js';
import { startEntry } from '../typing/entry.js';
import { offerUnsent, showRefused } from '../typing/unsent.js';

const place = page.querySelector('[data-console-view]');
const form = page.querySelector('[data-console-input]');
let entry;
// Loaded, or undefined where the lease has no console.
let screen;

// What is called when the service has taken a text, or not.
const sent = new Map();
let numbers = 0;

const settleSent = ({ number }, isWritten) => {
	sent.get(number)?.(isWritten);
	sent.delete(number);
};

const startTyping = (stream) => {
	const send = (text, echo) =>
		new Promise((resolve) => {
			numbers += 1;
			sent.set(numbers, resolve);
			stream.postMessage({ typed: text, echo, number: numbers });
		});
	entry = startEntry(send);
	const { focus, withEndings } = entry;
	const file = page.querySelector('[data-send-file]');
	file.addEventListener('change', async () => {
		const { sendFile } = await import('../typing/file.js');
		sendFile(file, { send, withEndings });
	});
	offerUnsent(stream, focus);
};

const style = new URL('../../xterm.css', import.meta.url);

/** The terminal is requested at once, not only when what imports it has arrived. */
const loadScreen = (stream) =>
	Promise.all([import('./screen.js'), import('../../xterm.js'), loadStyle(style)]).then(
		([{ openScreen }]) => openScreen(place, { stream, entry }),
		() => say('The console could not be loaded. Reload the page.', true),
	);

export const startConsole = (stream) => {
	if (!place) return;
	for (const element of page.querySelectorAll('.no-script')) element.hidden = true;
	if (form) startTyping(stream);
	screen = loadScreen(stream);
};

page.addEventListener('click', async (event) => {
	const link = event.target.closest('[data-show]');
	if (!link || !screen) return;
	event.preventDefault();
	// On a narrow screen, one of the views is shown at a time.
	page.querySelector('.views [value=console]').checked = true;
	(await screen)?.showOffset(Number(link.dataset.show));
});

/** Says in the entry row that the service is away, or back. */
export const showConnection = () => entry?.showHelp();

/** Shows what the stream has, in its order. */
const onScreen = (kind) => async (message) => (await screen)?.[kind](message);

/** What the stream has for the console. */
export const consoleKinds = {
	output: onScreen('output'),
	actions: onScreen('actions'),
	typed: onScreen('typed'),
	restart: onScreen('restart'),
	begin: onScreen('begin'),
	accepted: (message) => settleSent(message, true),
	refused(message) {
		showRefused(message);
		settleSent(message, false);
	},
};
