// Marks in the console: a line of their own for each action and each line that was sent. Actions are
// drawn over an empty row, so that they can change later without changing the output around them.
import type { IDecorationOptions, IMarker, Terminal } from '@xterm/xterm';
import { create, createSvg } from '../../dom.ts';
import type { Mark } from './action-marks.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: a mark is one line of text
const controls = /[\x00-\x1f\x7f]/g;

// Resets what an interrupted program may have left: colors, the scroll region, a hidden cursor, mouse
// and focus reports, bracketed paste.
const restore =
	'\x1b[!p\x1b[0m\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?2004l';

function draw(element: HTMLElement, { text, action }: Mark) {
	const { status = '', icon = '', name = '', detail = '' } = action ?? {};
	const path = createSvg('path', { d: icon });
	// A right-to-left name must not reorder the rest.
	const strong = create('strong', { dir: 'auto' }, name);
	const words = create('span', {}, text, strong, create('bdi', {}, detail));
	element.classList.add('mark');
	element.dataset.status = status;
	element.replaceChildren(createSvg('svg', { viewBox: '0 0 24 24', class: 'icon' }, path), words);
}

export function createMarks(terminal: Terminal) {
	const drawn = new Map<string, { mark: Mark; element?: HTMLElement }>();
	const buffer = () => terminal.buffer.active;
	const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));

	// Marks the row of the last action, which is empty in the terminal.
	let lastMarker: IMarker | undefined;

	/** The last row of the screen with text or an action, counted from its top; -1 if there is none. */
	const lastRow = () => {
		const { baseY } = buffer();
		const isEmpty = (row: number) =>
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

	const decorate = (options: Partial<IDecorationOptions> = {}) =>
		terminal.registerDecoration({
			marker: terminal.registerMarker(0),
			width: terminal.cols,
			...options,
		});

	const drawAction = async (mark: Mark) => {
		await leaveScreen();
		drawn.set(mark.id, { mark });
		const decoration = decorate();
		lastMarker = decoration?.marker;
		decoration?.onRender((element) => {
			const known = drawn.get(mark.id);
			if (!known || known.element === element) return;
			known.element = element;
			draw(element, known.mark);
		});
		await write('\r\n');
	};

	const drawLine = async ({ text }: Mark) => {
		// A program that draws the whole screen has no room for it.
		if (buffer().type === 'alternate' || lastRow() > buffer().cursorY) return;
		if (buffer().cursorX > 0) await write('\r\n');
		decorate({ foregroundColor: '#f0a070', layer: 'top' });
		await write(`› ${text.replace(controls, '')}\r\n`);
	};

	return {
		/** Draws a mark in a row of its own at the cursor. */
		add: (mark: Mark) => (mark.action ? drawAction(mark) : drawLine(mark)),
		/** Changes a mark where it is. */
		change(mark: Mark) {
			const known = drawn.get(mark.id);
			if (!known) return;
			known.mark = mark;
			if (known.element) draw(known.element, mark);
		},
		restart: () => drawn.clear(),
	};
}
