// Bundles the scripts of the pages: in the build, or when a service that was not built starts.
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Esbuild from 'esbuild';

/** The script of every page, and those that some pages load. */
const scripts = ['common', 'lease', 'queue', 'client', 'terminal', 'chart'];

/** The bundles by the names of their files. */
export function bundleScripts(): Record<string, Buffer<ArrayBuffer>> {
	// Loaded here, because a built service has the bundles but not esbuild.
	const esbuild: typeof Esbuild = createRequire(import.meta.url)('esbuild');
	const { outputFiles } = esbuild.buildSync({
		entryPoints: scripts.map((name) =>
			fileURLToPath(new URL(`./scripts/${name}.ts`, import.meta.url)),
		),
		loader: { '.css': 'text' },
		bundle: true,
		minify: true,
		format: 'esm',
		target: 'es2023',
		legalComments: 'none',
		write: false,
		outdir: 'scripts',
	});
	return Object.fromEntries(
		outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]),
	);
}
