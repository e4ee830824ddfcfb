// Operators use the page of incidents in a hurry: every message that it quotes and every command in it exists.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { operations } from 'board-access-contract/operations';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { guideBlocks } from '../support/guide.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const guide = 'docs/guides/incidents.md';
const prose = readFileSync(join(project, guide), 'utf8').replace(/^```.*?^```$/gms, '');

// A part of a message that differs from case to case is … in the guide.
const sources = globSync('{core,service,agent,web}/src/**/*.{ts,tsx}', { cwd: project })
	.map((file) => readFileSync(join(project, file), 'utf8'))
	.join('\n')
	.replaceAll(/\$\{[^}]*\}/g, '…');

const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replace(/\s+/g, ' '));
const program = /^(sudo|psql|board-access\S*|select|grant|journalctl|docker|kubectl|timedatectl) /;
const others = [
	'certificate has expired',
	'database or disk is full',
	'Operation not permitted',
	'Permission denied',
	'System clock synchronized: yes',
];
const quoted = [...new Set(spans)].filter(
	(span) => span.includes(' ') && !program.test(span) && !others.includes(span),
);

test('the guide quotes messages', () => {
	expect(quoted.length).toBeGreaterThan(25);
});

test.each(quoted)('a source has the message: %s', (message) => {
	const parts = message.split('…').map((part) => part.trim());
	expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
});

const lines = [
	...(await guideBlocks('sh', guide)).flatMap((block) => block.trim().split('\n')),
	...spans.filter((span) => program.test(span)),
];
const commands = lines
	.map((line) => line.replace(/^sudo /, '').split(/ [|<] /)[0] ?? '')
	.filter((line) => /^board-access(-service)? /.test(line) && !line.includes('…'));

test('the guide has commands of the project', () => {
	expect(commands.length).toBeGreaterThan(15);
});

test.each(commands)('the command exists, with its options: %s', async (line) => {
	const [name, ...words] = line.match(/"[^"]*"|\S+/g) ?? [];
	const end = words.findIndex((word) => !/^[a-z]+(-[a-z]+)*$/.test(word));
	const path = words.slice(0, end === -1 ? words.length : end);
	const help = name === 'board-access' ? await helpHere(path) : await helpOfService(words, path);
	expect(help).toContain(`Usage: ${[name, ...path].join(' ')} `);
	for (const option of words.filter((word) => word.startsWith('--'))) {
		expect(help).toContain(option);
	}
});

async function helpHere(path: readonly string[]) {
	return (await runCli([...path, '--help'])).stdout;
}

async function helpOfService(words: readonly string[], path: readonly string[]) {
	const main = join(project, 'service/dist/main.js');
	const run = promisify(execFile);
	const { stdout } = await run(process.execPath, [main, ...path, '--help']);
	return words.includes('--version') ? `Usage: board-access-service  --version ${stdout}` : stdout;
}

const requests = lines.flatMap(
	(line) => /api ([A-Z]+) "?([^\s"?]+)/.exec(line)?.slice(1).join(' ') ?? [],
);
const routes = Object.values(operations).map(({ route }) => route.replace('{id}', 'LEASE_ID'));

test.each(requests)('the request exists: %s', (request) => {
	expect(routes).toContain(request);
});
