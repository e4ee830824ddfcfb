// Every TypeScript block of the documents is checked and run, those of a document as one program.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DemoService, startDemoService } from './support/demo-service.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const folder = join(project, '.documents');
const documents = ['README.md', ...globSync('docs/guides/*.md', { cwd: project })];

/** The blocks of a document that open with these words. */
const blocksOf = (document: string, words: string) => {
	const text = readFileSync(join(project, document), 'utf8');
	const blocks = text.matchAll(new RegExp(`^\`\`\`${words}\n(.*?)^\`\`\`$`, 'gms'));
	return [...blocks].map(([, block = '']) => block);
};

const programs = documents.flatMap((document) =>
	['ts', 'ts no-run'].map((words) => ({
		document,
		file: `${basename(document, '.md')}${words.slice(2).replace(' ', '-')}.ts`,
		runs: words === 'ts',
		text: blocksOf(document, words).join('\n'),
	})),
);
const written = programs.filter(({ text }) => text !== '');

const run = (file: string, argv: string[], env: Record<string, string> = {}) =>
	promisify(execFile)(file, argv, {
		cwd: project,
		env: { ...process.env, ...env },
		timeout: 30_000,
	});

let service: DemoService;

beforeAll(async () => {
	service = await startDemoService();
	await mkdir(folder, { recursive: true });
	const files = written.map(({ file }) => file);
	const settings = { extends: '../tsconfig.json', include: [], files };
	await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
	for (const { file, text } of written)
		await writeFile(join(folder, file), `${text}\nexport {};\n`);
});

afterAll(async () => {
	await service.stop();
	await rm(folder, { recursive: true });
});

test('the blocks are correct TypeScript', { timeout: 60_000 }, async () => {
	const tsc = join(project, 'node_modules/typescript/bin/tsc');
	const complaints = await run(process.execPath, [tsc, '--noEmit', '-p', folder]).then(
		() => '',
		({ stdout }) => stdout,
	);
	expect(complaints).toBe('');
});

test.each(written.filter(({ runs }) => runs))(
	'$document runs from top to bottom',
	async ({ file }) => {
		await run(process.execPath, [join(folder, file)], service.env);
	},
);

describe('the command lines of the README work', () => {
	const lines = blocksOf('README.md', 'sh').join('').split('\n');
	const commands = lines.filter((line) => /^npx board-access (?!doctor)/.test(line));

	test.each(commands)('%s', async (line) => {
		const main = join(project, 'dist/cli/main.js');
		const command = line.replace('npx board-access', `"${process.execPath}" "${main}"`);
		await run('sh', ['-c', `cd "${folder}" && ${command}`], service.env);
	});
});

test('every link within the project leads somewhere', () => {
	for (const document of [
		...documents,
		...globSync('{*.md,docs/decisions/*.md}', { cwd: project }),
	]) {
		const text = readFileSync(join(project, document), 'utf8');
		for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)) {
			const found = globSync(join(document, '..', target), { cwd: project });
			expect(found, `${document} links to ${target}`).toHaveLength(1);
		}
	}
});
