// Finds text in the console, the newest match first.
import type { IDecoration, Terminal } from '@xterm/xterm';
import { get } from '../../dom.ts';
import { page } from '../page.ts';

const maxMatches = 10_000;
const refreshMilliseconds = 1_000;
/** How many rows above the view a line in it may begin. */
const maxRows = 50;
const colors = { match: '#6b5420', current: '#9c5a2c' };

/** A text in a line, which may be wrapped over several rows. */
interface Match {
	row: number;
	index: number;
}

/** The matches of a text, the newest first. */
function matchesIn({ buffer: { active } }: Terminal, text: string) {
	const matches: Match[] = [];
	let rest = '';
	for (let row = active.length - 1; row >= 0 && matches.length < maxMatches; row -= 1) {
		const line = active.getLine(row);
		rest = (line?.translateToString(rest === '') ?? '') + rest;
		if (line?.isWrapped) continue;
		const words = rest.toLowerCase();
		for (let index = words.lastIndexOf(text); index >= 0; ) {
			matches.push({ row, index });
			index = index >= text.length ? words.lastIndexOf(text, index - text.length) : -1;
		}
		rest = '';
	}
	return matches.slice(0, maxMatches);
}

/** The cells of a match, row by row. */
function cellsOf({ buffer: { active } }: Terminal, { row, index }: Match, length: number) {
	const cells: { row: number; column: number; width: number }[] = [];
	let last: (typeof cells)[number] | undefined;
	for (let at = 0, y = row, x = 0; at < index + length; x += 1) {
		const cell = active.getLine(y)?.getCell(x);
		if (!cell) {
			[y, x, last] = [y + 1, -1, undefined];
			if (!active.getLine(y)?.isWrapped) break;
		} else {
			if (at >= index) {
				last ??= cells[cells.push({ row: y, column: x, width: 0 }) - 1];
				if (last) last.width += 1;
			}
			// The second half of a wide character has no width.
			at += cell.getWidth() > 0 ? cell.getChars().length || 1 : 0;
		}
	}
	return cells;
}

/** `onLeave` is called when the search is left with Escape. */
export function offerFind(terminal: Terminal, onLeave: () => void) {
	const field = get<HTMLInputElement>('[data-find]', page);
	const count = get('[data-find-count]', page);
	let matches: Match[] = [];
	let current = 0;
	let markedAt = 0;
	const decorations: (IDecoration | undefined)[] = [];
	let refreshing: ReturnType<typeof setTimeout> | undefined;

	/** Marks the matches that are in view. */
	const mark = () => {
		for (const decoration of decorations.splice(0)) decoration?.dispose();
		const { viewportY, baseY, cursorY, type } = terminal.buffer.active;
		markedAt = viewportY;
		if (type === 'alternate') return;
		const isInView = ({ row }: Match) =>
			row <= viewportY + terminal.rows && row > viewportY - maxRows;
		for (const match of matches.filter(isInView)) {
			const backgroundColor = match === matches[current] ? colors.current : colors.match;
			for (const { row, column, width } of cellsOf(terminal, match, field.value.length)) {
				const marker = terminal.registerMarker(row - baseY - cursorY);
				decorations.push(
					terminal.registerDecoration({ marker, x: column, width, backgroundColor }),
				);
			}
		}
	};

	const showCount = () => {
		const all = matches.length.toLocaleString() + (matches.length < maxMatches ? '' : '+');
		const place = (matches.length - current).toLocaleString();
		if (!field.value) count.textContent = '';
		else count.textContent = matches.length > 0 ? `${place} of ${all}` : 'None';
	};

	const refresh = () => {
		refreshing = undefined;
		const before = matches[current];
		matches = field.value ? matchesIn(terminal, field.value.toLowerCase()) : [];
		const same = matches.findIndex(
			({ row, index }) => row === before?.row && index === before.index,
		);
		current = Math.max(0, same);
		mark();
		showCount();
	};

	const show = () => {
		const match = matches[current];
		if (match) {
			const { viewportY } = terminal.buffer.active;
			const isHidden = match.row < viewportY || match.row >= viewportY + terminal.rows;
			if (isHidden) terminal.scrollToLine(Math.max(0, match.row - Math.floor(terminal.rows / 2)));
		}
		mark();
		showCount();
	};

	field.addEventListener('input', () => {
		matches = [];
		refresh();
		show();
	});
	field.addEventListener('keydown', (event) => {
		if (event.key === 'Enter') {
			// Upwards, from the newest match to older ones.
			const step = event.shiftKey ? -1 : 1;
			current = (current + step + matches.length) % Math.max(1, matches.length);
			show();
		} else if (event.key === 'Escape') {
			field.value = '';
			refresh();
			onLeave();
		} else return;
		event.preventDefault();
	});
	terminal.onRender(() => {
		if (matches.length > 0 && terminal.buffer.active.viewportY !== markedAt) mark();
	});
	terminal.onWriteParsed(() => {
		if (field.value && refreshing === undefined) {
			refreshing = setTimeout(refresh, refreshMilliseconds);
		}
	});

	document.addEventListener('keydown', (event) => {
		if (!event.ctrlKey || !event.shiftKey || event.key.toLowerCase() !== 'f') return;
		event.preventDefault();
		field.focus();
		field.select();
	});
}
