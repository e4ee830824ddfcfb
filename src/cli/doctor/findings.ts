// What the checks of the doctor have found.
import type { Finding } from '../../contract/printable.ts';
import type { ExitCode } from '../failures/exit-codes.ts';
import { failureOf } from '../failures/failure.ts';

interface Problem {
	message: string;
	hint?: string | undefined;
	exitCode?: ExitCode | undefined;
}

export class Findings {
	readonly all: (Finding & Problem)[] = [];

	add(state: Finding['state'], check: string, message: string, hint?: string) {
		this.all.push({ check, state, message, hint });
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
