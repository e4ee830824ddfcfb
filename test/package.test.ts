// The package as its users get it: packed, installed in an empty folder, and used there.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, type OutputFile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// ky and the parts of zod/mini that are used are 12.6 kB of it.
const budget = 27_800;
const leaseBudget = 9_800;

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

test('the licenses of bundled libraries are included', async () => {
	const words = (text: string) => text.replace(/[>\s]+/g, ' ').trim();
	const licenses = words(
		await readFile(inFolder('node_modules/board-access/THIRD-PARTY-LICENSES.md'), 'utf8'),
	);
	for (const name of ['ky', 'zod', 'commander', 'fast-string-truncated-width']) {
		const [file = ''] = globSync(`node_modules/${name}/{LICENSE,license}`, { cwd: project });
		expect(licenses).toContain(words(await readFile(join(project, file), 'utf8')));
	}
});

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

	const typeCheck = async (settings: object, files = ['consumer.ts', 'consumer.cts']) => {
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
		const tsc = join(project, 'node_modules/typescript/bin/tsc');
		return run(process.execPath, [tsc], { cwd: folder }).then(
			() => '',
			({ stdout }) => stdout,
		);
	};

	test.each([
		['node16', 'node16'],
		['nodenext', 'nodenext'],
		['preserve', 'bundler'],
	])('module %s with resolution %s', { timeout: 30_000 }, async (module, moduleResolution) => {
		const node = { target: 'es2022', lib: ['es2022'], types: ['node'] };
		expect(await typeCheck({ module, moduleResolution, ...node })).toBe('');
	});

	test('without the types of a runtime, the default of the compiler', async () => {
		await writeFile(
			inFolder('plain.ts'),
			`import { BoardAccess } from 'board-access';
			for await (const board of new BoardAccess().boards.list()) console.log(board.id);`,
		);
		expect(await typeCheck({ module: 'nodenext', types: [] }, ['plain.ts'])).toBe('');
	});

	test.each(['index.d.ts', 'index.d.cts'])('%s names no dependency', async (name) => {
		const types = await readFile(inFolder('node_modules/board-access/dist', name), 'utf8');
		expect(types).not.toMatch(/from '|import\(|\b(ky|zod|ZodMini\w*)\b/i);
	});
});

test('a bundle with the whole client and what the first lease loads stay within their budgets', async () => {
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
	const isLease = ({ path }: OutputFile) => basename(path).startsWith('lease-');
	const sizes = (files: OutputFile[]) => files.map(({ contents }) => gzipSync(contents).length);
	const lease = sizes(outputFiles.filter(isLease));
	expect(lease).toEqual([expect.any(Number)]);
	expect(lease[0]).toBeLessThan(leaseBudget);
	const first = sizes(outputFiles.filter((file) => !isLease(file)));
	expect(first.reduce((sum, size) => sum + size)).toBeLessThan(budget);
});
