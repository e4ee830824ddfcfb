// The command as one file, built from the present sources, for tests that start processes.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
	interface ProvidedContext {
		/** The path of the built command. */
		main: string;
	}
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default async (project: TestProject) => {
	const outdir = path('../../node_modules/.cache/test-build');
	await build({
		entryPoints: [path('../../src/main.ts')],
		outdir,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node22',
		packages: 'external',
		alias: { 'board-access/contract': path('../../../src/contract/index.ts') },
		external: [],
		tsconfig: path('../../tsconfig.json'),
		logLevel: 'error',
	});
	project.provide('main', `${outdir}/main.js`);
};
