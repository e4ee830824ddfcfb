import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// Tests read the sources, so that a failure points at the line that was written.
const alias = [{ find: /^board-access$/, replacement: path('./src/index.ts') }];

export default defineConfig({
	test: {
		reporters: ['default', 'json'],
		outputFile: { json: 'coverage/results.json' },
		coverage: { include: ['src/*.ts'], thresholds: { lines: 95, branches: 95 } },
		projects: [
			{
				resolve: { alias },
				test: { name: 'client', include: ['test/**/*.test.ts'], testTimeout: 20_000 },
			},
			{
				// Where `instanceof` fails for the errors of the runtime, as under Jest.
				resolve: { alias },
				test: {
					name: 'realms',
					pool: 'vmThreads',
					include: ['test/{fetch,retries}.test.ts'],
				},
			},
			{
				resolve: { alias },
				oxc: { jsx: { runtime: 'automatic', importSource: 'hono/jsx' } },
				test: {
					name: 'service',
					root: './service',
					globalSetup: ['postgres', 'build'].map((name) =>
						path(`./service/test/support/${name}.ts`),
					),
					include: ['test/**/*.test.{ts,tsx}'],
					testTimeout: 60_000,
					hookTimeout: 60_000,
				},
			},
		],
	},
});
