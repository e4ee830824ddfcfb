import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type UserWorkspaceConfig } from 'vitest/config';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// Tests import the sources, so that a failure points to the line in the source.
const alias = [
	{ find: /^board-access$/, replacement: path('./src/index.ts') },
	{ find: /^board-access-core$/, replacement: path('./core/src/index.ts') },
	{ find: /^board-access-http\/(.*)/, replacement: path('./service/src/http/$1.ts') },
	{ find: /^board-access-web$/, replacement: path('./web/src/index.ts') },
];

// Vitest sets it to Vite's path `/`, which what a test starts would take for the service's address.
const env = { BASE_URL: '' };

const environment = path('./test/support/environment.ts');
const templates = path('./core/test/support/templates.ts');

// On a loaded machine, an event may be late; a poll ends as soon as it happens.
const poll = { timeout: 30_000, interval: 20 };
const setupFiles = [path('./test/support/patience.ts')];

// A test of the core that replaces a module.
const coreApart = ['test/database/lookup.test.ts'];

// Tests of the service whose modules no other file may have: they replace some, or need them as they start.
const apart = [
	'test/boards/pages.test.ts',
	'test/leases/{firmware-storage,firmware-thread,list-waits}.test.ts',
	'test/web/{costly-pages,leases}.test.ts',
];

const core = {
	test: {
		setupFiles,
		env,
		root: './core',
		globalSetup: [environment, templates],
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
} satisfies UserWorkspaceConfig;

const service = {
	resolve: { alias },
	oxc: { jsx: { runtime: 'automatic', importSource: 'hono/jsx' } },
	test: {
		setupFiles,
		env,
		root: './service',
		// The setup of the root runs after those of its projects, which is too late for PostgreSQL.
		globalSetup: [
			environment,
			templates,
			path('./service/test/support/demo-templates.ts'),
			path('./service/test/support/build.ts'),
		],
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
} satisfies UserWorkspaceConfig;

const everyFile = ['test/**/*.test.{ts,tsx}'];
const tags = [
	{ name: 'long', description: 'What `npm run test:long` runs, and `npm test` does not' },
	{ name: 'generated', description: 'What both run, with more histories in `npm run test:long`' },
];
const isLong = /@module-tag long|tags: '(long|generated)'/;
const isWhollyLong = /@module-tag long/;

/**
 * The files of a project, without those that are apart. Vitest sees the tag of a test once it has loaded the file, so
 * two modes take only the files that have something to run. The tests that build images have a mode too.
 */
function chosen(mode: string, root: string, files = everyFile, apart: string[] = []) {
	const images = '**/*.images.test.ts';
	if (mode === 'images') return { tags, include: [images] };
	const exclude = [...configDefaults.exclude, images, ...apart];
	if (mode === 'test') return { tags, include: files, exclude };
	const include = globSync(files, { cwd: path(root) }).filter((file) => {
		const text = readFileSync(path(`${root}/${file}`), 'utf8');
		return mode === 'long' ? isLong.test(text) : !isWhollyLong.test(text);
	});
	return { tags, include, exclude };
}

export default defineConfig(({ mode }) => ({
	test: {
		// Many tests wait for timers, processes and sockets instead of the processor.
		maxWorkers: 3,
		reporters: ['default', 'json'],
		outputFile: { json: `coverage/results-${mode}.json` },
		coverage: {
			include: ['src/{client,http/list}.ts', 'src/{activity,boards,errors,keys}/*.ts'],
			thresholds: { lines: 95, branches: 95 },
		},
		expect: { poll },
		globalSetup: environment,
		projects: [
			{
				resolve: { alias },
				test: {
					name: 'client',
					setupFiles,
					...chosen(mode, '.'),
					env,
					testTimeout: 60_000,
					hookTimeout: 60_000,
				},
			},
			{
				test: {
					name: 'agent',
					setupFiles,
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
				resolve: { alias },
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
