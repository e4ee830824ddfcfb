// The times beside the rows of the console: when the first output of each was stored.
import type { Terminal } from '@xterm/xterm';
import { create } from '../../dom.ts';
import type { Rows } from './rows.ts';

/** "09:05:03", in the time zone of the visitor. */
function clockTime(time: number) {
	return new Date(time).toTimeString().slice(0, 8);
}

/** Keeps them beside their rows. `measure` has to be called after the terminal was resized. */
export function showTimes(gutter: HTMLElement, terminal: Terminal, rows: Rows) {
	let cells: { cell: HTMLElement; time: number | undefined }[] = [];

	const addCells = () => {
		const screen = terminal.element?.querySelector('.xterm-screen');
		const height = `${(screen?.clientHeight ?? 0) / terminal.rows}px`;
		cells = Array.from({ length: terminal.rows }, () => {
			const cell = create('div');
			Object.assign(cell.style, { height, lineHeight: height });
			return { cell, time: undefined };
		});
		gutter.replaceChildren(...cells.map(({ cell }) => cell));
	};

	const draw = () => {
		const { viewportY, type } = terminal.buffer.active;
		for (const [number, shown] of cells.entries()) {
			const row = viewportY + number;
			const isWrapped = terminal.buffer.active.getLine(row)?.isWrapped;
			const time = type === 'normal' && !isWrapped ? rows.at(row)?.time : undefined;
			if (shown.time === time) continue;
			shown.time = time;
			const fraction = `.${String((time ?? 0) % 1000).padStart(3, '0')}`;
			const parts = time === undefined ? [] : [clockTime(time), create('span', {}, fraction)];
			shown.cell.replaceChildren(...parts);
		}
	};

	terminal.onRender(draw);
	addCells();
	return {
		measure() {
			addCells();
			draw();
		},
	};
}
