// How one types into the console: whole lines from a row with a history, or every key at once. Lines
// can be typed before the terminal is loaded.
import { remember, remembered, saveSetting, settings } from '../console/settings.js';
import { id, page, problem } from '../page.js';

const form = page.querySelector('[data-console-input]');
const input = form?.elements.line;
const help = form?.querySelector('[data-entry-help]');
const modes = form?.querySelector('[data-modes]');
const [draftKey, historyKey] = [`draft ${id}`, `history ${id}`];
const maxLines = 200;
const endings = { '\n': 'LF', '\r': 'CR', '\r\n': 'CR LF' };

/** Starts the row. `send` returns what the service has made of a text. */
export const startEntry = (send) => {
	// The console as one sees it, once it is loaded.
	let view;

	const takesKeys = () => settings.mode === 'keys';

	const focus = () => (takesKeys() ? view?.terminal : input)?.focus();

	const showMode = () => {
		form.dataset.mode = settings.mode;
		for (const radio of modes.elements) radio.checked = radio.value === settings.mode;
		input.hidden = takesKeys();
		// A tab is a key of the board, too.
		if (view) view.terminal.textarea.tabIndex = takesKeys() ? 0 : -1;
		showHelp();
	};

	const showHelp = () => {
		const away = problem && 'Lines cannot be sent at the moment.';
		const lines = `Enter sends the line with ${endings[settings.ending]}`;
		help.textContent = takesKeys() ? 'Every key goes to the board. Ctrl ] leaves.' : away || lines;
	};

	const chooseMode = (mode) => {
		saveSetting({ mode });
		showMode();
	};

	const setMode = (mode) => {
		chooseMode(mode);
		focus();
	};

	const withEndings = (text) => text.replace(/\r\n?|\n/g, settings.ending);

	/* Lines */

	const history = remembered(historyKey, []);
	let shown = history.length;

	const keep = (line) => {
		if (line && history.at(-1) !== line) history.push(line);
		history.splice(0, history.length - maxLines);
		shown = history.length;
		remember(historyKey, history);
	};

	const show = (line) => {
		input.value = line;
		input.setSelectionRange(line.length, line.length);
		remember(draftKey, line);
	};

	const step = (by) => {
		if (shown === history.length) history.draft = input.value;
		shown = Math.min(history.length, Math.max(0, shown + by));
		show(history[shown] ?? history.draft ?? '');
	};

	const sendLine = (line) => {
		keep(line);
		return send(line + settings.ending, settings.echo ? [line] : undefined);
	};

	/** Sends the lines of a text that end, and leaves the rest to be typed on. */
	const takePaste = (text) => {
		const lines = (input.value + text).split(/\r\n?|\n/);
		const rest = lines.pop();
		for (const line of lines) sendLine(line);
		show(rest);
		input.focus();
	};

	form.addEventListener('submit', (event) => {
		event.preventDefault();
		event.stopPropagation();
		// What cannot be sent stays where it can be changed.
		if (problem) return showHelp();
		sendLine(input.value);
		show('');
		view?.scrollToEnd();
	});
	input.addEventListener('input', () => {
		shown = history.length;
		remember(draftKey, input.value);
	});
	input.addEventListener('paste', (event) => {
		const text = event.clipboardData.getData('text');
		if (!/[\r\n]/.test(text) || problem) return;
		event.preventDefault();
		takePaste(text);
	});
	input.addEventListener('keydown', (event) => {
		const { key, shiftKey } = event;
		const acts = {
			ArrowUp: () => step(-1),
			ArrowDown: () => step(1),
			...(shiftKey && {
				PageUp: () => view?.terminal.scrollPages(-1),
				PageDown: () => view?.terminal.scrollPages(1),
			}),
		};
		if (!acts[key]) return;
		event.preventDefault();
		acts[key]();
	});
	for (const radio of modes.elements) {
		radio.addEventListener('change', () => {
			// Whoever chooses by the keyboard goes on from here.
			if (radio.matches(':focus-visible')) chooseMode(radio.value);
			else setMode(radio.value);
		});
	}

	show(remembered(draftKey, input.value));
	form.querySelector('button[type=submit]').hidden = true;
	modes.hidden = false;
	showMode();
	return {
		focus,
		showHelp,
		withEndings,
		takesKeys,
		takePaste,
		setMode,
		/** Connects the row with the console as one sees it. */
		attach(opened) {
			view = opened;
			showMode();
		},
	};
};
