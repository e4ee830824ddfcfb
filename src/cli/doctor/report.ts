// Prints an error: in words for people, as JSON for programs. No secret, and no stack unless asked.
import type { Issue } from 'board-access';
import type { ExitCode } from '../failures/exit-codes.ts';
import { type Failure, failureOf } from '../failures/failure.ts';
import type { Invocation } from '../terminal/io.ts';
import { createStyle, printable } from '../terminal/style.ts';

/** Prints the error; gives the exit code. The options are looked for in argv, which may be wrong. */
export async function report(error: unknown, invocation: Invocation): Promise<ExitCode> {
	const { argv, env, stderr, signal } = invocation;
	const { exitCode, ...failure } = await failureOf(error, signal);
	const { red } = createStyle(stderr, env, !argv.includes('--no-color'));
	const asJson = argv.includes('--json');
	const text = asJson ? JSON.stringify({ error: failure }) : inWords({ exitCode, ...failure }, red);
	const { redact } = await import('board-access');
	stderr.write(`${redact(text)}\n`);
	if (argv.includes('--debug')) {
		const lines = redact(stackOf(error)).split('\n').map(printable);
		stderr.write(`${lines.join('\n')}\n`);
	}
	return exitCode;
}

/** The faults that the message does not tell itself. */
function untold({ message, issues }: Failure): Issue[] {
	const faults: Issue[] = Array.isArray(issues) ? issues : [];
	return faults.length > 1 ? faults : faults.filter((fault) => !message.includes(fault.message));
}

function inWords(failure: Failure, red: (text: string) => string) {
	const { message, hint, requestId } = failure;
	const lines = [
		message,
		...untold(failure).map(({ path, message: fault }) => `  ${path}: ${fault}`),
		...(hint ? [`  ${hint}`] : []),
		...(requestId ? [`  request id: ${requestId}`] : []),
	];
	return `${red('error:')} ${lines.map(printable).join('\n')}`;
}

function stackOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
	return `${error.stack ?? error.message}${cause}`;
}
