// The terminal with the output: the times of its lines, marks at their places, scrolling and clearing.
import { get } from '../../dom.ts';
import type { Output } from '../../stream.ts';
import type { OpenTerminal } from '../../terminal.ts';
import type { Mark } from './action-marks.ts';
import { offerEnd } from './end.ts';
import { createMarks } from './marks.ts';
import { followRows, type Piece } from './rows.ts';
import { isUnfinished } from './sequences.ts';
import { showTimes } from './times.ts';

// Drawing takes longer than parsing, so output is drawn in batches.
const showMilliseconds = 60;

interface ShownPiece extends Piece {
	bytes: Uint8Array;
	old?: boolean;
}

interface ConsoleOptions {
	openTerminal: OpenTerminal;
	canType: boolean;
	/** Called with each piece of output. */
	onPiece: (bytes: Uint8Array, time: number) => void;
	/** Called when all output has to be shown again. */
	onReplay: () => void;
}

export type Console = ReturnType<typeof openConsole>;

/** Opens the console in its place. */
export function openConsole(place: HTMLElement, options: ConsoleOptions) {
	const { openTerminal, canType, onPiece, onReplay } = options;
	const screen = get('[data-screen]', place);
	const { terminal, fit } = openTerminal(screen, { disableStdin: !canType });
	const rows = followRows(terminal);
	const marks = createMarks(terminal);
	const gutter = get('[data-gutter]', place);
	const times = showTimes(gutter, terminal, rows);
	const { count, scrollToEnd } = offerEnd(get('[data-to-end]', place), terminal, rows);

	/* What is written, in order: pieces of output, and work that waits for the pieces before it */

	const queue: (ShownPiece | (() => void | Promise<void>))[] = [];
	let writing = false;
	let oldPieces = 0;

	const parsed = () => new Promise<void>((resolve) => terminal.write('', resolve));

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

	const writePiece = (piece: ShownPiece) => {
		if (piece.old) oldPieces += 1;
		terminal.write(piece.bytes, () => {
			if (piece.old) oldPieces -= 1;
			rows.note(piece);
			count();
		});
	};

	const enqueue = (item: (typeof queue)[number]) => {
		queue.push(item);
		write();
	};

	/* Marks: each is drawn once, before the output that follows it */

	// All marks with the places where they are drawn, and those not drawn yet.
	const known = new Map<string, Mark & { place?: number }>();
	let waiting: Mark[] = [];
	// The shown output.
	let start: number | undefined;
	let end = 0;
	let last = new Uint8Array();
	let lastTime = 0;
	// Where the output is known to end.
	let expected = 0;
	// Cleared output is not shown again.
	let clearedAt = 0;

	const isBefore = ({ offset, time }: Mark, piece: Piece) =>
		offset === null ? time < piece.time : offset <= piece.offset;

	const drawWaiting = (isDue: (mark: Mark) => boolean) => {
		const due = waiting.filter(isDue);
		waiting = waiting.filter((mark) => !due.includes(mark));
		for (const mark of due) {
			known.set(mark.id, { ...mark, place: end });
			enqueue(async () => {
				await marks.add(known.get(mark.id) ?? mark);
				rows.note({ time: mark.time, offset: mark.offset ?? end });
			});
		}
	};

	/** Takes the marks of the lease as they are now, and where its output ends. */
	const takeMarks = (fresh: readonly Mark[], consoleEnd: number) => {
		expected = consoleEnd;
		for (const mark of fresh) {
			const old = known.get(mark.id);
			if (!old) addMark(mark);
			else if (JSON.stringify(old.action) !== JSON.stringify(mark.action)) changeMark(old, mark);
		}
	};

	const addMark = (mark: Mark) => {
		flush();
		known.set(mark.id, mark);
		// The mark is before the beginning of the shown output.
		if (start !== undefined && mark.offset !== null && mark.offset < start) return;
		waiting.push(mark);
		if (mark.offset !== null && mark.offset < end) onReplay();
		else settle();
	};

	const changeMark = (old: { place?: number }, mark: Mark) => {
		known.set(mark.id, { ...old, ...mark });
		waiting = waiting.map((one) => (one.id === mark.id ? mark : one));
		marks.change(mark);
	};

	/** Draws the marks at the end of the output, unless a sequence is incomplete there. */
	const settle = () => {
		if (end < expected || isUnfinished(last)) return;
		drawWaiting(({ offset }) => offset === null || offset <= end);
	};

	/* Output: pieces that arrive shortly after each other are shown together */

	let arrived: Output[] = [];
	let pacing: ReturnType<typeof setTimeout> | undefined;

	const show = (output: Output) => {
		arrived.push(output);
		pacing ??= flush();
	};

	const flush = () => {
		clearTimeout(pacing);
		pacing = undefined;
		if (arrived.length === 0) return undefined;
		for (const output of arrived.splice(0)) showOutput(output);
		pacing = setTimeout(flush, showMilliseconds);
		return pacing;
	};

	/** Splits a piece at marks, and where its time changes. */
	const piecesOf = ({ bytes, offset, times, old }: Output) => {
		const cuts = new Map<number, number | undefined>([[offset, undefined]]);
		for (const [at, time] of times) cuts.set(Math.max(at, offset), time);
		for (const { offset: at } of waiting) {
			if (at !== null && at > offset && at < offset + bytes.length && !cuts.has(at)) {
				cuts.set(at, undefined);
			}
		}
		const starts = [...cuts.keys()].sort((a, b) => a - b);
		return starts.map((at, index) => {
			lastTime = cuts.get(at) ?? lastTime;
			const part = bytes.subarray(at - offset, (starts[index + 1] ?? Infinity) - offset);
			return { bytes: part, offset: at, time: lastTime, old };
		});
	};

	const showOutput = (output: Output) => {
		start ??= output.offset;
		for (const piece of piecesOf(output)) {
			if (piece.offset < clearedAt) continue;
			if (!isUnfinished(last)) drawWaiting((mark) => isBefore(mark, piece));
			end = Math.min(piece.offset + piece.bytes.length, output.end);
			last = piece.bytes as typeof last;
			enqueue(piece);
			onPiece(piece.bytes, piece.time);
		}
		settle();
	};

	const restart = () => {
		const isShown = ({ place = Infinity }) => place >= clearedAt;
		waiting = [...known.values()].filter(isShown).sort((a, b) => a.time - b.time);
		[start, end, last] = [undefined, 0, new Uint8Array()];
		arrived = [];
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

	let resizing: ReturnType<typeof setTimeout> | undefined;
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
		/** Whether the output that is being parsed is old: its program may have ended. */
		isOld: () => oldPieces > 0,
		/** Scrolls to the output at an offset. */
		showOffset: (offset: number) =>
			enqueue(() => {
				terminal.scrollToLine(rows.find(offset));
				count();
			}),
		clear() {
			flush();
			clearedAt = end;
			enqueue(() => rows.clear(() => terminal.clear()));
		},
		setStamps(shown: boolean) {
			gutter.hidden = !shown;
		},
	};
}
