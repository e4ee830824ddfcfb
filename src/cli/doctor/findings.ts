// What the checks have found.
import type { ExitCode } from '../failures/exit-codes.ts';
import { failureOf } from '../failures/failure.ts';

interface Finding {
	check: string;
	state: 'ok' | 'warning' | 'error' | 'unknown';
	message: string;
	hint?: string | undefined;
	exitCode?: ExitCode | undefined;
}

type Problem = Pick<Finding, 'message' | 'hint' | 'exitCode'>;

export class Findings {
	readonly all: Finding[] = [];

	readonly ok = this.#adding('ok');
	readonly unknown = this.#adding('unknown');
	readonly warning = this.#adding('warning');

	#adding(state: Finding['state']) {
		return (check: string, message: string, hint?: string) =>
			void this.all.push({ check, state, message, hint });
	}

	problem(check: string, { message, hint, exitCode }: Problem) {
		this.all.push({ check, state: 'error', message, hint, exitCode });
	}

	/** The value; undefined after an error, which becomes a finding. */
	async attempt<Value>(check: string, work: () => Promise<Value>, hint?: string) {
		try {
			return await work();
		} catch (error) {
			const failure = failureOf(error);
			this.problem(check, { ...failure, hint: failure.hint ?? hint });
			return undefined;
		}
	}
}
