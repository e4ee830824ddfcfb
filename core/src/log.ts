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

let shared: DestinationStream | undefined;

/** One destination for all logs of the process, because each listens for the exit of the process. */
function standardOutput() {
	shared ??= bufferedOutput();
	return shared;
}

const maxCharacters = 8_192;
const writeEvery = 20;
const errorLevel = pino.levels.values.error ?? 50;

/**
 * Standard output in batches, because a separate write for each line costs a third of a request.
 * Errors are written at once, and everything is written before the process exits.
 */
function bufferedOutput(): DestinationStream {
	const output = pino.destination({ sync: true });
	// A full disk or a closed pipe must not stop the service.
	output.on('error', () => {});
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
		// Makes pino report the level of each line.
		[Symbol.for('pino.metadata')]: true,
		lastLevel: 0,
		write(this: { lastLevel: number }, line: string) {
			lines += line;
			if (lines.length >= maxCharacters || this.lastLevel >= errorLevel) write();
			else timer ??= setTimeout(write, writeEvery).unref();
		},
		/** Pino's `log.flush()`. */
		flush: write,
	} as DestinationStream;
}

function describeError(error: unknown) {
	return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
