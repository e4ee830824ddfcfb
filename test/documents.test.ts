// Every TypeScript block of the documents is checked and run, those of a document as one program, and so are the
// examples in the comments of the client.
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BoardAccess } from 'board-access';
import { sampleFirmwarePath } from 'board-access-agent/samples';
import { errorStatuses } from 'board-access-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoService, startDemoService } from './support/demo-service.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const folder = join(project, '.documents');
const repository = /^https:\/\/github\.com\/board-access\/board-access\/(?:blob|tree)\/main\//;
const documents = [
	'README.md',
	'service/README.md',
	...globSync('docs/guides/*.md', { cwd: project }),
];

/** The blocks of a document that open with these words. */
const blocksOf = (document: string, words: string) => {
	const text = readFileSync(join(project, document), 'utf8');
	const blocks = text.matchAll(new RegExp(`^\`\`\`${words}\n(.*?)^\`\`\`$`, 'gms'));
	return [...blocks].map(([, block = '']) => block);
};

const programs = documents.flatMap((document) =>
	['ts', 'ts no-run'].map((words) => ({
		document,
		file: `${document.replace('.md', '').replaceAll(/[\\/]/g, '-')}${words.slice(2).replace(' ', '-')}.ts`,
		runs: words === 'ts',
		cwd: project,
		text: blocksOf(document, words).join('\n'),
	})),
);

/** Blocks for pages: there are the types of the DOM, and none of Node. */
const ofBrowsers = documents
	.map((document) => blocksOf(document, 'ts browser').join('\n'))
	.filter((text) => text !== '');

const browserSettings = {
	extends: '../../tsconfig.json',
	compilerOptions: {
		lib: ['es2024', 'dom', 'dom.iterable'],
		types: [],
		skipLibCheck: false,
		paths: { 'board-access': ['../../dist/index.d.ts'] },
	},
	include: ['*.ts'],
};

/** Blocks for different test runners, each a program of its own. They are not run: the examples are. */
const apart = documents.flatMap((document) =>
	blocksOf(document, 'ts apart').map((text, index) => ({
		document,
		file: `${document.replace('.md', '').replaceAll(/[\\/]/g, '-')}-apart-${index}.ts`,
		runs: false,
		cwd: project,
		text,
	})),
);

/** What the examples take for granted. */
const prelude = `
import { readFile, writeFile } from 'node:fs/promises';
import { type Board, BoardAccess, isApiError, Listing, readApiKey, readBaseUrl, responseOf } from 'board-access';

const client = new BoardAccess();
const [board = {} as Board] = await client.boards.list();
const spare = await client.admin.boards.create({ name: 'Spare', boardType: 'esp32-s3' });
const image = await client.admin.baseImages.create({ action: 'erase', boardType: 'new', name: 'Erase' });
const [old, leaked] = [await client.keys.create(), await client.keys.create()];
const file = 'key.txt';
await writeFile(file, old.key);
const store = (key: string) => writeFile('stored.txt', key);
const config = { address: 'https://boards.example.com' };
const error: unknown = await client.boards.get('brd_unknown').catch((reason) => reason);
await using lease = await client.leases.create({ boardType: 'arduino-uno', waitMs: 60_000 });
await lease.flash(await readFile('firmware.hex'));
`;

/** The examples in the comments of the client, each in its own block. */
const examples = globSync(
	'src/{*,activity/*,base-images/*,boards/*,errors/*,http/*,keys/*,leases/*,settings/*}.ts',
	{
		cwd: project,
	},
).flatMap((source) => {
	const text = readFileSync(join(project, source), 'utf8');
	const blocks = text.matchAll(/^[\t ]*\* ```ts\n(.*?)^[\t ]*\* ```$/gms);
	return Array.from(blocks, ([, block = '']) => `{\n${block.replace(/^[\t ]*\* ?/gm, '')}}`);
});

const written = [
	...programs.filter(({ text }) => text !== ''),
	...apart,
	{
		document: 'the examples in src',
		file: 'examples.ts',
		runs: true,
		cwd: folder,
		text: [prelude, ...examples].join('\n'),
	},
];

const run = (file: string, argv: string[], env: Record<string, string> = {}, cwd = project) =>
	promisify(execFile)(file, argv, { cwd, env: { ...process.env, ...env }, timeout: 30_000 });

let service: DemoService;

beforeAll(async () => {
	service = await startDemoService();
	await mkdir(folder, { recursive: true });
	await cp(sampleFirmwarePath('arduino-uno'), join(folder, 'firmware.hex'));
	const files = written.map(({ file }) => file);
	// With the types of the build, which are fewer than those of the sources.
	const compilerOptions = { paths: {} };
	const settings = { extends: '../tsconfig.json', compilerOptions, include: [], files };
	await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
	for (const { file, text } of written)
		await writeFile(join(folder, file), `${text}\nexport {};\n`);
	await mkdir(join(folder, 'browser'));
	await writeFile(join(folder, 'browser/tsconfig.json'), JSON.stringify(browserSettings));
	for (const [index, text] of ofBrowsers.entries())
		await writeFile(join(folder, `browser/${index}.ts`), `${text}\nexport {};\n`);
});

