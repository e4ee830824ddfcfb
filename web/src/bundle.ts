// Bundles the scripts of the pages: during the build of the service and, where nothing was built, on first use.
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Esbuild from 'esbuild';

/** Each is a file of its own: that of every page, and what some pages load. */
const scripts = ['common', 'lease', 'queue', 'client', 'terminal', 'chart'];

/** The bundles by the names of their files. */
export function bundleScripts(): Record<string, Buffer<ArrayBuffer>> {
	// Required here, because a built service has the bundles and not esbuild.
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
