// When each row of a terminal was printed, and at which offset of the console. The rows of a
// terminal move: the oldest are dropped, and lines are rewrapped when its width changes.
import type { IMarker, Terminal } from '@xterm/xterm';

/** What was printed first in a row. */
export interface Piece {
	time: number;
	offset: number;
}

export type Rows = ReturnType<typeof followRows>;

/** Follows the rows of a terminal. `note` has to be called after each piece of output was parsed. */
export function followRows(terminal: Terminal) {
	let rows: (Piece | undefined)[] = [];
	// Moves with the row that had the cursor when it was registered.
	let anchor: IMarker | undefined;
	let anchorRow = 0;
	let dropped = 0;

	const buffer = () => terminal.buffer.normal;
	const cursorRow = () => buffer().baseY + buffer().cursorY;

	const setAnchor = () => {
		anchor?.dispose();
		anchor = terminal.registerMarker(0);
		anchorRow = cursorRow();
	};

	const dropOldest = () => {
		if (!anchor) return;
		const moved = anchor.isDisposed ? anchorRow + 1 : anchorRow - anchor.line;
		rows.splice(0, moved);
		dropped += moved;
		anchorRow -= moved;
	};

	const note = (piece: Piece) => {
		if (terminal.buffer.active.type !== 'normal') return;
		dropOldest();
		const row = cursorRow();
		// A row with nothing but the cursor belongs to the next piece.
		const last = buffer().cursorX > 0 ? row : row - 1;
		for (let number = Math.max(0, anchorRow); number <= last; number += 1) rows[number] ??= piece;
		setAnchor();
	};

	/** The rows in which a line begins, from the cursor upwards. */
	const lineStarts = () => {
		const starts: number[] = [];
		for (let row = cursorRow(); row >= 0; row -= 1) {
			if (!buffer().getLine(row)?.isWrapped) starts.push(row);
		}
		return starts;
	};

	// Rows that are erased get the time of what is printed there next.
	terminal.parser.registerCsiHandler({ final: 'J' }, ([what]) => {
		if (terminal.buffer.active.type !== 'normal' || typeof what !== 'number' || what > 2) {
			return false;
		}
		dropOldest();
		const first = what > 0 ? buffer().baseY : cursorRow() + Math.min(1, buffer().cursorX);
		rows.length = Math.min(rows.length, first);
		if (what > 0) anchorRow = Math.min(anchorRow, first);
		return false;
	});

	return {
		note,
		at: (row: number) => rows[row],
		/** How many rows there have been above the screen, including dropped ones. */
		above: () => dropped + buffer().baseY,
		/** The row of the output at an offset. */
		find(offset: number) {
			const row = rows.findIndex((piece) => piece && piece.offset >= offset);
			return row < 0 ? cursorRow() : row;
		},
		/** Rewraps the lines; all output has to be parsed before. */
		rewrap(work: () => void) {
			const pieces = lineStarts().map((row) => rows[row]);
			work();
			rows = [];
			for (const [index, row] of lineStarts().entries()) rows[row] = pieces[index];
			setAnchor();
		},
		restart(work: () => void) {
			work();
			rows = [];
			setAnchor();
		},
		/** Removes all rows except that of the cursor, which becomes the first. */
		clear(work: () => void) {
			const piece = rows[cursorRow()];
			dropped += buffer().baseY;
			work();
			rows = [piece];
			setAnchor();
		},
	};
}
