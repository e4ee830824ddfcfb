// Records a session for the guide of coding agents: a script in place of a model uses the tools, reads the console of
// firmware with a mistake, and tests the corrected firmware. Debian: apt install gcc-avr avr-libc
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createTestService } from 'board-access-service/testing';
import { stringify } from 'yaml';

const project = fileURLToPath(new URL('..', import.meta.url));
const guide = `${project}/docs/guides/coding-agents.md`;
const source = 'light-meter.c';
const mistake = 'uint8_t sum = 0;';
const correction = 'uint16_t sum = 0;';

const folder = await mkdtemp(join(tmpdir(), 'board-access-lab-'));
const service = await createTestService({ agent: true });
const client = new Client({ name: 'transcript', version: '1.0.0' });
const lines: string[] = [];
try {
	const env = {
		PATH: process.env.PATH ?? '',
		SERVICE_BASE_URL: await service.listen(),
		SERVICE_API_KEY: service.demo.apiKey,
	};
	const args = [`${project}/dist/cli/main.js`, 'mcp'];
	await client.connect(
		new StdioClientTransport({ command: process.execPath, args, env, cwd: folder }),
	);
	await findMistake();
	await writeTranscript();
	console.log(`docs/guides/coding-agents.md: ${lines.length} lines`);
} finally {
	await client.close();
	await service.close();
	await rm(folder, { recursive: true });
}

async function findMistake() {
	const code = await readFile(`${project}/lab/firmware/${source}`, 'utf8');
	await build(code);
	say('The readings in the source have a mean of 197, so the firmware should print it.');
	await use('list_boards', { type: 'arduino-uno' });
	const { leases } = await use('lease_board', { boards: ['arduino-uno'], label: 'light meter' });
	const [{ lease_id }] = leases as [{ lease_id: string }]; // one board
	const tested = { lease_id, firmware: 'light-meter.hex', expect: ['mean 197'] };
	const before = await use('run_firmware', { ...tested, timeout_seconds: 5 });
	confirm(before.result === 'not_seen');

	say(
		'It prints another mean. The firmware offers to print every reading, so type `v` after a reset.',
	);
	const mean = String.raw`/mean \d+/`;
	const { cursor } = await use('reset_and_capture', { lease_id, until: mean });
	await use('console_write', { lease_id, text: 'v' });
	const { untrusted_output } = await use('console_read', { lease_id, cursor, until: mean });
	confirm(`${untrusted_output}`.includes('reading 190, sum 122'));

	say(
		'188 + 190 is 378, not 122: the sum loses 256 whenever it exceeds 255, because it is a `uint8_t`.',
	);
	lines.push('```text', `- ${mistake}`, `+ ${correction}`, '```', '');
	confirm(code.includes(mistake));
	await build(code.replace(mistake, correction));
	const after = await use('run_firmware', tested);
	confirm(after.result === 'passed');
	await use('release', { lease_id });
}

async function build(code: string) {
	await writeFile(join(folder, source), code);
	const chip = ['-mmcu=atmega328p', '-DF_CPU=16000000UL', '-std=c99', '-Wall', '-Wextra', '-Os'];
	execFileSync('avr-gcc', [...chip, '-o', 'light-meter.elf', source], { cwd: folder });
	const files = ['light-meter.elf', 'light-meter.hex'];
	execFileSync('avr-objcopy', ['-O', 'ihex', ...files], { cwd: folder });
}

function say(text: string) {
	lines.push(text, '');
}

/** Calls a tool, and records the call as a comment of its result. */
async function use(name: string, input: Record<string, unknown>) {
	const { structuredContent, content } = await client.callTool({ name, arguments: input });
	if (!structuredContent) throw new Error(JSON.stringify(content));
	const result = stringify(structuredContent, { lineWidth: 0 });
	lines.push('```yaml', `# ${name} ${JSON.stringify(input)}`, result.trimEnd(), '```', '');
	return structuredContent as Record<string, unknown>; // the protocol allows only objects
}

/** Our sentences between the calls must remain true. */
function confirm(isTrue: boolean) {
	if (!isTrue) throw new Error(`The session went another way:\n${lines.join('\n')}`);
}

async function writeTranscript() {
	const text = await readFile(guide, 'utf8');
	const [begin, end] = ['<!-- Recorded by lab/transcript.ts -->', '<!-- End of the recording -->'];
	const [before, rest] = text.split(begin);
	const [, after] = rest?.split(end) ?? [];
	if (before === undefined || after === undefined) throw new Error('The guide lacks the marks');
	await writeFile(guide, `${before}${begin}\n\n${lines.join('\n')}\n${end}${after}`);
}
