// Sends the console output of a lease to the service: in batches, one request at a time, by offset.
import { setTimeout as wait } from 'node:timers/promises';
import { repeat } from '../link/repeat.ts';
import { ServiceError } from '../link/service.ts';
import { createOutputLimit } from './output-limit.ts';

export interface ConsoleUploadOptions {
	/** Appends at the offset and returns the offset that is expected next. */
	append(offset: number, bytes: Uint8Array<ArrayBuffer>): Promise<number>;
	readonly signal: AbortSignal;
	/** The service accepts no more output of this lease. */
	onRefused(error: unknown): void;
}

/** Output is collected for this time, in milliseconds. */
const gatherTime = 20;

/** The most bytes of one request. */
const largestPiece = 64 * 1024;

/** What is kept while the service cannot be reached. */
const mostWaiting = 256 * 1024;

export interface ConsoleUpload {
	/** Takes console output. */
	take(bytes: Uint8Array): void;
	/** Forgets the output that came before, so that a flood does not drown what comes next. */
	renew(): void;
}

export function createConsoleUpload(options: ConsoleUploadOptions): ConsoleUpload {
	const { signal } = options;
	const limit = createOutputLimit();
	let waiting = Buffer.alloc(0);
	let sending = false;
	let offset = 0;

	const push = (bytes: Uint8Array) => {
		if (bytes.length > 0) waiting = Buffer.concat([waiting, bytes]);
	};
	const send = async () => {
		while (waiting.length > 0 || limit.dropping) {
			await wait(gatherTime, undefined, { signal });
			push(limit.rest());
			const piece = waiting.subarray(0, largestPiece);
			waiting = waiting.subarray(piece.length);
			if (piece.length > 0) offset = await appendAt(offset, piece, options);
		}
		sending = false;
	};
	return {
		take(bytes) {
			if (signal.aborted) return;
			push(waiting.length < mostWaiting ? limit.take(bytes) : limit.drop(bytes));
			if (sending) return;
			sending = true;
			send().catch(options.onRefused);
		},
		renew: () => limit.renew(),
	};
}

/** Appends, at the offset that the service expects if that is another. Returns the next offset. */
async function appendAt(
	offset: number,
	bytes: Buffer<ArrayBuffer>,
	options: ConsoleUploadOptions,
): Promise<number> {
	try {
		return await repeat(() => options.append(offset, bytes), options.signal);
	} catch (error) {
		const expected = expectedOffset(error);
		if (expected === undefined || expected >= offset) throw error;
		return appendAt(expected, bytes, options);
	}
}

function expectedOffset(error: unknown): number | undefined {
	if (!(error instanceof ServiceError) || error.code !== 'console_gap') return undefined;
	return /^\d{1,15}$/.test(error.param ?? '') ? Number(error.param) : undefined;
}
