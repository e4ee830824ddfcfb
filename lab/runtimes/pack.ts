// The package as it would be published, installed into a folder with the checks.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const run = promisify(execFile);
export function here(relative: string) {
	return fileURLToPath(new URL(relative, import.meta.url));
}

// For runtimes that have modules and a command line.
const script = `
import * as library from 'board-access';
import { runChecks } from './checks.mjs';
const { createRequire } = await import('node:module');
const commonJs = createRequire(import.meta.url)('board-access');
const { argv, exit, stdout } = await import('node:process');
const results = await runChecks({ library, commonJs, origin: argv.at(-1) });
stdout.write(JSON.stringify(results), () => exit());
`;

const worker = `
import * as library from 'board-access';
import { runChecks } from './checks.mjs';
export default {
	async fetch(request) {
		const origin = new URL(request.url).searchParams.get('origin');
		return Response.json(await runChecks({ library, origin }));
	},
};
`;

const page = `
import * as library from 'board-access';
import { runChecks } from './checks.mjs';
globalThis.results = runChecks({ library, origin: location.origin, browser: true });
`;

async function bundled(entryPoint: string) {
	const { outputFiles } = await build({
		entryPoints: [entryPoint],
		bundle: true,
		write: false,
		format: 'esm',
		platform: 'neutral',
		target: 'es2023',
	});
	return outputFiles[0]?.text ?? '';
}

export async function pack() {
	const folder = await mkdtemp(join(tmpdir(), 'runtimes-'));
	const packed = join(folder, 'node_modules/board-access');
	await mkdir(packed, { recursive: true });
	const { stdout } = await run(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{ cwd: here('../..') },
	);
	const { filename, version } = JSON.parse(stdout)[0] as { filename: string; version: string }; // npm's documented form
	await run('tar', ['-xzf', join(folder, filename), '-C', packed, '--strip-components=1']);
	await build({
		entryPoints: [here('checks.ts')],
		outfile: join(folder, 'checks.mjs'),
		format: 'esm',
		target: 'es2023',
	});
	const files = { 'script.mjs': script, 'worker.mjs': worker, 'page.mjs': page };
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
	await cp(here('deno.json'), join(folder, 'deno.json'));
	return {
		folder,
		version,
		script: join(folder, 'script.mjs'),
		worker: await bundled(join(folder, 'worker.mjs')),
		page: await bundled(join(folder, 'page.mjs')),
	};
}
