// Lays rows out in columns. On a narrow terminal, text is shortened; in a pipe, nothing is.
import truncated from 'fast-string-truncated-width';
import { printable } from '../../contract/printable.ts';

export interface Column<Row> {
	title: string;
	/** `moment` formats a timestamp: relative on a terminal, unchanged in a pipe. */
	value: (row: Row, moment: Moment) => string | number | boolean | null | undefined;
	/** Never shortened, because users copy the value into other commands. */
	whole?: true;
}

export type Moment = (timestamp: string | null | undefined, left?: number | null) => string;

interface Layout {
	/** Default: no limit. */
	width: number | undefined;
	heading: (text: string) => string;
	moment?: Moment;
}

const gap = 2;
const minWidth = 8;

/** Leaves out columns that are empty in every row. */
export function table<Row>(
	rows: readonly Row[],
	columns: readonly Column<Row>[],
	{ width = Number.POSITIVE_INFINITY, heading, moment = (time) => time ?? '' }: Layout,
) {
	const strips = columns.map(({ title, value, whole = false }): Strip => {
		const cells = rows.map((row) => printable(String(value(row, moment) ?? '')));
		const width = cells.reduce((widest, cell) => Math.max(widest, widthOf(cell)), widthOf(title));
		return { title, whole, cells, width };
	});
	const filled = strips.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
	const shown = fitted(filled, width);
	const line = (text: (strip: Strip) => string) =>
		shown.map((strip) => padded(cut(text(strip), strip.width), strip.width)).join(' '.repeat(gap));
	const lines = rows.map((_, index) => line(({ cells }) => cells[index] ?? '').trimEnd());
	return [heading(line(({ title }) => title).trimEnd()), ...lines]
		.map((text) => `${text}\n`)
		.join('');
}

interface Strip {
	title: string;
	whole: boolean;
	cells: readonly string[];
	width: number;
}

function widthOf(text: string) {
	return truncated(text).width;
}

function cut(text: string, width: number) {
	const { index, ellipsed } = truncated(text, { limit: width, ellipsis: '…' });
	return ellipsed ? `${text.slice(0, index)}…` : text;
}

function padded(text: string, width: number) {
	return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

function total(strips: readonly Strip[]) {
	return strips.reduce((sum, { width }) => sum + width, gap * (strips.length - 1));
}

/** Narrows the widest columns until all fit, then leaves out the last ones. */
function fitted(strips: readonly Strip[], limit: number): Strip[] {
	const fitting = strips.map((strip, index) => ({ ...strip, whole: strip.whole || index === 0 }));
	while (total(fitting) > limit) {
		const soft = fitting.filter(({ whole }) => !whole);
		const last = soft.at(-1);
		if (last === undefined) break;
		const widest = soft.reduce((one, other) => (other.width >= one.width ? other : one), last);
		if (widest.width > minWidth) widest.width -= 1;
		else fitting.splice(fitting.indexOf(last), 1);
	}
	return fitting;
}
