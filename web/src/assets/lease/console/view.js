// The console as one sees it: the output with the times of its lines, marks at their places, and
// what to do with it: scroll, search, clear, copy.
import { offerEnd } from './end.js';
import { createMarks } from './marks.js';
import { followRows } from './rows.js';
import { isUnfinished } from './sequences.js';
import { openTerminal } from './terminal.js';
import { showTimes } from './times.js';

/**
 * Opens the console in its place. `onPiece` is called with each piece of output, and `onReplay` when
 * all of it has to be shown again.
 */
export const openConsole = (place, { canType, onPiece, onReplay }) => {
	const screen = place.querySelector('[data-screen]');
	const { terminal, fit } = openTerminal(screen, { disableStdin: !canType });
	const rows = followRows(terminal);
	const marks = createMarks(terminal);
	const gutter = place.querySelector('[data-gutter]');
	const times = showTimes(gutter, terminal, rows);
	const { count, scrollToEnd } = offerEnd(place.querySelector('[data-to-end]'), terminal, rows);

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
			count();
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

	/* Its size */

	const rewrap = () => {
		rows.rewrap(fit);
		times.measure();
	};

	let resizing;
	new ResizeObserver(() => {
		clearTimeout(resizing);
		resizing = setTimeout(() => enqueue(rewrap));
	}).observe(screen);

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
				count();
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
