// The button that leads to the end of the output, with the number of lines that came since one has scrolled up.

/** `count` has to be called when output was parsed, or the view was moved. */
export const offerEnd = (button, terminal, rows) => {
	// Where the end was when it was left.
	let leftAt;

	const count = () => {
		const { viewportY, baseY } = terminal.buffer.active;
		const isUp = viewportY < baseY;
		if (isUp) leftAt ??= rows.above();
		else leftAt = undefined;
		const lines = isUp ? rows.above() - leftAt : 0;
		const news = `${lines.toLocaleString()} new ${lines === 1 ? 'line' : 'lines'}`;
		const text = lines > 0 ? news : 'To the end';
		button.hidden = !isUp;
		if (button.lastChild.data !== text) button.lastChild.data = text;
	};

	const scrollToEnd = () => {
		terminal.scrollToBottom();
		count();
	};

	terminal.onScroll(count);
	terminal.onRender(count);
	button.addEventListener('click', scrollToEnd);
	return { count, scrollToEnd };
};
