import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['*.vitest.ts'],
		globalSetup: './service.ts',
		// The first test of a worker waits for its board.
		testTimeout: 120_000,
		// Otherwise, every file has a worker, and thereby a lease, of its own.
		isolate: false,
		maxWorkers: 2,
	},
});
