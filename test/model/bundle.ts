// The three parts as scripts that can be evaluated once for each simulated process.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

export type Part = 'client' | 'service' | 'agent';

/** The text of each script. */
export type Bundles = Readonly<Record<Part, string>>;

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
	client: `export { BoardAccess } from './src/index.ts';`,
	agent: `export { startAgentWith } from './agent/src/agent.ts';`,
	service: `
		export { assemble } from './service/src/service.ts';
		export { openDatabase } from './service/src/database/database.ts';
		export { migrate } from './service/src/database/migrations.ts';
		export { createWake } from './service/src/database/wake.ts';
		export { createAccount } from './service/src/accounts/store.ts';
		export { createAgent } from './service/src/agents/store.ts';
		export { createBaseImage } from './service/src/base-images/store.ts';
		export { importBoards } from './service/src/boards/import.ts';
		export { addCredits } from './service/src/credits/store.ts';
		export { createKey } from './service/src/keys/store.ts';
		export { keepDownload } from './service/src/leases/files/store.ts';
		export { createClock } from './service/src/database/clock.ts';
	`,
};

/** What no history reaches, and is slow to load: pages, emulators, serial ports, mail. */
const leftOut: Readonly<Record<string, string>> = {
	'service/src/web/routes.ts': 'export const webPages = () => {};',
	'service/src/web/assets.ts': 'export const assetRoutes = () => {};',
	'service/src/web/error-page.tsx':
		'export const errorPage = () => {}; export const wantsPage = () => false;',
	'service/src/accounts/accounts.ts': 'export const createAccounts = () => ({});',
	'service/src/accounts/mail/mail.ts': 'export const createMail = () => undefined;',
	'service/src/accounts/mail/alerts.ts': 'export const createAlerts = () => ({});',
	'service/src/log.ts': 'export const createLog = () => globalThis.modelLog;',
	'service/src/metrics.ts': 'export const createMetrics = () => ({ observe() {} });',
	'service/src/openapi/route.ts': 'export const openapiRoute = () => {};',
	'service/src/demo/agent.ts': 'export const startDemoAgent = () => {};',
	'service/src/demo/seed.ts': 'export const seedDemo = () => {};',
	'agent/src/hardware-of.ts': 'export const hardwareOf = () => {};',
};

/** What replicas do every second is left out where it would find nothing: `modelIdle` knows. */
const shortcuts: readonly Change[] = [
	{
		file: 'service/src/leases/scheduler.ts',
		from: '	if (hasListened) await loseSilentAgents(',
		to: "	if (globalThis.modelIdle?.('leases', time)) return;\n	if (hasListened) await loseSilentAgents(",
	},
	{
		file: 'service/src/leases/preparation/image-downloads.ts',
		from: '	const begin = async () => {',
		to: "	const begin = async () => {\n		if (running.size === 0 && globalThis.modelIdle?.('images', 0)) return;",
	},
];

/** Builds the scripts from the sources below a folder, with some texts replaced. */
export async function bundle(
	changes: readonly Change[] = [],
	folder: string = root,
): Promise<Bundles> {
	const plugins = [replaceFiles(folder, changes)];
	const built = await Promise.all(
		(['client', 'service', 'agent'] as const).map(async (part) => {
			const { outputFiles } = await build({
				stdin: { contents: contentsOf(part, folder), resolveDir: folder, loader: 'ts' },
				bundle: true,
				write: false,
				format: 'cjs',
				platform: 'node',
				target: 'node24',
				jsx: 'automatic',
				jsxImportSource: 'hono/jsx',
				external: ['@node-rs/argon2', 'pg', 'nodemailer', 'serialport', 'yaml'],
				alias: {
					'board-access-agent/formats': join(folder, 'agent/src/formats.ts'),
				},
				define: { 'import.meta.url': JSON.stringify(`file://${folder}/service/src/index.ts`) },
				logLevel: 'error',
				plugins,
			});
			return [part, outputFiles[0]?.text ?? ''] as const;
		}),
	);
	// Each part has its text.
	return Object.fromEntries(built) as Record<Part, string>;
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
			onLoad({ filter: /\/(src|service|agent)\/.*\.tsx?$/ }, async ({ path }) => {
				const name = path.slice(folder.length).replace(/^\//, '');
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
