// Commands that take several IDs.
import type { Io } from '../terminal/io.ts';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { type Failure, failureOf } from './failure.ts';

type FailureOfId = Failure & { id: string };

/** Does the work for each ID, and continues with the others after a failure. */
export async function eachOf<Result>(
	ids: readonly string[],
	work: (id: string) => Promise<Result>,
	io: Io,
) {
	const results: Result[] = [];
	const failures: FailureOfId[] = [];
	for (const id of new Set(ids)) {
		try {
			results.push(await work(id));
		} catch (error) {
			if (io.signal?.aborted || ids.length === 1) throw error;
			failures.push({ ...(await failureOf(error)), id });
		}
	}
	return { results, failures };
}

/** Throws if any failed; `what` and `done` are words such as "key" and "revoked". */
export function requireAll(failures: readonly FailureOfId[], what: string, done: string) {
	const [first] = failures;
	if (!first) return;
	const count = failures.length;
	throw new CliError(`${count} ${count === 1 ? `${what} was` : `${what}s were`} not ${done}`, {
		code: first.code ?? `not_${done}`,
		exitCode: first.exitCode ?? exitCodes.general,
		details: { issues: failures.map(({ id, message }) => ({ path: id, message })) },
	});
}
