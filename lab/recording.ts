// Records `board-access run` against the demo as an animated picture for the README.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createTestService } from 'board-access-service/testing';

const project = fileURLToPath(new URL('..', import.meta.url));
const argv = ['run', 'uno-sample.hex', '--type', 'arduino-uno', '--expect', 'Hello from'];

const lineHeight = 22;
const margin = 18;
const width = 860;
const special: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const service = await createTestService({ agent: true });
try {
	const lines = await record(await service.listen());
	const title = `$ board-access ${argv.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`;
	const picture = renderRecording([{ text: title, milliseconds: 0 }, ...lines]);
	await writeFile(`${project}/docs/images/run.svg`, picture);
	console.log(`docs/images/run.svg: ${lines.length} lines`);
} finally {
	await service.close();
}

/** Runs the command and returns the lines that it printed, with their times. */
async function record(baseUrl: string): Promise<RecordedLine[]> {
	const startedAt = performance.now();
	const lines: RecordedLine[] = [];
	const child = spawn(process.execPath, [`${project}/dist/cli/main.js`, ...argv], {
		cwd: `${project}/agent/firmware`,
		env: { ...process.env, SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: service.demo.apiKey },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	for (const stream of [child.stdout, child.stderr]) {
		let open = '';
		stream.setEncoding('utf8').on('data', (text: string) => {
			const texts = (open + text).split(/\r?\n/);
			open = texts.pop() ?? '';
			const milliseconds = performance.now() - startedAt;
			for (const line of texts) lines.push({ text: line, milliseconds });
		});
	}
	const [exitCode] = await once(child, 'close');
	if (exitCode !== 0) {
		throw new Error(`It ended with ${exitCode}: ${lines.map(({ text }) => text).join('\n')}`);
	}
	return lines;
}

/** A line that was printed, and when. */
interface RecordedLine {
	text: string;
	milliseconds: number;
}

/** The lines appear one after the other and then stay; with reduced motion, they appear at once. */
function renderRecording(lines: readonly RecordedLine[]) {
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

/** Without control characters, which an SVG cannot hold. */
function escaped(text: string) {
	return text.replace(/\p{Cc}/gu, '').replace(/[&<>]/g, (character) => special[character] ?? '');
}
