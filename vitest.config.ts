import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type UserWorkspaceConfig } from 'vitest/config';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// Tests import the sources, so that a failure points to the line in the source.
const alias = [
	{ find: /^board-access$/, replacement: path('./src/index.ts') },
	{ find: /^board-access-mcp$/, replacement: path('./src/mcp/index.ts') },
	{ find: /^board-access-core$/, replacement: path('./core/src/index.ts') },
	{ find: /^board-access-http\/(.*)/, replacement: path('./service/src/http/$1.ts') },
	{ find: /^board-access-web$/, replacement: path('./web/src/index.ts') },
];

const environment = path('./test/support/environment.ts');
const templates = path('./core/test/support/templates.ts');

// On a loaded machine, an event may be late; a poll ends as soon as it happens.
const poll = { timeout: 30_000, interval: 20 };

// A test of the core that replaces a module.
const coreApart = ['test/database/lookup.test.ts'];

// Tests of the service whose modules no other file may have: they replace some, or need them as they start.
const apart = [
	'test/boards/pages.test.ts',
	'test/leases/{firmware-storage,firmware-thread,list-waits}.test.ts',
	'test/web/{costly-pages,leases}.test.ts',
];

const core = {
	test: { root: './core', globalSetup: [environment, templates] },
} satisfies UserWorkspaceConfig;

const service = {
	oxc: { jsx: { runtime: 'automatic', importSource: 'hono/jsx' } },
	test: {
		root: './service',
		// The setup of the root runs after those of its projects, which is too late for PostgreSQL.
		globalSetup: [
			environment,
			templates,
			path('./service/test/support/demo-templates.ts'),
			path('./service/test/support/build.ts'),
		],
	},
} satisfies UserWorkspaceConfig;

const everyFile = ['test/**/*.test.{ts,tsx}'];

/** Files that a mode need not load: Vitest reads the tags of a test only from a loaded file. */
const skipped: Record<string, (text: string) => boolean> = {
	short: (text) => /@module-tag long/.test(text),
	long: (text) => !/@module-tag|tags:/.test(text),
};

/** The files of a project, without those that are apart. Tests that build images have a mode of their own. */
function chosen(mode: string, root: string, files = everyFile, apart: string[] = []) {
	const images = '**/*.images.test.ts';
	if (mode === 'images') return { include: [images] };
	const isSkipped = skipped[mode] ?? (() => false);
	const include = globSync(files, { cwd: path(root) }).filter(
		(file) => !isSkipped(readFileSync(path(`${root}/${file}`), 'utf8')),
	);
	return { include, exclude: [...configDefaults.exclude, images, ...apart] };
}

export default defineConfig(({ mode }) => ({
	resolve: { alias },
	test: {
		// Many tests wait for timers, processes and sockets instead of the processor; long ones do most of all.
		maxWorkers: mode === 'long' ? 4 : 3,
		reporters: ['default', 'json'],
		outputFile: { json: `coverage/results-${mode}.json` },
		coverage: {
			include: ['src/{client,http/list}.ts', 'src/{activity,boards,errors,keys}/*.ts'],
			thresholds: { lines: 95, branches: 95 },
		},
		tags: [
			{ name: 'long', description: 'in `npm run test:long`, not in `npm test`' },
			{ name: 'generated', description: 'in both, and tries more in `npm run test:long`' },
		],
		expect: { poll },
		setupFiles: path('./test/support/patience.ts'),
		// Vitest sets it to Vite's path `/`, which what a test starts would take for the service's address.
		env: { BASE_URL: '' },
		testTimeout: 60_000,
		hookTimeout: 60_000,
		globalSetup: environment,
		projects: [
			{ test: { name: 'client', ...chosen(mode, '.') } },
			{
				test: {
					name: 'agent',
					root: './agent',
					...chosen(mode, 'agent'),
					testTimeout: 90_000,
				},
			},
			{
				...core,
				test: {
					...core.test,
					name: 'core',
					// The core is loaded once for each worker, not for each file.
					isolate: false,
					...chosen(mode, 'core', everyFile, coreApart),
				},
			},
			{
				...core,
				test: { ...core.test, name: 'core-apart', ...chosen(mode, 'core', coreApart) },
			},
			{
				// Where `instanceof` fails for the errors of the runtime, as under Jest. A few files only: those
				// that run in one thread share Node's http, which nock replaces.
				test: {
					name: 'realms',
					pool: 'vmThreads',
					...chosen(mode, '.', ['test/http/{fetch,retries}.test.ts']),
				},
			},
			{
				...service,
				test: {
					...service.test,
					name: 'service',
					// The service and its core are loaded once for each worker, not for each file.
					isolate: false,
					...chosen(mode, 'service', everyFile, apart),
				},
			},
			{
				...service,
				test: { ...service.test, name: 'service-apart', ...chosen(mode, 'service', apart) },
			},
		],
	},
}));
