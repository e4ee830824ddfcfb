// Sends the console output of a lease to the service: in batches, one request at a time, by offset.
import { gapOffset } from 'board-access-contract';
import { repeat } from '../link/repeat.ts';
import { ServiceError } from '../link/service.ts';
import { wait } from '../time.ts';
import { createOutputLimit } from './output-limit.ts';

export interface ConsoleUploadOptions {
	/**
	 * Appends at the offset and returns the offset that is expected next. Confirms the console input
	 * up to an offset, if one is given.
	 */
	append(offset: number, bytes: Uint8Array<ArrayBuffer>, input?: number): Promise<number>;
	readonly signal: AbortSignal;
	/** The service accepts no more output of this lease. */
	onRefused(error: unknown): void;
}

/** Output is collected for this time, in milliseconds. */
const collectTime = 20;

/** Input is confirmed with the next output, or by itself after this time, in milliseconds. */
const confirmTime = 500;

/** The most bytes of one request. */
const largestPiece = 64 * 1024;

/** What is kept while the service cannot be reached. */
const mostWaiting = 256 * 1024;

export interface ConsoleUpload {
	/** Takes console output. */
	take(bytes: Uint8Array): void;
	/**
	 * Resolves with the offset of the output that comes next, once the service has all that came
	 * before; with undefined if the service accepts no more. A flood before it does not drown what
	 * comes next.
	 */
	mark(): Promise<number | undefined>;
	/** Sends the service soon up to where the input was written to the board. */
	confirm(input: number): void;
}

interface Mark {
	/** How many bytes had been taken when it was set. */
	readonly at: number;
	resolve(offset: number | undefined): void;
}

export function createConsoleUpload(options: ConsoleUploadOptions): ConsoleUpload {
	const { signal } = options;
	const limit = createOutputLimit();
	let waiting = Buffer.alloc(0);
	let marks: Mark[] = [];
	let taken = 0;
	let sent = 0;
	let offset = 0;
	let written = 0;
	let confirmed = 0;
	let confirmsAlone = false;
	let confirmsSoon = false;
	let sending = false;
	let ended = false;

	const push = (bytes: Uint8Array) => {
		if (bytes.length > 0) waiting = Buffer.concat([waiting, bytes]);
		taken += bytes.length;
	};
	const settleMarks = () => {
		while (marks[0]?.at === sent) marks.shift()?.resolve(offset);
	};
	const sendPiece = async () => {
		// A piece ends at the next mark, whose offset is then that of the piece's end.
		const piece = waiting.subarray(0, Math.min(largestPiece, (marks[0]?.at ?? taken) - sent));
		waiting = waiting.subarray(piece.length);
		if (piece.length > 0 || confirmsAlone) {
			const input = written > confirmed ? written : undefined;
			offset = await appendAt({ offset, bytes: piece, input }, options);
			confirmed = input ?? confirmed;
			confirmsAlone = false;
			// Input that was written during the request.
			void confirmLater();
		}
		sent += piece.length;
		settleMarks();
	};
	const send = async () => {
		while (waiting.length > 0 || limit.dropping || confirmsAlone) {
			if (marks.length === 0) await wait(collectTime, signal);
			push(limit.rest());
			await sendPiece();
		}
		sending = false;
	};
	const end = (error: unknown) => {
		ended = true;
		for (const { resolve } of marks) resolve(undefined);
		marks = [];
		options.onRefused(error);
	};
	const start = () => {
		if (sending) return;
		sending = true;
		send().catch(end);
	};
	const confirmLater = async () => {
		if (confirmsSoon || written === confirmed) return;
		confirmsSoon = true;
		await wait(confirmTime, signal).catch(() => {});
		confirmsSoon = false;
		confirmsAlone = written > confirmed && !signal.aborted;
		if (confirmsAlone) start();
	};
	return {
		take(bytes) {
			if (signal.aborted) return;
			push(waiting.length < mostWaiting ? limit.take(bytes) : limit.drop(bytes));
			start();
		},
		async mark() {
			limit.renew();
			push(limit.rest());
			if (ended) return undefined;
			const { promise, resolve } = Promise.withResolvers<number | undefined>();
			marks.push({ at: taken, resolve });
			settleMarks();
			start();
			return promise;
		},
		confirm(input) {
			written = input;
			void confirmLater();
		},
	};
}

interface Piece {
	readonly offset: number;
	readonly bytes: Buffer<ArrayBuffer>;
	readonly input: number | undefined;
}

/** Appends, at the offset that the service expects if that is another. Returns the next offset. */
async function appendAt(piece: Piece, options: ConsoleUploadOptions): Promise<number> {
	const { offset, bytes, input } = piece;
	try {
		return await repeat(() => options.append(offset, bytes, input), options.signal);
	} catch (error) {
		const expected = error instanceof ServiceError ? gapOffset(error) : undefined;
		if (expected === undefined || expected >= offset) throw error;
		return appendAt({ ...piece, offset: expected }, options);
	}
}
