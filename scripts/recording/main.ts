// Records `board-access run` against the demo as an animated picture for the README.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createTestService } from 'board-access-service/testing';
import { type RecordedLine, renderRecording } from './svg.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const argv = ['run', 'uno-sample.hex', '--type', 'arduino-uno', '--expect', 'Hello from'];

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
