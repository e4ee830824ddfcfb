// Runs one command in a given world. Nothing here or below touches the process.
import { CommanderError } from 'commander';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { report } from './failure.ts';
import type { Invocation, Io } from './io.ts';
import { createProgram } from './program.ts';

const isDone = (error: unknown) => error instanceof CommanderError && error.exitCode === 0;

/** Carries out `board-access` with these arguments; gives the exit code. */
export const run = async (argv: readonly string[], io: Io): Promise<ExitCode> => {
	const invocation: Invocation = { ...io, argv };
	try {
		await createProgram(invocation).parseAsync(argv, { from: 'user' });
		return exitCodes.ok;
	} catch (error) {
		return isDone(error) ? exitCodes.ok : report(error, invocation);
	}
};
