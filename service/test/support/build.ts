// The command, built from the present sources, for tests that start processes.
import { cp, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { bundleScripts } from '../../../web/src/bundle.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The path of the built command. */
		main: string;
	}
}

function path(relative: string) {
	return fileURLToPath(new URL(relative, import.meta.url));
}

/** Where the private packages are, for builds without a folder of installed ones. */
export const alias = {
	'board-access-core': path('../../../core/src/index.ts'),
	'board-access-http': path('../../src/http'),
	'board-access-mcp': path('../../../src/mcp/index.ts'),
	'board-access-web': path('../../../web/src/index.ts'),
};

export default async (project: TestProject) => {
	const outdir = path('../../node_modules/.cache/test-build');
	await build({
		entryPoints: {
			main: path('../../src/main.ts'),
			// Started as a thread.
			'firmware-worker': path('../../../core/src/leases/files/firmware-worker.ts'),
		},
		outdir,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node22',
		packages: 'external',
		alias,
		logLevel: 'error',
	});
	await cp(path('../../../web/src/assets'), `${outdir}/assets`, { recursive: true });
	for (const [name, content] of Object.entries(bundleScripts())) {
		await writeFile(`${outdir}/assets/${name}`, content);
	}
	project.provide('main', `${outdir}/main.js`);
};