afterAll(async () => {
	await service.stop();
	await rm(folder, { recursive: true });
});

test.each([
	['the blocks', '.'],
	['the blocks for browsers', 'browser'],
])('%s are correct TypeScript', { timeout: 60_000 }, async (_, programs) => {
	const tsc = join(project, 'node_modules/typescript-7/bin/tsc');
	const complaints = await run(process.execPath, [
		tsc,
		'--noEmit',
		'-p',
		join(folder, programs),
	]).then(
		() => '',
		({ stdout }) => stdout,
	);
	expect(complaints).toBe('');
});

test.each(written.filter(({ runs }) => runs))(
	'$document runs from top to bottom',
	// Each starts processes, some of them a test runner.
	{ timeout: 60_000, tags: 'long' },
	async ({ file, cwd }) => {
		await run(process.execPath, [join(folder, file)], service.env, cwd);
	},
);

test('every method of a namespace has an example', () => {
	const comments = [
		'account',
		'activity',
		'agents',
		'base-images',
		'boards',
		'keys',
		'leases',
	].flatMap((room) => {
		const text = readFileSync(join(project, `src/${room}/types.ts`), 'utf8');
		const names = '(?:Admin)?(?:Account|Activity|Agents|BaseImages|Boards|Keys|Leases)';
		const namespaces = text.matchAll(new RegExp(`^export interface ${names} .*?^}$`, 'gms'));
		return [...namespaces].flatMap(([methods]) => methods.split(/^\t\w+\(.*$/m).slice(0, -1));
	});
	expect(comments).toHaveLength(36);
	expect(comments.filter((comment) => !comment.includes('@example'))).toEqual([]);
});

const shellBlocks = blocksOf('README.md', 'sh').filter((block) => block.includes('board-access '));

test.each(shellBlocks)('the README in a shell: %s', async (block) => {
	const path = `export PATH="${join(project, 'node_modules/.bin')}:$PATH"`;
	const script = `set -eu; cd "${folder}"; ${path}\n${block}`;
	await run('sh', ['-c', script], { ...service.env, CI_JOB_ID: '42' });
	const client = new BoardAccess({
		baseUrl: service.env.SERVICE_BASE_URL,
		apiKey: service.env.SERVICE_API_KEY,
	});
	expect((await client.keys.list()).map(({ label }) => label)).not.toContain('job 42');
});

test('every decision is listed', () => {
	const list = readFileSync(join(project, 'docs/decisions/README.md'), 'utf8');
	for (const page of globSync('[!R]*.md', { cwd: join(project, 'docs/decisions') })) {
		expect(list).toContain(`](${page})`);
	}
});

test('the guide lists every error code of the service with its status', () => {
	const guide = readFileSync(join(project, 'docs/guides/errors-and-retries.md'), 'utf8');
	const listed = [...guide.matchAll(/^\| (\d{3}) \| (`\w+`(?:, `\w+`)*) \|$/gm)].flatMap(
		([, status, codes = '']) =>
			codes.split(', ').map((code) => [code.slice(1, -1), Number(status)]),
	);
	expect(Object.fromEntries(listed)).toEqual(errorStatuses);
});

test('the guide lists every error code of this library', () => {
	const guide = readFileSync(join(project, 'docs/guides/errors-and-retries.md'), 'utf8');
	const source = readFileSync(join(project, 'src/errors/details.ts'), 'utf8');
	const codes = [...source.matchAll(/^\t\| '(\w+)'/gm)].map(([, code]) => code);
	const listed = [...guide.matchAll(/^\| `\w+Error` \| (`\w+`(?:, `\w+`)*) \|$/gm)].flatMap(
		([, row = '']) => row.split(', ').map((code) => code.slice(1, -1)),
	);
	expect(listed.toSorted()).toEqual(codes.toSorted());
});

test('every link within the project leads somewhere', () => {
	for (const document of [
		...documents,
		...globSync('{*,docs/*,docs/decisions/*,examples/*}.md', { cwd: project }),
	]) {
		const text = readFileSync(join(project, document), 'utf8');
		for (const [, target = ''] of text.matchAll(/\]\((?!#|mailto:)([^)#\s]+)/g)) {
			const [, inRepository] = target.split(repository);
			if (inRepository === undefined && /^https?:/.test(target)) continue;
			const found = globSync(inRepository ?? join(document, '..', target), { cwd: project });
			expect(found, `${document} links to ${target}`).toHaveLength(1);
		}
	}
});

test('every path in the table of CONTRIBUTING exists', () => {
	const text = readFileSync(join(project, 'CONTRIBUTING.md'), 'utf8');
	const [table = ''] = text.split('| To change | Look in |').at(-1)?.split('\n\n') ?? [];
	const paths = [...table.matchAll(/`([\w./-]+\/[\w./-]*)`/g)].map(([, path = '']) => path);
	expect(paths.length).toBeGreaterThan(20);
	expect(paths.filter((path) => !existsSync(join(project, path)))).toEqual([]);
});
