// Lines of a terminal as an SVG in which each appears at its time.

/** A line that was printed, and when. */
export interface RecordedLine {
	text: string;
	milliseconds: number;
}

const lineHeight = 22;
const margin = 18;
const width = 860;

/** The lines appear one after the other and then stay; with reduced motion, they appear at once. */
export function renderRecording(lines: readonly RecordedLine[]) {
	const height = lines.length * lineHeight + 2 * margin;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Terminal: board-access run">
<style>
rect { fill: #1d1f21 }
text { fill: #f4f2ef; font: 14px ui-monospace, Menlo, Consolas, monospace; white-space: pre }
.command { fill: #8fc7ff }
.passed { fill: #9ece6a }
@media (prefers-reduced-motion: no-preference) {
text { animation: appear 1ms backwards }
@keyframes appear { from { opacity: 0 } }
}
</style>
<rect width="${width}" height="${height}" rx="8"/>
${lines.map(renderLine).join('\n')}
</svg>
`;
}

function renderLine({ text, milliseconds }: RecordedLine, index: number) {
	const y = margin + (index + 0.7) * lineHeight;
	const name = classOf(text);
	const attributes = `x="${margin}" y="${y.toFixed(1)}"${name && ` class="${name}"`}`;
	return `<text ${attributes} style="animation-delay:${Math.round(milliseconds)}ms">${escaped(text)}</text>`;
}

function classOf(text: string) {
	if (text.startsWith('$ ')) return 'command';
	return text.startsWith('Passed') ? 'passed' : '';
}

const special: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Without control characters, which an SVG cannot hold. */
function escaped(text: string) {
	return text.replace(/\p{Cc}/gu, '').replace(/[&<>]/g, (character) => special[character] ?? '');
}
