// The console of the lease page: what the board prints, what is typed, and the tools for both. The visitor
// can type at once; the terminal, the largest part of the page, is loaded later.
import { closest, get, load } from '../../dom.ts';
import type { Handlers } from '../../stream.ts';
import type * as Terminal from '../../terminal.ts';
import type { OpenTerminal } from '../../terminal.ts';
import { page, say, statusOf } from '../page.ts';
import { startPlot } from '../plot/plot.ts';
import { startEntry } from '../typing/entry.ts';
import { takeKeys } from '../typing/keys.ts';
import type { Lines } from '../typing/lines.ts';
import { endMark, marksOf } from './action-marks.ts';
import { offerFind } from './find.ts';
import { splitLines } from './lines.ts';
import { startLog } from './log.ts';
import { startTools } from './tools.ts';
import { openConsole } from './view.ts';

interface ConsoleOptions {
	lines: Lines;
	/** Shows all output again. */
	replay: () => void;
}

/** Returns undefined if the lease has no console. */
export function startConsole({ lines, replay }: ConsoleOptions) {
	const place = page.querySelector<HTMLElement>('[data-console-view]');
	if (!place) return undefined;
	const canType = page.querySelector('[data-console-input]') !== null;
	const entry = canType ? startEntry(lines) : undefined;
	if (entry) lines.offerUnsent(entry.focus);
	const screen = load<typeof Terminal>('terminal.js').then(({ openTerminal }) =>
		openScreen(place, openTerminal, { lines, entry, replay }),
	);
	screen.catch(() => say('The console could not be loaded. Reload the page.', true));
	page.addEventListener('click', async (event) => {
		const link = closest(event, '[data-show]');
		if (!link) return;
		event.preventDefault();
		// A narrow screen shows one view at a time.
		get<HTMLInputElement>('.views [value=console]', page).checked = true;
		(await screen).view.showOffset(Number(link.dataset.show));
	});
	return {
		screen,
		/** Says in the row for lines whether lines can be sent. */
		showConnection: () => entry?.showHelp(),
		handlers: {
			output: async (output) => (await screen).handlers.output(output),
			marks: async (marks) => (await screen).handlers.marks(marks),
			typed: async (line) => (await screen).handlers.typed(line),
			restart: async () => (await screen).handlers.restart(),
			begin: async () => (await screen).handlers.begin(),
		} satisfies Handlers,
	};
}

interface ScreenOptions extends ConsoleOptions {
	entry: ReturnType<typeof startEntry> | undefined;
}

function openScreen(place: HTMLElement, openTerminal: OpenTerminal, parts: ScreenOptions) {
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
	offerFind(view.terminal, () => (entry ?? view.terminal).focus());
	entry?.attach(view);
	if (entry) takeKeys(view, lines, entry);
	startTools(view, () => entry?.showHelp());
	let typed = 0;
	const restart = () => {
		texts.restart();
		plot?.restart();
	};
	const handlers = {
		output: view.show,
		marks({ actions, end, consoleEnd, skew }) {
			plot?.setClock({ skew, hasEnded: Boolean(end) });
			view.takeMarks([...marksOf(actions), ...(end ? [endMark(end)] : [])], consoleEnd);
			if (end) view.terminal.options.disableStdin = true;
		},
		typed(line) {
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
	} satisfies Handlers;
	return { view, handlers };
}
