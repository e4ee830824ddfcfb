// The console as one sees it: the output with the times of its lines, marks at their places, and
// what to do with it: scroll, search, clear, copy.
import { createMarks } from './console-marks.js';
import { followRows } from './console-rows.js';
import { openTerminal } from './terminal.js';

const two = (number) => String(number).padStart(2, '0');

const clockTime = (time) => {
	const date = new Date(time);
	return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
};
const milliseconds = (time) => `.${String(time % 1000).padStart(3, '0')}`;

// A sequence or a character of which the rest follows with the next piece.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with escape
const openSequence = /\x1b(?:\[[0-?]*[ -/]*|[ -/]*|[\]PX^_][^\x07\x1b]*)$/;
const openCharacter = /[\xc2-\xf4][\x80-\xbf]{0,2}$/;
// By the first four bits of a character.
const characterLengths = { 12: 2, 13: 2, 14: 3, 15: 4 };

const isUnfinished = (bytes) => {
	const tail = String.fromCharCode(...bytes.subarray(-64));
	const [character = ''] = openCharacter.exec(tail) ?? [];
	const length = characterLengths[character.charCodeAt(0) >> 4] ?? 0;
	return openSequence.test(tail) || character.length < length;
};

/**
 * Opens the console in its place. `onPiece` is called with each piece of output, and `onReplay` when
 * all of it has to be shown again.
 */
