// One JSON line for each request and for each internal error, with secrets redacted.
import { redact } from 'board-access-contract';
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

const errorLevel = pino.levels.values.error ?? 50;

/** Logs to standard output, or to the stream that is given. Errors are written at once. */
export function createLog(level: string, destination?: DestinationStream): Log {
	return pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
			serializers: { error: describeError },
			hooks: {
				logMethod(given, log, level) {
					log.apply(this, given);
					if (level >= errorLevel) shared?.flush();
				},
			},
		},
		destination ?? standardOutput(),
	);
}

let shared: ReturnType<typeof pino.destination> | undefined;

/** One destination for all logs of the process, because each listens for the exit of the process. */
function standardOutput() {
	shared ??= bufferedOutput();
	return shared;
}

/** In batches, because a separate write for each line costs a third of a request. */
function bufferedOutput() {
	const output = pino.destination({ sync: true, minLength: 8_192, periodicFlush: 50 });
	// A full disk or a closed pipe must not stop the service.
	output.on('error', () => {});
	process.once('exit', () => output.flush());
	return output;
}

function describeError(error: unknown) {
	return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
