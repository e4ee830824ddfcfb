// The package as its users get it: packed, installed in an empty folder, and used there.
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// In bytes, gzipped. ky is 8.9 kB of the first request, and zod/mini 3.7 kB of the import.
const budgets = { import: 21_800, send: 10_750, later: 19_500, format: 850 };

const project = fileURLToPath(new URL('..', import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const run = promisify(execFile);

let folder: string;

const inFolder = (...path: string[]) => join(folder, ...path);

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'package-'));
	const shell = process.platform === 'win32';
	const { stdout } = await run(
		npm,
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{
			cwd: project,
			shell,
		},
	);
	const [{ filename }] = JSON.parse(stdout);
	await writeFile(inFolder('package.json'), '{ "private": true, "type": "module" }');
	await run(npm, ['install', '--offline', '--ignore-scripts', `./${filename}`], {
		cwd: folder,
		shell,
	});
}, 60_000);

afterAll(() => rm(folder, { recursive: true }));

/** Runs a script in the folder, and returns what it prints. */
const runScript = async (name: string, text: string) => {
	await writeFile(inFolder(name), text);
	const { stdout } = await run(process.execPath, [name], {
		cwd: folder,
		env: { ...process.env, SERVICE_API_KEY: '', SERVICE_BASE_URL: '' },
	});
	return stdout;
};

const offline = (BoardAccess: string) => `
	const client = new ${BoardAccess}({
		baseUrl: 'https://boards.example.com',
		apiKey: 'key_' + 'a'.repeat(48),
		fetch: async () => Response.json({ data: [{ id: 'brd_1' }], next_cursor: null }),
	});
	client.boards.list().then(([board]) => console.log(board.id));
`;

test('installing it adds one package', async () => {
	const installed = await readdir(inFolder('node_modules'));
	expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['board-access']);
});

test('an ES module imports it', async () => {
	const script = `import { BoardAccess } from 'board-access';${offline('BoardAccess')}`;
	expect(await runScript('module.js', script)).toBe('brd_1\n');
});

test('a CommonJS module requires it', async () => {
	const script = `const { BoardAccess } = require('board-access');${offline('BoardAccess')}`;
	expect(await runScript('commonjs.cjs', script)).toBe('brd_1\n');
});

test.each([
	['fixtures.js', "import { boardTest } from 'board-access/node-test';"],
	['fixtures.cjs', "const { boardTest } = require('board-access/node-test');"],
])('%s finds the fixtures of node:test', async (name, load) => {
	expect(await runScript(name, `${load} console.log(typeof boardTest);`)).toBe('function\n');
});

test("the ES module and the CommonJS module recognize each other's errors", async () => {
	const script = `
		import { createRequire } from 'node:module';
		import { isBoardAccessError } from 'board-access';
		const { BoardAccess } = createRequire(import.meta.url)('board-access');
		try { new BoardAccess(); } catch (error) { console.log(isBoardAccessError(error), error.code); }
	`;
	expect(await runScript('both.js', script)).toBe('true api_key_missing\n');
});

test('both builds export what their declarations declare', async () => {
	const script = (load: string) => `${load} console.log(JSON.stringify(Object.keys(all).sort()));`;
	const built = [
		['index.d.ts', await runScript('exports.js', script("import * as all from 'board-access';"))],
		['index.d.cts', await runScript('exports.cjs', script("const all = require('board-access');"))],
	];
	for (const [name = '', printed = ''] of built) {
		const types = await readFile(inFolder('node_modules/board-access/dist', name), 'utf8');
		const [, values = ''] = /^export \{([^}]*)\};/m.exec(types) ?? [];
		const declared = values.split(',').map((each) => each.trim());
		expect(JSON.parse(printed)).toEqual(declared.toSorted());
		expect(declared).toContain('Listing');
	}
});

