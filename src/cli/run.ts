// Runs one command in a given world. Nothing here or below touches the process.
import { version } from '../../package.json';
import type { ExitCode } from './failures/exit-codes.ts';
import type { Io } from './terminal/io.ts';

/** Runs `board-access` with these arguments and returns the exit code. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
	// Scripts often ask for the version, which needs none of the modules below.
	if (argv.length === 1 && argv[0] === '--version') {
		io.stdout.write(`${version}\n`);
		return 0;
	}
	const { runProgram } = await import('./program.ts');
	return runProgram({ ...io, argv });
}
