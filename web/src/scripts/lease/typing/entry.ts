// Typing into the console: whole lines in a row with a history, or each key at once. Lines can be typed
// before the terminal is loaded.
import { get, getAll } from '../../dom.ts';
import { type Ending, remember, remembered, saveSetting, settings } from '../console/settings.ts';
import type { Console } from '../console/view.ts';
import { id, page, problem } from '../page.ts';
import type { Lines } from './lines.ts';

const [draftKey, historyKey] = [`draft ${id}`, `history ${id}`];
const maxLines = 200;
const endings: Record<Ending, string> = { '\n': 'LF', '\r': 'CR', '\r\n': 'CR LF' };

export type Entry = ReturnType<typeof startEntry>;

/** Starts the row. */
export function startEntry({ send }: Pick<Lines, 'send'>) {
	const form = get('[data-console-input]', page);
	const input = get<HTMLInputElement>('[name=line]', form);
	const help = get('[data-entry-help]', form);
	const modes = get('[data-modes]', form);
	const radios = getAll<HTMLInputElement>('input', modes);
	// The terminal, once it is loaded.
	let view: Console | undefined;

	const takesKeys = () => settings.mode === 'keys';

	const focus = () => (takesKeys() ? view?.terminal : input)?.focus();

	const showMode = () => {
		form.dataset.mode = settings.mode;
		for (const radio of radios) radio.checked = radio.value === settings.mode;
		input.hidden = takesKeys();
		// In this mode, the Tab key goes to the board, too.
		if (view?.terminal.textarea) view.terminal.textarea.tabIndex = takesKeys() ? 0 : -1;
		showHelp();
	};

	const showHelp = () => {
		const away = problem && 'Lines cannot be sent at the moment.';
		const lines = `Enter sends the line with ${endings[settings.ending]}`;
		help.textContent = takesKeys() ? 'Every key goes to the board. Ctrl ] leaves.' : away || lines;
	};

	const setMode = (mode: string, { keepsFocus = false } = {}) => {
		saveSetting({ mode });
		showMode();
		if (!keepsFocus) focus();
	};

	const withEndings = (text: string) => text.replace(/\r\n?|\n/g, settings.ending);

	/* Lines */

	const history = remembered<string[]>(historyKey, []);
	let shown = history.length;
	let draft = '';

	const keep = (line: string) => {
		if (line && history.at(-1) !== line) history.push(line);
		history.splice(0, history.length - maxLines);
		shown = history.length;
		remember(historyKey, history);
	};

	const show = (line: string) => {
		input.value = line;
		input.setSelectionRange(line.length, line.length);
		remember(draftKey, line);
	};

	const step = (by: number) => {
		if (shown === history.length) draft = input.value;
		shown = Math.min(history.length, Math.max(0, shown + by));
		show(history[shown] ?? draft);
	};

	const sendLine = (line: string) => {
		keep(line);
		send(line + settings.ending, line);
	};

	/** Sends the complete lines of a text, and leaves the rest in the row. */
	const takePaste = (text: string) => {
		const lines = (input.value + text).split(/\r\n?|\n/);
		const rest = lines.pop() ?? '';
		for (const line of lines) sendLine(line);
		show(rest);
		input.focus();
	};

	form.addEventListener('submit', (event) => {
		event.preventDefault();
		event.stopPropagation();
		// A line that cannot be sent stays in the row.
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
		const text = event.clipboardData?.getData('text') ?? '';
		if (!/[\r\n]/.test(text) || problem) return;
		event.preventDefault();
		takePaste(text);
	});
	input.addEventListener('keydown', (event) => {
		const isPage = event.shiftKey && /^Page(Up|Down)$/.test(event.key);
		const by = /Up$/.test(event.key) ? -1 : 1;
		if (isPage) view?.terminal.scrollPages(by);
		else if (/^Arrow(Up|Down)$/.test(event.key)) step(by);
		else return;
		event.preventDefault();
	});
	for (const radio of radios) {
		radio.addEventListener('change', () =>
			// With the keyboard, the focus stays on the choice.
			setMode(radio.value, { keepsFocus: radio.matches(':focus-visible') }),
		);
	}

	show(remembered(draftKey, input.value));
	modes.hidden = false;
	showMode();
	return {
		focus,
		showHelp,
		withEndings,
		takesKeys,
		takePaste,
		setMode,
		/** Connects the row with the terminal. */
		attach(opened: Console) {
			view = opened;
			showMode();
		},
	};
}
