// One JSON line for each request and for each internal error, with secrets redacted.
import { redact } from 'board-access-contract';
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Logs to standard output, or to the stream that is given. */
export function createLog(level: string, destination?: DestinationStream): Log {
	return pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
			serializers: { error: describeError },
		},
		destination ?? standardOutput(),
	);
}

let output: DestinationStream | undefined;

/** One for all logs of the process, because each would listen for its end for good. */
function standardOutput() {
	output ??= bufferedOutput();
	return output;
}

const mostCharacters = 8_192;
const writeEvery = 20;
const errorLevel = pino.levels.values.error ?? 50;

/**
 * Standard output, written a few lines at a time: a write for each line costs a third of a request.
 * An error is written at once, and everything else before the process exits at the latest.
 */
function bufferedOutput(): DestinationStream {
	const output = pino.destination({ sync: true });
	let lines = '';
	let timer: NodeJS.Timeout | undefined;
	const write = () => {
		clearTimeout(timer);
		timer = undefined;
		const written = lines;
		lines = '';
		if (written) output.write(written);
	};
	process.once('exit', write);
	return {
		// Lets pino say what level a line has.
		[Symbol.for('pino.metadata')]: true,
		lastLevel: 0,
		write(this: { lastLevel: number }, line: string) {
			lines += line;
			if (lines.length >= mostCharacters || this.lastLevel >= errorLevel) write();
			else timer ??= setTimeout(write, writeEvery).unref();
		},
		/** Pino's `log.flush()`. */
		flush: write,
	} as DestinationStream;
}

function describeError(error: unknown) {
	return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
