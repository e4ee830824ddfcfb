// The console of a lease: what is read from it, written to it and expected of it.
import type { HeadersInput, RequestOptions } from '../../settings/settings.ts';

/** Whether the console can be read at the moment. */
export interface ConsoleConnection {
	/** False while the service cannot be reached, or rejects the request. */
	readonly connected: boolean;
	/**
	 * Why it cannot be read; absent while it can. `rate_limited`: the reader waits, because the account
	 * already reads as many consoles as it may, 100 by default, or sends too many requests; `error` says which.
	 */
	readonly reason?: 'unreachable' | 'rate_limited' | (string & {});
	/** The error of the attempt to read it. */
	readonly error?: unknown;
}

/** What can be set for input to the console. */
export interface WriteOptions extends Pick<RequestOptions, 'signal' | 'headers'> {
	/** Milliseconds until the service has to have all of it. Default: as long as the lease lasts. */
	timeout?: number | undefined;
}

/** Which part of the console to read. */
export interface ConsoleOptions {
	/** The offset of the first byte. Default: 0, the first byte of the lease. */
	from?: number | undefined;
	/** Ends the reading or waiting, which rejects with the signal's own reason. */
	signal?: AbortSignal | undefined;
	/** Milliseconds until the reading ends with a {@link RequestTimeoutError}. Default: as long as the lease lasts. */
	timeout?: number | undefined;
	/** More headers for the requests. A reader with headers has a connection of its own. */
	headers?: HeadersInput | undefined;
	/**
	 * Called within 5 seconds when the connection is lost or waits, and when it is back. What it throws is
	 * ignored.
	 */
	onConnection?: ((connection: ConsoleConnection) => void) | undefined;
}

/** What can be set for an expectation. */
export interface ExpectOptions extends Omit<ConsoleOptions, 'from'> {
	/** Rejects when this, or one of several, is seen first. */
	fail?: string | RegExp | readonly (string | RegExp)[] | undefined;
	/** Milliseconds to wait. Default: 60,000. */
	timeout?: number | undefined;
}

/** A line of the console, or text as it arrived, and the bytes that it comes from. */
export interface ConsoleText {
	/** The text; of a line without its end. */
	readonly text: string;
	/** The offset of its first byte. */
	readonly offset: number;
	/** The offset of the byte after it, and of a line after its end: a reader with this as `from` continues there. */
	readonly nextOffset: number;
	/** When this client received its first byte. */
	readonly receivedAt: Date;
}

/** What an expectation found. */
export interface ConsoleMatch {
	/** The text that matched. */
	readonly matched: string;
	/** The whole line, without its end, for `expectLine`. */
	readonly line?: string | undefined;
	/** The text between the previous match and this one. */
	readonly before: string;
	/** What the groups of the regular expression matched, by number and by name. */
	readonly groups: Readonly<Record<string, string | undefined>>;
	/** The offset of the first byte of `matched`. */
	readonly offset: number;
	/** The offset at which the next expectation begins: after `matched`, or after the text of its line. */
	readonly nextOffset: number;
	/** When this client received the first byte of `matched`. */
	readonly receivedAt: Date;
}

/**
 * The console of a board. Looping over it gives text from the first byte of the lease on. A loop ends
 * when the lease is released, and throws a {@link LeaseEndedError} when it ends for another reason.
 */
export interface LeaseConsole extends AsyncIterable<string> {
	/** Where the output of the last action begins, for `from`; 0 before the first. */
	readonly actionOffset: number;
	/**
	 * Reads the console as text, from an offset on. Characters are never split. With `withOffsets`, each
	 * text comes with its offsets, so that another reader can continue after it.
	 *
	 * @example
	 * ```ts
	 * for await (const { text, nextOffset } of lease.console.text({ withOffsets: true })) {
	 * 	process.stdout.write(text);
	 * 	if (text.includes('\n')) break; // another process can go on with text({ from: nextOffset })
	 * }
	 * ```
	 */
	text(
		options: ConsoleOptions & { withOffsets: true },
	): AsyncGenerator<ConsoleText, void, undefined>;
	text(
		options?: ConsoleOptions & { withOffsets?: false | undefined },
	): AsyncGenerator<string, void, undefined>;
	/**
	 * Reads the console line by line, from an offset on. Lines end with `\n`, `\r\n` or `\r`; a `\r` counts
	 * once the next byte shows that no `\n` follows. What the board printed last comes when the console
	 * ends. A line of more than 64 KiB comes in parts.
	 *
	 * @example
	 * ```ts
	 * for await (const { text, offset, receivedAt } of lease.console.lines()) {
	 * 	console.log(receivedAt.toISOString(), offset, text);
	 * 	if (text.startsWith('Hello')) break;
	 * }
	 * ```
	 */
	lines(options?: ConsoleOptions): AsyncGenerator<ConsoleText, void, undefined>;
	/** Reads the console as bytes, from an offset on. */
	read(options?: ConsoleOptions): AsyncGenerator<Uint8Array, void, undefined>;
	/**
	 * Sends input to the board; resolves when the service has stored it. The board never receives it
	 * twice, also when a response is lost.
	 *
	 * @throws {@link WriteError} if only a part may have been sent.
	 *
	 * @example
	 * ```ts
	 * await lease.console.write('hello\r');
	 * ```
	 */
	write(data: string | Uint8Array, options?: WriteOptions): Promise<void>;
	/**
	 * Waits until the console shows the text or matches the expression. Begins where the last
	 * expectation matched, but never before the output of the last action. Expectations that wait at
	 * the same time are met in the order of their calls.
	 *
	 * While a regular expression searches the output, nothing else in the program runs. Node.js and Deno stop
	 * the search after a second; in browsers and Workers, nothing does.
	 *
	 * @throws {@link ExpectationError} if it was not shown in time, or `fail` was shown first.
	 * @throws {@link ConsoleUnavailableError} if output is missing, so that nobody knows what was shown.
	 *
	 * @example
	 * ```ts
	 * const { matched } = await lease.console.expect(/Hello (\w+)/, { fail: 'PANIC', timeout: 30_000 });
	 * ```
	 */
	expect(pattern: string | RegExp, options?: ExpectOptions): Promise<ConsoleMatch>;
	/**
	 * Like {@link LeaseConsole.expect}, but matches whole lines that are not empty, so that a number at
	 * the end of a pattern is never half a number. `^` and `$` stand for the ends of the line. After an `expect`
	 * that matched within a line, the rest of that line counts as a line.
	 *
	 * @throws {@link ExpectationError} and {@link ConsoleUnavailableError} as `expect` does.
	 *
	 * @example
	 * ```ts
	 * await lease.console.write('twice\r');
	 * const { groups } = await lease.console.expectLine(/^TWI(\w+)$/);
	 * ```
	 */
	expectLine(pattern: string | RegExp, options?: ExpectOptions): Promise<ConsoleMatch>;
}
