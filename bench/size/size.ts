// The size of a client: on disk with everything that it needs, and in a bundle.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type OutputFile } from 'esbuild';
import { here, run } from '../child.ts';
import { type Peer, peers } from '../client/peers.ts';
import { bars } from '../report/chart.ts';
import type { Section } from '../report/section.ts';
import { number } from '../statistics.ts';

const home = resolve(here('.'));

interface Manifest {
	dependencies?: Record<string, string>;
}

const whatToUse: Readonly<Record<string, string>> = {
	'board-access': "export { BoardAccess } from '../dist/index.js';",
	'@octokit/core': "export { Octokit } from '@octokit/core';",
	'@octokit/core + retry':
		"export { Octokit } from '@octokit/core'; export { retry } from '@octokit/plugin-retry';",
	'@notionhq/client': "export { Client } from '@notionhq/client';",
	'undici.request': "export { request } from 'undici';",
	resend: "export { Resend } from 'resend';",
};

export async function size(): Promise<Section> {
	const weighed = [];
	for (const peer of peers) {
		if (!peer.packageName && peer.name !== 'board-access') continue;
		const use = whatToUse[peer.name] ?? `export { default } from '${peer.packageName}';`;
		const disk = await (peer.packageName ? installed(peer) : ourInstalled());
		weighed.push({ name: peer.name, ...(await bundled(use)), ...disk });
	}
	weighed.sort((one, other) => one.bundle - other.bundle);
	return {
		name: 'size',
		title: 'Size',
		text: [
			'On disk: all files of the package and of everything that it depends on, and how many packages that is. Of board-access it includes the command line and the source maps. Bundle: the client class (or function) alone, bundled and minified by esbuild for Node in as many files as it makes, each gzipped at level 9. Later: the file that board-access loads with the first use of what few programs need, such as leases; the bundle is everything else, including ky, which it loads with the first request.',
		],
		plots: [
			await bars({
				name: 'bundle-size',
				title: 'Bundle, kB gzipped',
				bars: weighed.map(({ name, bundle }) => ({
					name,
					median: bundle,
					low: bundle,
					high: bundle,
				})),
			}),
		],
		tables: [
			{
				head: ['client', 'bundle, kB gzipped', 'later, kB gzipped', 'on disk, kB', 'packages'],
				rows: weighed.map(({ name, bundle, later, bytes, packages }) => [
					name === 'board-access' ? `**${name}**` : name,
					bundle.toFixed(1),
					later.toFixed(1),
					number(bytes / 1000),
					String(packages),
				]),
			},
		],
	};
}

function exists(path: string) {
	return stat(path).then(
		() => true,
		() => false,
	);
}

/** The folder of a package as `from` would find it: the nearest, going up. */
async function folderOf(name: string, from: string): Promise<string | undefined> {
	for (let folder = from; folder.startsWith(home); folder = join(folder, '..')) {
		const candidate = join(folder, 'node_modules', name);
		if (await exists(candidate)) return candidate;
	}
	return undefined;
}

async function closureOf(name: string, from: string, found = new Set<string>()) {
	const folder = await folderOf(name, from);
	if (!folder || found.has(folder)) return found;
	found.add(folder);
	const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest; // npm checked it
	for (const each of Object.keys(manifest.dependencies ?? {})) await closureOf(each, folder, found);
	return found;
}

async function bytesIn(folder: string): Promise<number> {
	let bytes = 0;
	for (const entry of await readdir(folder, { withFileTypes: true })) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : await bytesIn(path);
		else bytes += (await stat(path)).size;
	}
	return bytes;
}

async function installed({ packageName = '', withPackages = [] }: Peer) {
	const folders = new Set<string>();
	for (const name of [packageName, ...withPackages]) await closureOf(name, home, folders);
	const sizes = await Promise.all([...folders].map(bytesIn));
	return { packages: folders.size, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

async function ourInstalled() {
	const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: here('..'),
	});
	const { unpackedSize } = JSON.parse(stdout)[0] as { unpackedSize: number }; // npm's documented form
	return { packages: 1, bytes: unpackedSize };
}

/** What is loaded first, and what is loaded with its first use, in kB. */
async function bundled(contents: string) {
	const { outputFiles } = await build({
		stdin: { contents, resolveDir: here('.') },
		bundle: true,
		splitting: true,
		outdir: here('.'),
		minify: true,
		write: false,
		format: 'esm',
		platform: 'node',
		logLevel: 'silent',
	});
	const isLater = ({ path }: OutputFile) => basename(path).startsWith('later-');
	return {
		bundle: gzipped(outputFiles.filter((file) => !isLater(file))),
		later: gzipped(outputFiles.filter(isLater)),
	};
}

function gzipped(files: readonly OutputFile[]) {
	return files.reduce(
		(sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length / 1000,
		0,
	);
}
