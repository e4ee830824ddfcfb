// Prints an error: in words for people, as JSON for programs. Never a secret; a stack only on request.
import { type Issue, redact } from 'board-access';
import { printable, printableJson } from '../../contract/printable.ts';
import type { Invocation } from '../terminal/io.ts';
import { createStyle, type Style } from '../terminal/style.ts';
import type { ExitCode } from './exit-codes.ts';
import { type Failure, failureOf } from './failure.ts';

/** Prints the error and returns its exit code. Reads argv itself, because it may not have been parsed. */
export function report(error: unknown, invocation: Invocation): ExitCode {
	const { argv, env, stderr, signal } = invocation;
	const { exitCode, ...failure } = failureOf(error, signal);
	const style = createStyle(stderr, env, !argv.includes('--no-color'));
	const text = argv.includes('--json')
		? printableJson({ error: failure }, 0)
		: inWords(namingOptions({ exitCode, ...failure }, argv), style);
	stderr.write(`${redact(text)}\n`);
	if (argv.includes('--debug')) {
		const lines = redact(stackOf(error)).split('\n').map(printable);
		stderr.write(`${lines.join('\n')}\n`);
	}
	return exitCode;
}

/** Options with another name than the field. */
const optionNames: Readonly<Record<string, string>> = {
	durationMs: 'minutes',
	expiresAt: 'expires-in',
	expires_at: 'expires-in',
	waitMs: 'wait',
	wait_seconds: 'wait',
};

/** Names the options instead of the fields of a request. */
function namingOptions(failure: Failure, argv: readonly string[]): Failure {
	let { message } = failure;
	const issues = issuesOf(failure).map((issue) => {
		const option = `--${optionNames[issue.path] ?? issue.path.replaceAll('_', '-')}`;
		const isGiven = argv.some((each) => each === option || each.startsWith(`${option}=`));
		if (!isGiven) return issue;
		message = message.replace(`${issue.path} ${issue.message}`, () => `${option} ${issue.message}`);
		return { ...issue, path: option };
	});
	return { ...failure, message, issues };
}

function issuesOf({ issues }: Failure): Issue[] {
	return Array.isArray(issues) ? issues : [];
}

/** The issues that the message does not contain. */
function remainingIssues(failure: Failure): Issue[] {
	const { message } = failure;
	const isMentioned = ({ path, message: text }: Issue) =>
		[`${path} ${text}`, `${path}: ${text}`].some((words) => message.includes(words));
	return issuesOf(failure).filter((issue) => !isMentioned(issue));
}

function inWords(failure: Failure, style: Style) {
	const { message, hint, requestId } = failure;
	const lines = [
		...message.split(/\n(?= {2})/), // a message may end with lines of the console
		...remainingIssues(failure).map((issue) => `  ${issue.path}: ${issue.message}`),
		...(hint ? [`  ${hint}`] : []),
		...(requestId ? [`  request ID: ${requestId}`] : []),
	];
	return `${style('red', 'error:')} ${lines.map(printable).join('\n')}`;
}

function stackOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
	return `${error.stack ?? error.message}${cause}`;
}
