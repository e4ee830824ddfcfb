// Tables for the job summary.
import { escapeMarkup } from '../ci/escape.ts';
import { printable, printableText } from '../contract/printable.ts';

type Cell = string | null | undefined;

/** In HTML, because Markdown in the name of a board would be rendered. */
export function summaryTable(titles: readonly string[], rows: readonly (readonly Cell[])[]) {
	const lines = [titles.map(cell('th')), ...rows.map((row) => row.map(cell('td')))];
	return `<table>\n${lines.map((cells) => `<tr>${cells.join('')}</tr>`).join('\n')}\n</table>`;
}

export function summaryCode(title: string, text: string) {
	const lines = printableText(text)
		.split(/\r?\n/)
		// A blank line would end the HTML, and Markdown would begin.
		.map((line) => (line.trim() === '' ? '&nbsp;' : escapeMarkup(line)));
	return `<details open><summary>${escapeMarkup(title)}</summary><pre>${lines.join('\n')}</pre></details>`;
}

function cell(tag: 'th' | 'td') {
	return (text: Cell) => {
		// An empty line would end the HTML and start Markdown.
		const line = printable(text ?? '').replace(/\s+/g, ' ');
		return `<${tag}>${escapeMarkup(line)}</${tag}>`;
	};
}
