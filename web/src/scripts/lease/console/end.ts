// The button that scrolls to the end of the output, with the number of lines since the visitor scrolled up.
import type { Terminal } from '@xterm/xterm';
import type { Rows } from './rows.ts';

/** `count` has to be called after output was parsed or the view was scrolled. */
export function offerEnd(button: HTMLElement, terminal: Terminal, rows: Rows) {
	// Where the end was when the visitor scrolled up.
	let leftAt: number | undefined;

	const count = () => {
		const { viewportY, baseY } = terminal.buffer.active;
		const isUp = viewportY < baseY;
		leftAt = isUp ? (leftAt ?? rows.above()) : undefined;
		const lines = rows.above() - (leftAt ?? rows.above());
		const news = `${lines.toLocaleString()} new ${lines === 1 ? 'line' : 'lines'}`;
		const text = lines > 0 ? news : 'To the end';
		button.hidden = !isUp;
		const words = button.lastChild;
		if (words && words.nodeValue !== text) words.nodeValue = text;
	};

	const scrollToEnd = () => {
		terminal.scrollToBottom();
		count();
	};

	terminal.onScroll(count);
	terminal.onRender(count);
	button.addEventListener('click', scrollToEnd);
	return { count, scrollToEnd };
}
