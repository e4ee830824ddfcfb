// The keys of the terminal: each goes to the board, or what is typed begins a line.
import { settings } from '../console/settings.js';
import { page } from '../page.js';

// What a terminal sends by itself: its attributes, its state, where its cursor is, whether it has the focus.
// biome-ignore lint/suspicious/noControlCharactersInRegex: replies begin with escape
const reply = /^\x1b(?:\[[?>=]?[\d;]*(?:[cntxR]|\$y)|\[[IO]|[P\]_].+)$/s;

/** Connects the terminal with the stream. `entry` is the row for lines. */
export const takeKeys = ({ terminal, isOld, echo, scrollToEnd }, { stream, entry, onFind }) => {
	const { takesKeys } = entry;

	const isCopy = ({ key, ctrlKey, metaKey, shiftKey }) =>
		terminal.hasSelection() &&
		(ctrlKey || metaKey) &&
		(key.toLowerCase() === 'c' || (shiftKey && key === 'C'));
	const isPaste = ({ key, ctrlKey, metaKey }) => (ctrlKey || metaKey) && key.toLowerCase() === 'v';

	/** Whether the terminal handles a key; the browser handles the others. */
	terminal.attachCustomKeyEventHandler((event) => {
		if (event.type !== 'keydown') return takesKeys();
		const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
		// Without preventing what the browser does: it copies and pastes, also without a secure context.
		if (isCopy(event) || isPaste(event)) return false;
		if (ctrlKey && shiftKey && key.toLowerCase() === 'f') {
			event.preventDefault();
			onFind();
			return false;
		}
		if (shiftKey && /^Page(Up|Down)$/.test(key)) return true;
		if (ctrlKey && key === ']') {
			event.preventDefault();
			if (takesKeys()) entry.setMode('lines');
			return false;
		}
		// The browser puts the key into the field that has the focus now.
		if (!takesKeys() && !ctrlKey && !altKey && !metaKey && key.length === 1) entry.focus();
		return takesKeys();
	});

	// Whatever is sent ends the time before the minutes begin, which is up to a person.
	const isWaitingToStart = () => page.querySelector('.lease-start form') !== null;

	terminal.onData((text) => {
		if (reply.test(text)) {
			// The program that asked for a reply may be long gone.
			if (!isOld() && !isWaitingToStart()) stream.postMessage({ reply: text });
			return;
		}
		if (!takesKeys()) return entry.takePaste(text);
		stream.postMessage({ typed: entry.withEndings(text) });
		if (settings.echoKeys) echo(text.replace(/\r\n?/g, '\r\n'));
		scrollToEnd();
	});
	terminal.element.addEventListener('focus', () => stream.postMessage({ focused: true }), true);
};
