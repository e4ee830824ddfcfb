// Errors that the command line itself detects.
import { type ExitCode, exitCodes } from './exit-codes.ts';

interface Details {
	/** Default: `usage`. */
	code?: string;
	/** Default: 2. */
	exitCode?: ExitCode;
	hint?: string | undefined;
	/** More fields of the error as JSON. */
	details?: Readonly<Record<string, unknown>>;
	cause?: unknown;
}

export class CliError extends Error {
	readonly code: string;
	readonly exitCode: ExitCode;
	readonly hint: string | undefined;
	readonly details: Readonly<Record<string, unknown>>;

	constructor(message: string, details: Details = {}) {
		super(message, { cause: details.cause });
		this.code = details.code ?? 'usage';
		this.exitCode = details.exitCode ?? exitCodes.usage;
		this.hint = details.hint;
		this.details = details.details ?? {};
	}
}

/** The end of a command that `board-access forward` has run. */
export class ToolExit extends Error {
	readonly exitCode: number;

	constructor(exitCode: number) {
		super(`The command exited with ${exitCode}`);
		this.exitCode = exitCode;
	}
}

export function nothingToChange() {
	const hint = 'Run the command with --help to see the fields.';
	return new CliError('No field to change', { hint });
}
