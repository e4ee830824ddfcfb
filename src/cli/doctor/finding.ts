// The result of one check.
import type { ExitCode } from '../failures/exit-codes.ts';

export interface Finding {
	check: string;
	state: 'ok' | 'warning' | 'error' | 'unknown';
	message: string;
	/** Advice: what to do about it. */
	hint?: string | undefined;
	/** The exit code that an error leads to. */
	exitCode?: ExitCode | undefined;
}

type Problem = Pick<Finding, 'message' | 'hint' | 'exitCode'>;

/** The possible findings of one check, by severity. */
export function findingsOf(check: string) {
	const finding = (state: Finding['state'], message: string, hint?: string): Finding => ({
		check,
		state,
		message,
		hint,
	});
	return {
		ok: (message: string) => finding('ok', message),
		unknown: (message: string, hint?: string) => finding('unknown', message, hint),
		warning: (message: string, hint?: string) => finding('warning', message, hint),
		problem: ({ message, hint, exitCode }: Problem): Finding => ({
			...finding('error', message, hint),
			exitCode,
		}),
	};
}
