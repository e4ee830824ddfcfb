import { defineConfig } from 'tsup';

export default defineConfig({
	entry: {
		index: 'src/index.ts',
		formats: 'src/formats.ts',
		samples: 'src/samples.ts',
		main: 'src/main.ts',
		// Files of their own: they are started as threads.
		worker: 'src/emulators/worker.ts',
		'convert-worker': 'src/drivers/convert-worker.ts',
	},
	format: 'esm',
	target: 'node22',
	dts: {
		entry: ['src/index.ts', 'src/formats.ts', 'src/samples.ts'],
		resolve: [/^board-access-contract\/firmware/, /^\.\/.*\.ts$/],
	},
	// The wire contract is part of this package, whoever else has it too.
	noExternal: ['board-access-contract'],
	external: ['serialport'],
	removeNodeProtocol: false,
	clean: true,
});
