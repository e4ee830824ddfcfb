// The times beside the rows of the console: when the first output of each was stored.

const two = (number) => String(number).padStart(2, '0');

const clockTime = (time) => {
	const date = new Date(time);
	return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
};
const milliseconds = (time) => `.${String(time % 1000).padStart(3, '0')}`;

/** Shows them, and keeps them at their rows. `measure` has to be called when the terminal has another size. */
export const showTimes = (gutter, terminal, rows) => {
	const cells = [];

	const addCells = () => {
		gutter.replaceChildren();
		cells.length = 0;
		const screen = terminal.element.querySelector('.xterm-screen');
		const height = `${screen.clientHeight / terminal.rows}px`;
		for (let number = 0; number < terminal.rows; number += 1) {
			const [cell, fraction] = [document.createElement('div'), document.createElement('span')];
			cell.style.height = height;
			cell.style.lineHeight = height;
			cell.append('', fraction);
			gutter.append(cell);
			cells.push({ text: cell.firstChild, fraction });
		}
	};

	const draw = () => {
		const { viewportY, type } = terminal.buffer.active;
		for (const [number, { text, fraction }] of cells.entries()) {
			const row = viewportY + number;
			const piece = rows.at(row);
			const isShown = type === 'normal' && piece && !terminal.buffer.active.getLine(row)?.isWrapped;
			text.data = isShown ? clockTime(piece.time) : '';
			fraction.textContent = isShown ? milliseconds(piece.time) : '';
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
};