export const openConsole = (place, { canType, onPiece, onReplay }) => {
	const gutter = place.querySelector('[data-gutter]');
	const screen = place.querySelector('[data-screen]');
	const toEnd = place.querySelector('[data-to-end]');
	const { terminal, fit } = openTerminal(screen, { disableStdin: !canType });
	const rows = followRows(terminal);
	const marks = createMarks(terminal);

	/* What is written, in its order: pieces of output, and work that has to wait for those before it */

	const queue = [];
	let writing = false;
	let oldPieces = 0;

	const parsed = () => new Promise((resolve) => terminal.write('', resolve));

	const write = async () => {
		if (writing) return;
		writing = true;
		for (let next = queue.shift(); next; next = queue.shift()) {
			if (typeof next === 'function') {
				await parsed();
				await next();
			} else writePiece(next);
		}
		writing = false;
	};

	const writePiece = (piece) => {
		if (piece.old) oldPieces += 1;
		terminal.write(piece.bytes, () => {
			if (piece.old) oldPieces -= 1;
			rows.note(piece);
			countNew();
		});
	};

	const enqueue = (item) => {
		queue.push(item);
		write();
	};

	/* Marks: each is drawn once, before the output that follows it */

	// What is known of each, and what is not yet drawn.
	const known = new Map();
	let waiting = [];
	// Of the output that is shown.
	let start;
	let end = 0;
	let last = new Uint8Array();
	let lastTime = 0;
	// Up to where it is known to go.
	let expected = 0;
	// What was cleared stays away when the rest is shown again.
	let clearedAt = 0;

	const isBefore = ({ offset, time }, piece) =>
		offset === null ? time < piece.time : offset <= piece.offset;

	const drawMark = (mark) => {
		known.set(mark.id, { ...mark, place: end });
		enqueue(async () => {
			await marks.add(known.get(mark.id));
			rows.note({ time: mark.time, offset: mark.offset ?? end, mark: mark.text });
		});
	};

	const drawWaiting = (isDue) => {
		const due = waiting.filter(isDue);
		waiting = waiting.filter((mark) => !due.includes(mark));
		for (const mark of due) drawMark(mark);
	};

	/** Takes the marks of the lease as they are now, and where its output ends. */
	const takeMarks = (fresh, consoleEnd) => {
		expected = consoleEnd;
		for (const mark of fresh) {
			const old = known.get(mark.id);
			if (!old) addMark(mark);
			else if (old.status !== mark.status || old.detail !== mark.detail) changeMark(old, mark);
		}
	};

	const addMark = (mark) => {
		known.set(mark.id, mark);
		const isLate = mark.offset !== null && mark.offset < end;
		// The console begins after it.
		if (start !== undefined && mark.offset !== null && mark.offset < start) return;
		waiting.push(mark);
		if (isLate) onReplay();
		else settle();
	};

	const changeMark = (old, mark) => {
		known.set(mark.id, { ...mark, place: old.place });
		waiting = waiting.map((one) => (one.id === mark.id ? mark : one));
		marks.change(mark);
	};

	/** Draws what belongs to the end of the output, unless a sequence is open there. */
	const settle = () => {
		if (end < expected || isUnfinished(last)) return;
		drawWaiting(({ offset }) => offset === null || offset <= end);
	};

	/* Output */

	/** Splits a piece where marks are, and where its time changes. */
	const piecesOf = ({ bytes, offset, times, old }) => {
		const cuts = new Map([[offset]]);
		for (const [at, time] of times) cuts.set(Math.max(at, offset), time);
		for (const mark of waiting) {
			if (mark.offset > offset && mark.offset < offset + bytes.length && !cuts.has(mark.offset)) {
				cuts.set(mark.offset, undefined);
			}
		}
		const starts = [...cuts.keys()].sort((a, b) => a - b);
		return starts.map((at, index) => {
			lastTime = cuts.get(at) ?? lastTime;
			const part = bytes.subarray(at - offset, (starts[index + 1] ?? Infinity) - offset);
			return { bytes: part, offset: at, time: lastTime, old };
		});
	};

	const show = (output) => {
		start ??= output.offset;
		for (const piece of piecesOf(output)) {
			if (piece.offset < clearedAt) continue;
			if (!isUnfinished(last)) drawWaiting((mark) => isBefore(mark, piece));
			end = Math.min(piece.offset + piece.bytes.length, output.end);
			last = piece.bytes;
			enqueue(piece);
			onPiece(piece);
		}
		settle();
	};

	const restart = () => {
		const isShown = ({ place = Infinity }) => place >= clearedAt;
		waiting = [...known.values()].filter(isShown).sort((a, b) => a.time - b.time);
		[start, end, last] = [undefined, 0, new Uint8Array()];
		queue.length = 0;
		enqueue(() => {
			rows.restart(() => terminal.reset());
			marks.restart();
		});
	};

	/** Another board begins a new console. */
	const begin = () => {
		known.clear();
		clearedAt = 0;
		expected = 0;
		restart();
	};

	/* The times beside the rows */

	const cells = [];

	const fillGutter = () => {
		gutter.replaceChildren();
		cells.length = 0;
		const height = `${screen.querySelector('.xterm-screen').clientHeight / terminal.rows}px`;
		for (let number = 0; number < terminal.rows; number += 1) {
			const [cell, fraction] = [document.createElement('div'), document.createElement('span')];
			cell.style.height = height;
			cell.style.lineHeight = height;
			cell.append('', fraction);
			gutter.append(cell);
			cells.push({ text: cell.firstChild, fraction });
		}
	};

	const drawTimes = () => {
		const { viewportY, type } = terminal.buffer.active;
		for (const [number, { text, fraction }] of cells.entries()) {
			const row = viewportY + number;
			const piece = rows.at(row);
			const isShown = type === 'normal' && piece && !terminal.buffer.active.getLine(row)?.isWrapped;
			text.data = isShown ? clockTime(piece.time) : '';
			fraction.textContent = isShown && !piece.mark ? milliseconds(piece.time) : '';
		}
	};

	const rewrap = () => {
		rows.rewrap(fit);
		fillGutter();
		drawTimes();
	};

	terminal.onRender(drawTimes);
	let resizing;
	new ResizeObserver(() => {
		clearTimeout(resizing);
		resizing = setTimeout(() => enqueue(rewrap));
	}).observe(screen);
	fillGutter();

	/* Scrolled up: how much has come since */

	// Where the end was when it was left.
	let leftAt;

	const countNew = () => {
		const { viewportY, baseY } = terminal.buffer.active;
		const isUp = viewportY < baseY;
		if (isUp) leftAt ??= rows.above();
		else leftAt = undefined;
		const count = isUp ? rows.above() - leftAt : 0;
		const lines = `${count.toLocaleString()} new ${count === 1 ? 'line' : 'lines'}`;
		const text = count > 0 ? lines : 'To the end';
		toEnd.hidden = !isUp;
		if (toEnd.lastChild.data !== text) toEnd.lastChild.data = text;
	};

	const scrollToEnd = () => {
		terminal.scrollToBottom();
		countNew();
	};

	terminal.onScroll(countNew);
	terminal.onRender(countNew);
	toEnd.addEventListener('click', scrollToEnd);

	return {
		terminal,
		show,
		begin,
		restart,
		takeMarks,
		addMark,
		scrollToEnd,
		/** Whether the program that wrote what is parsed now is long gone. */
		isOld: () => oldPieces > 0,
		/** Shows what was printed from an offset on. */
		showOffset: (offset) =>
			enqueue(() => {
				terminal.scrollToLine(rows.find(offset));
				countNew();
			}),
		/** Shows what the board has not printed. */
		echo: (text) => enqueue({ bytes: text, offset: end, time: lastTime }),
		clear() {
			clearedAt = end;
			enqueue(() => rows.clear(() => terminal.clear()));
		},
		setStamps(shown) {
			gutter.hidden = !shown;
		},
		text() {
			const { active } = terminal.buffer;
			const texts = [];
			for (let row = 0; row < active.length; row += 1) {
				const line = active.getLine(row);
				const text = rows.at(row)?.mark ?? line.translateToString(true);
				if (line.isWrapped) texts.push(texts.pop() + text);
				else texts.push(text);
			}
			return `${texts.join('\n').trimEnd()}\n`;
		},
	};
};
