// Marks in the console: a line of their own for each action and each line that was sent. Actions are
// drawn over an empty row, so that they can still change; the output around them stays as it is.

// biome-ignore lint/suspicious/noControlCharactersInRegex: a mark is one line of text
const controls = /[\x00-\x1f\x7f]/g;

// What a program may leave behind that an action ends: the colors, the region that scrolls, a hidden
// cursor, reports of the mouse and the focus, bracketed paste.
const restore =
	'\x1b[!p\x1b[0m\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?2004l';

export const createMarks = (terminal) => {
	const elements = new Map();
	const buffer = () => terminal.buffer.active;
	const write = (text) => new Promise((resolve) => terminal.write(text, resolve));

	// Of the action that was drawn last: the terminal has an empty row there.
	let lastMarker;

	/** The last row of the screen with text or an action, counted from its top; -1 if there is none. */
	const lastRow = () => {
		const { baseY } = buffer();
		const isEmpty = (row) =>
			!buffer()
				.getLine(baseY + row)
				?.translateToString(true);
		const marked = lastMarker?.isDisposed === false ? lastMarker.line - baseY : -1;
		let row = terminal.rows - 1;
		while (row > marked && isEmpty(row)) row -= 1;
		return row;
	};

	/** Moves the cursor below all text. */
	const leaveScreen = async () => {
		if (buffer().type === 'alternate') await write('\x1b[?1049l');
		await write(restore);
		const row = lastRow();
		await write(`\x1b[${Math.max(0, row) + 1};1H${row < 0 ? '' : '\r\n'}`);
	};

	const decorate = (options) =>
		terminal.registerDecoration({
			marker: terminal.registerMarker(0),
			width: terminal.cols,
			...options,
		});

	const iconOf = (path) => {
		const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
		svg.setAttribute('viewBox', '0 0 24 24');
		svg.append(document.createElementNS('http://www.w3.org/2000/svg', 'path'));
		svg.firstChild.setAttribute('d', path);
		return svg;
	};

	const draw = (element, { icon, text, name = '', detail = '', status }) => {
		const [words, strong, rest] = ['span', 'strong', 'bdi'].map((tag) =>
			document.createElement(tag),
		);
		// A name that is written from right to left turns nothing else around.
		strong.dir = 'auto';
		strong.textContent = name;
		rest.textContent = detail;
		element.classList.add('mark');
		element.dataset.status = status;
		words.append(text, strong, rest);
		element.replaceChildren(iconOf(icon), words);
	};

	const drawAction = async (mark) => {
		await leaveScreen();
		const drawn = { mark };
		elements.set(mark.id, drawn);
		const decoration = decorate({});
		lastMarker = decoration.marker;
		decoration.onRender((element) => {
			drawn.element = element;
			if (drawn.shown !== drawn.mark) draw(element, drawn.mark);
			drawn.shown = drawn.mark;
		});
		await write('\r\n');
	};

	const drawLine = async ({ text }) => {
		// A program that draws the screen itself has no room for it.
		if (buffer().type === 'alternate' || lastRow() > buffer().cursorY) return;
		if (buffer().cursorX > 0) await write('\r\n');
		decorate({ foregroundColor: '#f0a070', layer: 'top' });
		await write(`› ${text.replace(controls, '')}\r\n`);
	};

	return {
		/** Draws a mark in a row of its own at the cursor. */
		add: (mark) => (mark.kind === 'typed' ? drawLine(mark) : drawAction(mark)),
		/** Changes a mark where it is. */
		change(mark) {
			const drawn = elements.get(mark.id);
			if (!drawn) return;
			drawn.mark = mark;
			if (drawn.element) draw(drawn.element, mark);
			drawn.shown = mark;
		},
		restart: () => elements.clear(),
	};
};
