// The console of the lease page: what the board prints, what is typed, and the tools for both.
import { endMark, marksOf } from './action-marks.js';
import { startEntry } from './console-entry.js';
import { offerFind } from './console-find.js';
import { splitLines } from './console-lines.js';
import { startLog } from './console-log.js';
import { startTools } from './console-tools.js';
import { openConsole } from './console-view.js';
import { page, status } from './page.js';
import { offerUnsent, showRefused } from './unsent.js';

const place = page.querySelector('[data-console-view]');
const form = page.querySelector('[data-console-input]');
let view;
let plot;
let lines;
let entry;
let typed = 0;

// What is called when the service has taken a text, or not.
const sent = new Map();
let numbers = 0;

const settleSent = ({ number }, isWritten) => {
	sent.get(number)?.(isWritten);
	sent.delete(number);
};

const start = (stream) => {
	const readOut = startLog();
	lines = splitLines((line) => {
		readOut(line.text);
		plotLine(line);
	});
	view = openConsole(place, {
		canType: status === 'active',
		onPiece: ({ bytes, time }) => lines.take(bytes, time),
		onReplay: () => stream.postMessage({ replay: true }),
	});
	page.querySelector('[data-console-text]').hidden = true;
	for (const element of page.querySelectorAll('.no-script')) element.hidden = true;
	const leave = () => (entry ?? view.terminal).focus();
	const find = offerFind(view.terminal, leave);
	if (form) startTyping(stream, find);
	startTools(view, { onChange: () => entry?.showHelp() });
};

/* The plot, which is loaded when there may be numbers */

const mayHaveNumbers = /^[^a-z]*[-+.\d]|[:=]\s*[-+.\d]/i;
const mostUnplotted = 2_000;
let unplotted = [];
let loadingPlot;

const loadPlot = async () => {
	const { startPlot } = await import('./plot.js');
	plot = startPlot();
	for (const { line, mark } of unplotted) line ? plot?.add(line) : plot?.mark(mark);
	unplotted = [];
};

const plotLine = (line) => {
	if (plot) return plot.add(line);
	if (!loadingPlot && !mayHaveNumbers.test(line.text)) return;
	unplotted = [...unplotted, { line }].slice(-mostUnplotted);
	loadingPlot ??= loadPlot();
};

const restartPlot = () => {
	unplotted = [];
	plot?.restart();
};

const plotMark = (mark) => {
	if (plot) plot.mark(mark);
	else unplotted.push({ mark });
};

const startTyping = (stream, onFind) => {
	const send = (text, echo) =>
		new Promise((resolve) => {
			numbers += 1;
			sent.set(numbers, resolve);
			stream.postMessage({ typed: text, echo, number: numbers });
		});
	entry = startEntry(view, { stream, send, onFind });
	const { withEndings } = entry;
	const file = page.querySelector('[data-send-file]');
	file.addEventListener('change', async () => {
		const { sendFile } = await import('./console-file.js');
		sendFile(file, { send, withEndings });
	});
	offerUnsent(stream, entry.focus);
};

export const startConsole = (stream) => {
	if (place) start(stream);
};

/** Shows what the board has printed from an offset on. */
export const showOffset = (offset) => view?.showOffset(offset);

page.addEventListener('click', (event) => {
	const link = event.target.closest('[data-show]');
	if (!link || !view) return;
	event.preventDefault();
	// On a narrow screen, one of the views is shown at a time.
	page.querySelector('.views [value=console]').checked = true;
	showOffset(Number(link.dataset.show));
});

/** Says in the entry row that the service is away, or back. */
export const showConnection = () => entry?.showHelp();

/** What the stream has for the console. */
export const consoleKinds = {
	output: (output) => view?.show(output),
	actions: ({ actions, end, consoleEnd }) =>
		view?.takeMarks([...marksOf(actions), ...(end ? [endMark(end)] : [])], consoleEnd),
	typed({ texts, ...mark }) {
		for (const text of texts) {
			typed += 1;
			view?.addMark({ ...mark, id: `typed ${typed}`, text });
			plotMark({ ...mark, text });
		}
	},
	accepted: (message) => settleSent(message, true),
	refused(message) {
		showRefused(message);
		settleSent(message, false);
	},
	restart() {
		lines?.restart();
		restartPlot();
		view?.restart();
	},
	begin() {
		lines?.restart();
		restartPlot();
		view?.begin();
	},
};
