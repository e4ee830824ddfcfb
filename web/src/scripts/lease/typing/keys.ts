// The keys of the terminal: each goes to the board, or begins a line in the row.
import type { Console } from '../console/view.ts';
import { id, page } from '../page.ts';
import type { Entry } from './entry.ts';
import type { Lines } from './lines.ts';

// What a terminal sends on its own: its attributes, state, cursor position and focus.
// biome-ignore lint/suspicious/noControlCharactersInRegex: replies begin with escape
const reply = /^\x1b(?:\[[?>=]?[\d;]*(?:[cntxR]|\$y)|\[[IO]|[P\]_].+)$/s;

/** `entry` is the row for lines. */
export function takeKeys({ terminal, ...view }: Console, lines: Lines, entry: Entry) {
	const { takesKeys } = entry;

	/** Whether the terminal handles a key; the browser handles the others. */
	terminal.attachCustomKeyEventHandler((event) => {
		if (event.type !== 'keydown') return takesKeys();
		const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
		const letter = ctrlKey || metaKey ? key.toLowerCase() : '';
		// The browser copies and pastes, also without a secure context.
		if (letter === 'v' || (letter === 'c' && terminal.hasSelection())) return false;
		// The page finds.
		if (ctrlKey && shiftKey && letter === 'f') return false;
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

	// Of the tabs with the same lease, only the one used last replies.
	const tabs = new BroadcastChannel(`used ${id}`);
	let wasUsedLast = true;
	const noteUse = () => {
		wasUsedLast = true;
		tabs.postMessage('');
	};
	tabs.addEventListener('message', () => {
		wasUsedLast = false;
	});
	addEventListener('focus', noteUse, true);
	noteUse();

	// Anything sent starts the minutes of the lease, which only a person may do.
	const isWaitingToStart = () => page.querySelector('.lease-start button') !== null;

	terminal.onData((text) => {
		if (reply.test(text)) {
			// The program that asked for a reply may be long gone.
			if (wasUsedLast && !view.isOld() && !isWaitingToStart()) {
				lines.write(text).catch(() => {});
			}
			return;
		}
		if (!takesKeys()) return entry.takePaste(text);
		lines.send(entry.withEndings(text));
		view.scrollToEnd();
	});
}
