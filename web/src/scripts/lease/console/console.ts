// The console of the lease page: what the board prints, what is typed, and the tools for both. One can
// type at once; the terminal, most of what the page loads, follows.
import { closest, get } from '../../dom.ts';
import type { Marks, Message, Output, TypedLine } from '../../stream.ts';
import type { OpenTerminal } from '../../terminal.ts';
import { page, say, statusOf } from '../page.ts';
import { startPlot } from '../plot/plot.ts';
import { startEntry } from '../typing/entry.ts';
import { offerFile } from '../typing/file.ts';
import { takeKeys } from '../typing/keys.ts';
import type { Lines } from '../typing/lines.ts';
import { endMark, marksOf } from './action-marks.ts';
import { offerFind } from './find.ts';
import { splitLines } from './lines.ts';
import { startLog } from './log.ts';
import { startTools } from './tools.ts';
import { openConsole } from './view.ts';

interface Parts {
	lines: Lines;
	/** All output again. */
	replay: () => void;
	/** Loaded where the page has a console. */
	terminal: Promise<{ openTerminal: OpenTerminal }> | undefined;
}

/** Starts it. What it returns takes what the stream has for it; undefined where the lease has no console. */
export function startConsole({ lines, replay, terminal }: Parts) {
	const place = page.querySelector<HTMLElement>('[data-console-view]');
	if (!place || !terminal) return undefined;
	const canType = page.querySelector('[data-console-input]') !== null;
	const entry = canType ? startEntry(lines) : undefined;
	if (entry) {
		offerFile(lines, entry);
		lines.offerUnsent(entry.focus);
	}
	const screen = terminal.then(({ openTerminal }) =>
		openScreen(place, openTerminal, { lines, entry, replay }),
	);
	screen.catch(() => say('The console could not be loaded. Reload the page.', true));
	page.addEventListener('click', async (event) => {
		const link = closest(event, '[data-show]');
		if (!link) return;
		event.preventDefault();
		// On a narrow screen, one of the views is shown at a time.
		get<HTMLInputElement>('.views [value=console]', page).checked = true;
		(await screen).view.showOffset(Number(link.dataset.show));
	});
	return {
		/** Says in the entry row that the service is away, or back. */
		showConnection: () => entry?.showHelp(),
		take: async ({ kind, data }: Message) => (await screen).take[kind]?.(data),
	};
}

interface ScreenParts extends Omit<Parts, 'terminal'> {
	entry: ReturnType<typeof startEntry> | undefined;
}

function openScreen(place: HTMLElement, openTerminal: OpenTerminal, parts: ScreenParts) {
	const { entry, lines, replay } = parts;
	const readOut = startLog();
	const plot = startPlot();
	const texts = splitLines((line) => {
		readOut(line.text);
		plot?.add(line);
	});
	const view = openConsole(place, {
		openTerminal,
		canType: statusOf() === 'active',
		onPiece: texts.take,
		onReplay: replay,
	});
	get('[data-console-text]', page).hidden = true;
	const onFind = offerFind(view.terminal, () => (entry ?? view.terminal).focus());
	entry?.attach(view);
	if (entry) takeKeys(view, { lines, entry, onFind });
	startTools(view, () => entry?.showHelp());
	let typed = 0;
	const restart = () => {
		texts.restart();
		plot?.restart();
	};
	/** The kind says what the data is. */
	const take: Partial<Record<Message['kind'], (data: never) => void>> = {
		output: (output: Output) => view.show(output),
		marks({ actions, end, consoleEnd, skew }: Marks) {
			plot?.setClock({ skew, hasEnded: Boolean(end) });
			view.takeMarks([...marksOf(actions), ...(end ? [endMark(end)] : [])], consoleEnd);
			if (end) view.terminal.options.disableStdin = true;
		},
		typed(line: TypedLine) {
			typed += 1;
			view.addMark({ ...line, id: `typed ${typed}` });
			plot?.mark(line);
		},
		restart() {
			restart();
			view.restart();
		},
		begin() {
			restart();
			view.begin();
		},
	};
	return { view, take: take as Partial<Record<Message['kind'], (data: unknown) => void>> };
}