test('the command is installed', async () => {
	const { bin } = JSON.parse(
		await readFile(inFolder('node_modules/board-access/package.json'), 'utf8'),
	);
	const main = inFolder('node_modules/board-access', bin['board-access']);
	const { stdout } = await run(process.execPath, [main, '--version'], { cwd: folder });
	expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('links of the documents lead to files of the package, or to the web', async () => {
	const installed = inFolder('node_modules/board-access');
	const documents = globSync('{README.md,docs/**/*.md}', { cwd: installed });
	expect(documents.length).toBeGreaterThan(10);
	for (const document of documents) {
		const text = await readFile(join(installed, document), 'utf8');
		for (const [, target = ''] of text.matchAll(
			/(?<!!\[[^\]]*)\]\((?!https?:|#|mailto:)([^)#]+)/g,
		)) {
			const path = join(installed, document, '..', target);
			expect(existsSync(path), `${document} links to ${target}`).toBe(true);
		}
	}
});

test('the licenses of bundled libraries are included', async () => {
	const words = (text: string) => text.replace(/[>\s]+/g, ' ').trim();
	const licenses = words(
		await readFile(inFolder('node_modules/board-access/THIRD-PARTY-LICENSES.md'), 'utf8'),
	);
	for (const name of [
		'ky',
		'zod',
		'commander',
		'fast-string-truncated-width',
		'yaml',
		'@modelcontextprotocol/server',
	]) {
		const [file = ''] = globSync(`node_modules/${name}/{LICENSE,license}`, { cwd: project });
		expect(licenses).toContain(words(await readFile(join(project, file), 'utf8')));
	}
});

/** The oldest compiler is installed apart, with `npm run runtimes`. */
const compilers = ['node_modules/typescript-7', 'lab/node_modules/typescript-5.2'].filter(
	(compiler) => existsSync(join(project, compiler)),
);

describe('TypeScript', () => {
	const consumer = `
		import { type ApiKey, BoardAccess, isApiError, type Listing } from 'board-access';
		const client = new BoardAccess({ apiKey: async () => 'key', timeout: 1_000 });
		const listing: Listing<ApiKey> = client.keys.list({ includeRevoked: true });
		export const use = async () => {
			for await (const { id, label } of listing) console.log(id satisfies string, label?.length);
			await client.admin.baseImages.create({ action: 'flash', boardType: 'esp32-s3' });
			// @ts-expect-error -- there are two actions
			await client.admin.baseImages.create({ action: 'format' });
			await using lease = await client.leases.create({ boardType: 'esp32-s3' });
			console.log(lease.boardId.length);
		};
		export const isPaymentNeeded = (error: unknown) =>
			isApiError(error, 'paid_tier_required') && error.code === 'paid_tier_required';
	`;

	beforeAll(async () => {
		await mkdir(inFolder('node_modules/@types'));
		await symlink(
			join(project, 'node_modules/@types/node'),
			inFolder('node_modules/@types/node'),
			'junction',
		);
		await symlink(
			join(project, 'node_modules/undici-types'),
			inFolder('node_modules/undici-types'),
			'junction',
		);
		await writeFile(inFolder('consumer.ts'), consumer);
		await writeFile(inFolder('consumer.cts'), consumer);
	});

	const typeCheck = async (
		compiler: string,
		settings: object,
		files = ['consumer.ts', 'consumer.cts'],
	) => {
		const options = {
			compilerOptions: {
				strict: true,
				exactOptionalPropertyTypes: true,
				skipLibCheck: false,
				preserveSymlinks: true,
				noEmit: true,
				...settings,
			},
			files,
		};
		await writeFile(inFolder('tsconfig.json'), JSON.stringify(options));
		const tsc = join(project, compiler, 'bin/tsc');
		return run(process.execPath, [tsc], { cwd: folder }).then(
			() => '',
			({ stdout }) => stdout,
		);
	};

	const settings = compilers.flatMap((compiler) => [
		[compiler, 'nodenext', 'nodenext'],
		[compiler, compiler.endsWith('5.2') ? 'es2022' : 'preserve', 'bundler'],
	]);

	test.each(settings)(
		'%s: module %s with resolution %s',
		{ timeout: 90_000 },
		async (compiler = '', module, moduleResolution) => {
			const node = { target: 'es2022', lib: ['es2022'], types: ['node'] };
			expect(await typeCheck(compiler, { module, moduleResolution, ...node })).toBe('');
		},
	);

	const noTypes = '%s: without the types of a runtime, the default of the compiler';

	test.each(compilers)(noTypes, { timeout: 90_000 }, async (compiler) => {
		await writeFile(
			inFolder('plain.ts'),
			`import { BoardAccess } from 'board-access';
			for await (const board of new BoardAccess().boards.list()) console.log(board.id);`,
		);
		expect(await typeCheck(compiler, { module: 'nodenext', types: [] }, ['plain.ts'])).toBe('');
	});

	test.each(['index.d.ts', 'index.d.cts'])('%s names no dependency', async (name) => {
		const types = await readFile(inFolder('node_modules/board-access/dist', name), 'utf8');
		expect(types).not.toMatch(/from '|import\(['"]|\b(ky|zod|ZodMini\w*)\b/i);
	});
});

test('what the import, the first request, lease or watch, and flash load stays within its budget', async () => {
	const { outputFiles } = await build({
		stdin: { contents: "export * from 'board-access';", resolveDir: folder },
		bundle: true,
		splitting: true,
		outdir: folder,
		minify: true,
		format: 'esm',
		platform: 'browser',
		write: false,
	});
	const sizes = { import: 0, send: 0, later: 0, format: 0 };
	type Part = keyof typeof sizes;
	for (const { path, contents } of outputFiles) {
		const [name = ''] = basename(path).split('-');
		// The bundle itself, and the chunks that it imports.
		const part = Object.hasOwn(sizes, name) ? (name as Part) : 'import'; // it is one of them
		sizes[part] += gzipSync(contents).length;
	}
	for (const part of Object.keys(sizes) as Part[]) {
		expect(sizes[part], part).toBeGreaterThan(0);
		expect(sizes[part], part).toBeLessThan(budgets[part]);
	}
});

test.each(['ApiError', 'isApiError', 'LeaseEndedError'])(
	'a bundle that uses only %s has little else of the client',
	async (name) => {
		const { outputFiles } = await build({
			stdin: {
				contents: `import { ${name} } from 'board-access'; console.log(${name});`,
				resolveDir: folder,
			},
			bundle: true,
			minify: true,
			format: 'esm',
			platform: 'browser',
			write: false,
		});
		expect(outputFiles[0]?.contents.length).toBeLessThan(3_000);
	},
);
