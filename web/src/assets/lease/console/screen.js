// The console as the page shows it: the terminal with its tools, and the plot beside it.

import { page, statusOf } from '../page.js';
import { offerPlot } from '../plot/offer.js';
import { takeKeys } from '../typing/keys.js';
import { endMark, marksOf } from './action-marks.js';
import { offerFind } from './find.js';
import { splitLines } from './lines.js';
import { startLog } from './log.js';
import { startTools } from './tools.js';
import { openConsole } from './view.js';

/** Opens it in its place. What it returns takes each kind of message that the stream has for it. */
export const openScreen = (place, { stream, entry }) => {
	const readOut = startLog();
	const plot = offerPlot();
	const lines = splitLines((line) => {
		readOut(line.text);
		plot.add(line);
	});
	const view = openConsole(place, {
		canType: statusOf() === 'active',
		onPiece: ({ bytes, time }) => lines.take(bytes, time),
		onReplay: () => stream.postMessage({ replay: true }),
	});
	page.querySelector('[data-console-text]').hidden = true;
	const onFind = offerFind(view.terminal, () => (entry ?? view.terminal).focus());
	entry?.attach(view);
	if (entry) takeKeys(view, { stream, entry, onFind });
	startTools(view, { onChange: () => entry?.showHelp() });
	let typed = 0;
	const restart = () => {
		lines.restart();
		plot.restart();
	};
	return {
		showOffset: view.showOffset,
		output: view.show,
		actions({ actions, end, consoleEnd, skew }) {
			plot.setClock({ skew, hasEnded: Boolean(end) });
			view.takeMarks([...marksOf(actions), ...(end ? [endMark(end)] : [])], consoleEnd);
			if (end) view.terminal.options.disableStdin = true;
		},
		typed({ texts, ...mark }) {
			for (const text of texts) {
				typed += 1;
				view.addMark({ ...mark, id: `typed ${typed}`, text });
				plot.mark({ ...mark, text });
			}
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
};
