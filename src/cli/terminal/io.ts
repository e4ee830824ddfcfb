// The outside world as a command sees it, so that tests can be the outside world.
import type { Readable } from 'node:stream';

/** Where text goes: a stream of the process, or a collector in a test. */
export interface Output {
	write(text: string): unknown;
	isTTY?: boolean | undefined;
	columns?: number | undefined;
}

/** What the doctor asks of the network beside the service itself. */
export interface Network {
	/** The addresses behind the name of a host. */
	lookup(host: string): Promise<string[]>;
	/** How a TLS connection was made: protocol, and until when the certificate holds. */
	secure(host: string, port: number): Promise<{ protocol: string; validTo: string }>;
}

export interface Io {
	env: Readonly<Record<string, string | undefined>>;
	stdin: Readable & { isTTY?: boolean | undefined };
	stdout: Output;
	stderr: Output;
	/** What sends the requests; the `fetch` of the runtime if it is left out. */
	fetch?: typeof globalThis.fetch | undefined;
	/** Aborted when the user interrupts. */
	signal?: AbortSignal | undefined;
	/** The real network if it is left out. */
	network?: Network | undefined;
}

/** One run of the command: the world, and the words that were typed after `board-access`. */
export interface Invocation extends Io {
	argv: readonly string[];
}
