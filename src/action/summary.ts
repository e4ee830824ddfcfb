// Tables for the job summary.

const special: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
};

/** A table in HTML, because Markdown in the name of a board would be rendered. */
export function summaryTable(titles: readonly string[], rows: readonly (readonly string[])[]) {
	const lines = [titles.map(cell('th')), ...rows.map((row) => row.map(cell('td')))];
	return `<table>\n${lines.map((cells) => `<tr>${cells.join('')}</tr>`).join('\n')}\n</table>`;
}

function cell(tag: 'th' | 'td') {
	return (text: string) => {
		// An empty line would end the HTML and start Markdown.
		const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
		return `<${tag}>${line.replace(/[&<>"]/g, (character) => special[character] ?? '')}</${tag}>`;
	};
}
