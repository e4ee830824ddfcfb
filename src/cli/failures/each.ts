// Commands that take several IDs.
import type { Call } from '../service/connect.ts';
import { printJson } from '../terminal/output.ts';
import { CliError } from './cli-error.ts';
import { failureOf } from './failure.ts';

/** Does the work for each ID, continues with the others after a failure, and throws at the end if any failed. */
export async function eachOf<Result>(
	ids: readonly string[],
	/** The noun and the participle of the message, such as "key" and "revoked". */
	{ call: { io, options }, what, done }: { call: Call; what: string; done: string },
	work: (id: string) => Promise<Result>,
) {
	const results: Result[] = [];
	const failures: { id: string; error: unknown }[] = [];
	for (const id of new Set(ids)) {
		try {
			results.push(await work(id));
		} catch (error) {
			if (io.signal?.aborted || ids.length === 1) throw error;
			failures.push({ id, error });
		}
	}
	if (options.json) printJson(results, io);
	const [first] = failures;
	if (!first) return;
	const { code, exitCode } = await failureOf(first.error);
	const described = failures.map(async ({ id, error }) => {
		const { message } = await failureOf(error);
		return { path: id, message };
	});
	const subject = failures.length === 1 ? `1 ${what} was` : `${failures.length} ${what}s were`;
	const details = { issues: await Promise.all(described) };
	throw new CliError(`${subject} not ${done}`, { code, exitCode, details });
}
