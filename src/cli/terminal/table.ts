// Lays rows out in columns. On a narrow terminal, text is cut; in a pipe, nothing is.
import truncated from 'fast-string-truncated-width';
import { printable } from './style.ts';

export interface Column<Row> {
	title: string;
	value: (row: Row) => string | number | boolean | null | undefined;
}

interface Layout {
	/** How many columns of text there is room for; no limit if it is left out. */
	width: number | undefined;
	heading: (text: string) => string;
}

const gap = 2;
const narrowest = 6;

/** The rows under their headings, each line ended. */
export function table<Row>(
	rows: readonly Row[],
	columns: readonly Column<Row>[],
	{ width = Number.POSITIVE_INFINITY, heading }: Layout,
) {
	const cells = rows.map((row) => columns.map(({ value }) => printable(String(value(row) ?? ''))));
	const lines = [columns.map(({ title }) => title), ...cells];
	const natural = columns.map((_, column) =>
		lines.reduce((widest, line) => Math.max(widest, widthOf(line[column] ?? '')), 0),
	);
	const widths = fitted(natural, width);
	const laidOut = lines.map((line) =>
		line
			.map((text, column) => {
				const shown = cut(text, widths[column] ?? 0);
				return shown + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(shown)));
			})
			.join(' '.repeat(gap))
			.trimEnd(),
	);
	return laidOut.map((line, index) => `${index === 0 ? heading(line) : line}\n`).join('');
}

function widthOf(text: string) {
	return truncated(text).width;
}

function cut(text: string, width: number) {
	const { index, ellipsed } = truncated(text, { limit: width, ellipsis: '…' });
	return ellipsed ? `${text.slice(0, index)}…` : text;
}

function total(widths: readonly number[]) {
	return widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
}

/** Narrows the widest columns until all fit. The first stays whole: it is the id to copy. */
function fitted(natural: readonly number[], limit: number) {
	const widths = [...natural];
	while (total(widths) > limit) {
		const widest = Math.max(...widths.slice(1));
		if (widest <= narrowest) break;
		widths[widths.lastIndexOf(widest)] = widest - 1;
	}
	return widths;
}
