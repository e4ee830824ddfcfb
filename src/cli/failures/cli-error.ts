// An error that the command line itself detects, as opposed to the client or the service.
import type { ExitCode } from './exit-codes.ts';

interface Details {
	code: string;
	exitCode: ExitCode;
	hint?: string | undefined;
	/** More fields for programs that read the error as JSON. */
	details?: Readonly<Record<string, unknown>>;
	cause?: unknown;
}

export class CliError extends Error {
	readonly code: string;
	readonly exitCode: ExitCode;
	/** Advice: what to do about the error. */
	readonly hint: string | undefined;
	readonly details: Readonly<Record<string, unknown>>;

	constructor(message: string, { code, exitCode, hint, details = {}, cause }: Details) {
		super(message, { cause });
		this.code = code;
		this.exitCode = exitCode;
		this.hint = hint;
		this.details = details;
	}
}
