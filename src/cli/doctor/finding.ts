// What a check of the doctor found.
import type { ExitCode } from '../failures/exit-codes.ts';

export interface Finding {
	check: string;
	state: 'ok' | 'warning' | 'fault' | 'unknown';
	message: string;
	hint?: string | undefined;
	/** The exit code that a fault leads to. */
	exitCode?: ExitCode | undefined;
}

type Found = Pick<Finding, 'message' | 'hint' | 'exitCode'>;

/** The findings of one check, by how bad they are. */
export function findingsOf(check: string) {
	return {
		ok: (message: string): Finding => ({ check, state: 'ok', message }),
		unknown: (message: string, hint?: string): Finding => ({
			check,
			state: 'unknown',
			message,
			hint,
		}),
		warning: (message: string, hint?: string): Finding => ({
			check,
			state: 'warning',
			message,
			hint,
		}),
		fault: (found: Found): Finding => ({
			check,
			state: 'fault',
			message: found.message,
			hint: found.hint,
			exitCode: found.exitCode,
		}),
	};
}
