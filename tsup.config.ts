import { defineConfig } from 'tsup';

// The argument parser and yaml are CommonJS modules.
const requireBanner = {
	js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
};

// ky is an ES module only, and zod comes in versions that do not mix: both are built in, so that
// installing this package adds one package.
export default defineConfig([
	{
		// Files of their own, so that a bundle has only what it uses: index has no code itself.
		entry: {
			index: 'src/index.ts',
			client: 'src/client.ts',
			errors: 'src/errors/errors.ts',
			guards: 'src/errors/guards.ts',
			'lease-errors': 'src/leases/errors.ts',
		},
		format: ['esm', 'cjs'],
		platform: 'neutral',
		target: 'es2023',
		// What few programs use is a file of its own, as is ky: both are read with their first use.
		splitting: true,
		sourcemap: true,
		clean: ['!*.d.{ts,cts}', '!cli/**', '!fixtures/**', '!forward/**'],
		noExternal: ['ky', 'zod'],
	},
	{
		entry: { index: 'src/index.ts' },
		format: ['esm', 'cjs'],
		// Without the banner, `await using` asks its users for a setting of their own.
		dts: { only: true, banner: '/// <reference lib="esnext.disposable" />' },
		// Cleaning types ignores patterns: it would take those of the folders in dist as well.
		clean: false,
		noExternal: ['ky', 'zod'],
	},
	{
		entry: ['src/fixtures/{node-test,playwright,vitest}.ts'],
		outDir: 'dist/fixtures',
		format: ['esm', 'cjs'],
		platform: 'node',
		target: 'node22',
		splitting: true,
		dts: true,
		sourcemap: true,
		clean: true,
		// They take the client and the test runner that the tests use.
		external: ['board-access', '@playwright/test', 'vitest'],
		// node:test has no other name.
		removeNodeProtocol: false,
	},
	{
		entry: { index: 'src/forward/index.ts' },
		outDir: 'dist/forward',
		format: ['esm', 'cjs'],
		platform: 'node',
		target: 'node22',
		dts: { banner: '/// <reference lib="esnext.disposable" />' },
		sourcemap: true,
		clean: true,
		external: ['board-access'],
		removeNodeProtocol: false,
	},
	{
		// In pieces, so that a command loads only what it needs.
		entry: { main: 'src/cli/main.ts' },
		outDir: 'dist/cli',
		format: 'esm',
		platform: 'node',
		target: 'node22',
		splitting: true,
		minify: true,
		clean: true,
		noExternal: [/.*/],
		banner: requireBanner,
	},
	{
		// A runner of GitHub starts these files as they are, so a release adds them to its tag.
		entry: { main: 'src/action/main.ts', post: 'src/action/post.ts' },
		outDir: 'dist-action',
		format: 'esm',
		platform: 'node',
		target: 'node24',
		splitting: true,
		clean: true,
		noExternal: [/.*/],
		banner: requireBanner,
	},
]);
