// What a command uses of its process, so that tests can replace it.
import type { Readable } from 'node:stream';
import type { runTool } from './tool.ts';

export interface Output {
	write(text: string | Uint8Array): unknown;
	/** Writes text that must not get lost: rejects if it cannot be written. */
	deliver?(text: string): Promise<void>;
	isTTY?: boolean | undefined;
	columns?: number | undefined;
}

export interface Io {
	env: Readonly<Record<string, string | undefined>>;
	stdin: Readable & {
		isTTY?: boolean | undefined;
		setRawMode?: ((on: boolean) => unknown) | undefined;
	};
	stdout: Output;
	stderr: Output;
	/** Sends the requests. Default: the `fetch` of the runtime. */
	fetch?: typeof globalThis.fetch | undefined;
	/** Aborted when the user presses Ctrl-C, or the process is to end. */
	signal?: AbortSignal | undefined;
	/** Calls back when output cannot be written; without this call, the process exits. */
	finishWithoutOutput?: ((onError: (error: NodeJS.ErrnoException) => void) => void) | undefined;
	/** Runs a command on this terminal, and resolves with its exit code. It is ended soon after the signal. */
	runTool?: typeof runTool | undefined;
	/** Opens a page in the user's browser, where there is one. */
	openPage?: ((url: string) => void) | undefined;
}

/** `argv` are the words after `board-access`. */
export interface Invocation extends Io {
	argv: readonly string[];
}
