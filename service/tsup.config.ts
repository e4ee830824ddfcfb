import { cp, writeFile } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { bundleScripts } from '../web/src/bundle.ts';

export default defineConfig({
	entry: {
		index: 'src/index.ts',
		testing: 'src/testing.ts',
		main: 'src/main.ts',
		// A file of its own: it is started as a thread.
		'firmware-worker': '../core/src/leases/files/firmware-worker.ts',
	},
	format: 'esm',
	target: 'node22',
	dts: { entry: ['src/index.ts', 'src/testing.ts'] },
	// The private packages are bundled into this one, and so are libraries of many small files that every
	// start loads: finding and reading these files takes longer than running them.
	noExternal: [
		/^board-access(-(contract|core|http|mcp|web)|$)/,
		'@modelcontextprotocol/server',
		'kysely',
		'ky',
		'zod',
	],
	// One of these libraries is a CommonJS module.
	banner: {
		js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
	},
	removeNodeProtocol: false,
	clean: true,
	// The web pages read their stylesheets and scripts from beside the code.
	async onSuccess() {
		await cp('../web/src/assets', 'dist/assets', { recursive: true });
		for (const [name, content] of Object.entries(bundleScripts())) {
			await writeFile(`dist/assets/${name}`, content);
		}
	},
});
