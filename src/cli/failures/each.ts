// Commands that take several IDs.
import type { Call } from '../service/call.ts';
import { printJson } from '../terminal/output.ts';
import { CliError } from './cli-error.ts';
import { type Failure, failureOf } from './failure.ts';

interface Words {
	call: Call;
	/** A word such as "key". */
	what: string;
	/** A word such as "revoked". */
	done: string;
}

/** Does the work for each ID, continues with the others after a failure, and throws at the end if any failed. */
export async function eachOf<Result>(
	ids: readonly string[],
	work: (id: string) => Promise<Result>,
	{ call, what, done }: Words,
) {
	const { io, options } = call;
	const results: Result[] = [];
	const failures: (Failure & { id: string })[] = [];
	for (const id of new Set(ids)) {
		try {
			results.push(await work(id));
		} catch (error) {
			if (io.signal?.aborted || ids.length === 1) throw error;
			failures.push({ ...(await failureOf(error)), id });
		}
	}
	if (options.json) printJson(results, io);
	const [first] = failures;
	if (!first) return;
	const count = failures.length;
	throw new CliError(`${count} ${count === 1 ? `${what} was` : `${what}s were`} not ${done}`, {
		code: first.code,
		exitCode: first.exitCode,
		details: { issues: failures.map(({ id, message }) => ({ path: id, message })) },
	});
}
