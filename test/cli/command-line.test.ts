import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { exitCodeMeanings } from '../../src/cli/failures/exit-codes.ts';
import { createProgram } from '../../src/cli/program.ts';
import { runCli } from '../support/cli.ts';
import { runs } from '../support/runs.ts';

type Program = ReturnType<typeof createProgram>;

const world = () => {
	const output = { write: () => {} };
	// No command is carried out: only the tree of commands is looked at.
	return createProgram({ argv: [], env: {}, stdin: process.stdin, stdout: output, stderr: output });
};

const leavesOf = (command: Program, path: string[] = []): { path: string[]; leaf: Program }[] =>
	command.commands.length === 0
		? [{ path, leaf: command }]
		: command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));

const isHidden = ({ path }: { path: string[] }) => path.includes('words');
const leaves = leavesOf(world()).filter((found) => !isHidden(found));
const guide = await readFile(new URL('../../docs/guides/command-line.md', import.meta.url), 'utf8');

describe('every command', () => {
	it.each(leaves)('$path has help with examples, and --json', async ({ path }) => {
		const { exitCode, stdout, stderr } = await runCli([...path, '--help']);
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
		expect(stdout).toContain('Examples:\n  $ ');
		expect(stdout).toContain('--json');
		expect(stdout).toContain('--no-color');
	});

	it.each(leaves)('$path is in the guide with all its options', ({ path, leaf }) => {
		const section = guide.split(/^##+ /m).find((text) => text.startsWith(`\`${path.join(' ')}`));
		expect(section, `a section for ${path.join(' ')}`).toBeDefined();
		const shared = [
			'--debug',
			'--no-color',
			'--base-url',
			'--api-key-file',
			'--allow-insecure-http',
			'--service',
			'--timeout',
		];
		for (const { long } of leaf.options) {
			if (long && !shared.includes(long) && long !== '--json') {
				expect(section).toContain(`\`${long}`);
			}
		}
	});
});

describe('the command itself', () => {
	it('prints only its version', async () => {
		expect(await runCli(['--version'])).toEqual({
			exitCode: 0,
			stdout: `${version}\n`,
			stderr: '',
		});
	});

	it('accepts the shared options before the command', async () => {
		const before = await runCli(['--json', 'keys', '--no-color', 'id'], { stdin: 'x' });
		expect(JSON.parse(before.stderr).error.code).toBe('api_key_malformed');
		const early = await runCli(['--base-url', 'http://one.test', 'boards', 'list'], {
			env: { SERVICE_API_KEY: `key_${'0'.repeat(48)}` },
		});
		expect(early.stderr).toContain('from --base-url is plain http');
		const urls = ['--base-url', 'http://one.test', 'boards', 'list', '--base-url', ''];
		expect((await runCli(urls)).stderr).toContain('--base-url is empty');
	});

	it('shows the help of a command of any depth', async () => {
		const help = async (...words: string[]) => runCli(['help', ...words]);
		expect((await help('keys', 'create')).stdout).toContain('Usage: board-access keys create');
		expect((await help()).stdout).toContain('Usage: board-access [options]');
		expect(await help('keys', 'crate')).toMatchObject({
			exitCode: 2,
			stderr: expect.stringContaining('Available commands: create, list'),
		});
	});

	it.each([
		['0', 'duration'],
		['2d', 'duration'],
		['2m', 'base-url'],
		['1.5s', 'base-url'],
		['10', 'base-url'],
	])('reads --timeout %s as a duration', async (timeout, complaint) => {
		const argv = ['boards', 'list', '--timeout', timeout, '--base-url', 'nonsense'];
		const { exitCode, stderr } = await runCli(argv, { env: { SERVICE_API_KEY: 'x' } });
		expect({ exitCode, stderr }).toMatchObject({
			exitCode: 2,
			stderr: expect.stringContaining(complaint),
		});
	});

	it('shows help on standard error when a command is missing', async () => {
		for (const argv of [[], ['keys'], ['admin', 'base-images']]) {
			const { exitCode, stdout, stderr } = await runCli(argv);
			expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
			expect(stderr).toContain('Usage: board-access');
		}
	});

	it('has the exit codes of the guide', async () => {
		const rows = [...guide.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, text]) => [
			code,
			text,
		]);
		expect(rows).toEqual(Object.entries(exitCodeMeanings));
		for (const code of Object.keys(exitCodeMeanings)) {
			expect((await runCli(['--help'])).stdout).toMatch(new RegExp(`^  ${code} `, 'm'));
		}
	});

	it('ends every command line without a stack trace and with a documented exit code', {
		timeout: 60_000,
		tags: 'generated',
	}, async () => {
		const words = leaves.flatMap(({ path, leaf }) => [
			...path,
			...leaf.options.map(({ long }) => long ?? ''),
		]);
		const word = fc.oneof(
			{ weight: 5, arbitrary: fc.constantFrom(...words) },
			{ weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
			{ weight: 1, arbitrary: fc.constantFrom('--', '-', '=', '__proto__', '--x=', '/v1/boards') },
		);
		// No files are created: that option has its own tests.
		const line = fc.array(word, { maxLength: 6 }).filter((argv) => !argv.join().includes('--env'));
		const env = { SERVICE_API_KEY: `key_${'0'.repeat(48)}`, SERVICE_BASE_URL: 'http://localhost' };
		const fetch = async () => new Response('teapot', { status: 418 });
		await fc.assert(
			fc.asyncProperty(line, async (argv) => {
				const { exitCode, stderr } = await runCli(argv, { env, fetch });
				expect(Object.keys(exitCodeMeanings)).toContain(String(exitCode));
				if (!argv.includes('--debug')) expect(stderr).not.toMatch(/^\s+at .*\d+:\d+/m);
				expect(stderr).not.toContain('unexpected');
			}),
			{ numRuns: runs(100) },
		);
	});
});
