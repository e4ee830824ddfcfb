// Commands that take several IDs.
import type { Call } from '../service/connect.ts';
import { printJson } from '../terminal/output.ts';
import { CliError } from './cli-error.ts';
import { type Failure, failureOf } from './failure.ts';

/** Does the work for each ID, continues with the others after a failure, and throws at the end if any failed. */
export async function eachOf<Result>(
	ids: readonly string[],
	/** The noun and the participle of the message, such as "key" and "revoked". */
	{ call: { io, options }, what, done }: { call: Call; what: string; done: string },
	work: (id: string) => Promise<Result>,
) {
	const results: Result[] = [];
	const failures: (Failure & { id: string })[] = [];
	for (const id of new Set(ids)) {
		try {
			results.push(await work(id));
		} catch (error) {
			if (io.signal?.aborted || ids.length === 1) throw error;
			failures.push({ ...failureOf(error), id });
		}
	}
	if (options.json) printJson(results, io);
	const [first] = failures;
	if (!first) return;
	const { code, exitCode } = first;
	const issues = failures.map(({ id, message }) => ({ path: id, message }));
	const subject = failures.length === 1 ? `1 ${what} was` : `${failures.length} ${what}s were`;
	throw new CliError(`${subject} not ${done}`, { code, exitCode, details: { issues } });
}
