// Makes the client for a command, and loads it only then: help and completion need not wait for it.
import type { Attempt, BoardAccess } from 'board-access';
import type { ServiceOptions } from '../options.ts';
import type { Io } from '../terminal/io.ts';
import { printable } from '../terminal/style.ts';
import { readKeyFrom } from './api-key-source.ts';
import { findBaseUrl } from './base-url-source.ts';

/** A client set up as the options and the environment of the command say. */
export async function connect(options: ServiceOptions, io: Io): Promise<BoardAccess> {
	const { BoardAccess, readApiKey, readBaseUrl } = await import('board-access');
	const address = findBaseUrl(options, io);
	const key = await readKeyFrom(options, io);
	return new BoardAccess({
		baseUrl: readBaseUrl(address.text, address.source, options),
		apiKey: readApiKey(key.text, key.source),
		allowInsecureHttp: options.allowInsecureHttp,
		fetch: io.fetch,
		onAttempt: options.debug && logTo(io.stderr),
	});
}

function logTo(stderr: Io['stderr']) {
	return (attempt: Attempt) => {
		const { method, path, status, error, durationMs, requestId, retryInMs } = attempt;
		const end = [
			status ?? error,
			`in ${Math.round(durationMs)} ms`,
			...(requestId ? [`(${requestId})`] : []),
			...(retryInMs === undefined ? [] : [`again in ${Math.round(retryInMs)} ms`]),
		];
		stderr.write(`${printable(`${method} ${path}: ${end.join(' ')}`)}\n`);
	};
}
