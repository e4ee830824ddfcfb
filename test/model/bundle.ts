// The three parts as scripts that can be evaluated once for each simulated process.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as esbuild, type Plugin } from 'esbuild';

export type Part = 'client' | 'service' | 'agent';

/** The text of each script, and of what they share. */
export type Bundles = Readonly<Record<Part | 'shared', string>>;

/** Replaces a text that the file contains once. */
export interface Change {
	/** Relative to the root of the project. */
	file: string;
	from: string;
	to: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What each part exports, beyond what the model needs of it to run: how its database is filled. */
const entries: Readonly<Record<Part, string>> = {
	client: `
		export { BoardAccess } from './src/index.ts';
		export { runFirmwareTest } from './src/ci/firmware-test.ts';
	`,
	agent: `export { startAgentWith } from './agent/src/agent.ts';`,
	service: `
		export { assemble } from './service/src/service.ts';
		export { openDatabase } from './core/src/database/database.ts';
		export { migrate } from './core/src/database/migrations.ts';
		export { createWake } from './core/src/database/wake.ts';
		export { createAccount } from './core/src/accounts/store.ts';
		export { issueAgent } from './core/src/agents/store.ts';
		export { storeImage } from './core/src/base-images/store.ts';
		export { importBoards } from './core/src/boards/import.ts';
		export { addCredits } from './core/src/credits/store.ts';
		export { issueKey } from './core/src/keys/store.ts';
		export { keepDownload } from './core/src/leases/files/store.ts';
		export { createClock } from './core/src/database/clock.ts';
	`,
};

/** What no history reaches, and is slow to load: pages, emulators, serial ports, mail. Threads know no virtual time. */
const leftOut: Readonly<Record<string, string>> = {
	'web/src/index.ts':
		'export const [webPages, assetRoutes, errorPage, wantsPage] = Array(4).fill(() => {});',
	'core/src/accounts/mail/mail.ts': 'export const createMail = () => undefined;',
	'core/src/log.ts': 'export const createLog = () => globalThis.modelLog;',
	'service/src/server/metrics.ts':
		'export const createMetrics = () => ({ observe() {}, reject() {} });',
	'service/src/openapi/document.ts':
		'export const [openapiRoute, openapiDocument] = Array(2).fill(() => {});',
	'service/src/openapi/operations.ts': 'export const operations = [];',
	'service/src/demo/agent.ts': 'export const startDemoAgent = () => {};',
	'service/src/demo/seed.ts': 'export const seedDemo = () => {};',
	'core/src/leases/files/thread.ts':
		"import { contentOf } from './content.ts'; export const readInThread = async (file) => contentOf(file); export const invalidFirmware = (message) => new Error(message);",
	'agent/src/hardware-of.ts': 'export const hardwareOf = () => {};',
};

/** What replicas do every second is left out where it would find nothing: `modelIdle` knows. */
const shortcuts: readonly Change[] = [
	{
		file: 'core/src/leases/scheduler.ts',
		from: '	if (hasListened) await loseSilentAgents(',
		to: "	if (globalThis.modelIdle?.('leases', time)) return;\n	if (hasListened) await loseSilentAgents(",
	},
	{
		file: 'core/src/leases/preparation/image-downloads.ts',
		from: '	const begin = async () => {',
		to: "	const begin = async () => {\n		if (running.size === 0 && globalThis.modelIdle?.('images', 0)) return;",
	},
	// Takes a tenth of the time of a query.
	{
		file: 'node_modules/kysely/dist/esm/util/object-utils.js',
		from: 'return Object.freeze(obj);',
		to: 'return obj;',
	},
	{
		file: 'node_modules/kysely/dist/esm/migration/migrator.js',
		from: 'new Date()',
		to: 'new Date(0)',
	},
];

/** What holds no time, randomness or state is evaluated once for all: it throws if it uses them. */
const shared = /\/(node_modules\/(kysely|zod|hono)|src\/contract)\//;

/** Builds the scripts from the sources below a folder, with some texts replaced. */
export async function bundle(
	changes: readonly Change[] = [],
	folder: string = root,
): Promise<Bundles> {
	const used = new Set<string>();
	const plugins = [shareModules(used), replaceFiles(folder, changes)];
	const build = async (contents: string, own = plugins) => {
		const { outputFiles } = await esbuild({
			stdin: { contents, resolveDir: folder, loader: 'ts' },
			bundle: true,
			write: false,
			format: 'cjs',
			platform: 'node',
			target: 'node24',
			// Scripts require what they load later.
			supported: { 'dynamic-import': false },
			jsx: 'automatic',
			jsxImportSource: 'hono/jsx',
			external: ['@node-rs/argon2', 'pg', 'nodemailer', 'serialport', 'yaml'],
			alias: {
				'board-access': join(folder, 'src/index.ts'),
				'board-access-agent/formats': join(folder, 'agent/src/formats.ts'),
				'board-access-core': join(folder, 'core/src/index.ts'),
				'board-access-http': join(folder, 'service/src/http'),
				'board-access-web': join(folder, 'web/src/index.ts'),
			},
			define: { 'import.meta.url': JSON.stringify(`file://${folder}/service/src/index.ts`) },
			logLevel: 'error',
			plugins: own,
		});
		// What is shared has no default export that would have to be added to it.
		return (outputFiles[0]?.text ?? '').replace(/__toESM\((require\("\/[^"]+"\))(?:, 1)?\)/g, '$1');
	};
	const [client, service, agent] = await Promise.all([
		build(contentsOf('client', folder)),
		build(contentsOf('service', folder)),
		build(contentsOf('agent', folder)),
	]);
	const lines = [...used].map((path, index) => `export * as m${index} from '${path}';`);
	const names = [...used].map((path, index) => `'${path}': module.exports.m${index},`);
	const text = await build(lines.join('\n'), plugins.slice(1));
	return { client, service, agent, shared: `${text}\nmodule.exports = {${names.join('\n')}};` };
}

/** Leaves what is shared to the script of its own, and notes it. */
function shareModules(used: Set<string>): Plugin {
	return {
		name: 'shared',
		setup({ onResolve, resolve }) {
			onResolve({ filter: /^(kysely|zod|hono|board-access-contract|\.)/ }, async (given) => {
				const { path, importer, kind, resolveDir, pluginData } = given;
				if (pluginData === shared || shared.test(importer)) return undefined;
				const found = await resolve(path, { importer, kind, resolveDir, pluginData: shared });
				if (found.errors.length > 0 || !shared.test(found.path)) return found;
				used.add(found.path);
				return { path: found.path, external: true };
			});
		},
	};
}

/** Another checkout may lack what has come later. */
function contentsOf(part: Part, folder: string) {
	const lines = entries[part].split('\n');
	const exists = (line: string) => existsSync(join(folder, /'(.*)'/.exec(line)?.[1] ?? ''));
	return lines.filter(exists).join('\n');
}

/** What a script requires by its name, found as the package of its sources finds it. */
export const requireOf = (part: Part): NodeJS.Require =>
	createRequire(join(root, part === 'client' ? 'src' : part, 'package.json'));

function replaceFiles(folder: string, changes: readonly Change[]): Plugin {
	return {
		name: 'model',
		setup({ onLoad, onResolve, resolve }) {
			// Another checkout shares what is installed here, but not the contract.
			onResolve({ filter: /^board-access-contract/ }, async ({ path, kind }) => {
				const { exports } = createRequire(join(folder, 'package.json'))(
					'./src/contract/package.json',
				);
				const file = exports[path.replace('board-access-contract', '.')];
				return await resolve(join(folder, 'src/contract', file), { kind, resolveDir: folder });
			});
			onLoad({ filter: /\/(src|service|agent)\/.*\.tsx?$|\/kysely\/.*\.js$/ }, async ({ path }) => {
				const installed = path.indexOf('/node_modules/');
				const name = path.slice(installed < 0 ? folder.length : installed).replace(/^\//, '');
				const loader = path.endsWith('x') ? 'tsx' : 'ts';
				const replaced = leftOut[name];
				if (replaced !== undefined)
					return { contents: replaced, loader, resolveDir: dirname(path) };
				const own = changes.filter(({ file }) => file === name);
				const text = own.reduce(applyChange, await readFile(path, 'utf8'));
				const shorter = shortcuts.filter(({ file, from }) => file === name && text.includes(from));
				if (own.length + shorter.length === 0) return undefined;
				const contents = shorter.reduce(applyChange, text);
				return { contents, loader, resolveDir: dirname(path) };
			});
		},
	};
}

function applyChange(text: string, { file, from, to }: Change): string {
	if (text.split(from).length !== 2) throw new Error(`${file} has not exactly one: ${from}`);
	return text.replace(from, () => to);
}
