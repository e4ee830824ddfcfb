// One connection to the console of a lease: its bytes, until it ends or fails.
import { ConnectionError, TimeoutError } from '../../errors.ts';
import { redactedCause } from '../redact.ts';
import { abortable, joinSignals } from '../time.ts';
import type { LeaseSession } from './session.ts';
import { openStream } from './stream.ts';

/** A broken connection is as silent as a quiet board: after this time another one is opened. */
const longestSilenceMs = 30_000;

/** Bytes of the console, and the offset of those that follow. */
export interface ConsolePiece {
	bytes: Uint8Array;
	next: number;
}

export async function* connectionPieces(
	session: LeaseSession,
	from: number,
	caller: AbortSignal,
): AsyncGenerator<ConsolePiece, void, undefined> {
	const { signal, abort, detach } = joinSignals(caller);
	let timer: ReturnType<typeof setTimeout> | undefined;
	const restartTimer = () => {
		clearTimeout(timer);
		timer = setTimeout(() => abort(new TimeoutError(longestSilenceMs)), longestSilenceMs);
	};
	try {
		restartTimer();
		const { body, start } = await openConsole(session, from, signal);
		let next = start;
		for await (const bytes of chunksOf(body, signal)) {
			restartTimer();
			next += bytes.length;
			yield { bytes, next };
		}
	} finally {
		clearTimeout(timer);
		detach();
		abort(new Error('The console is no longer read'));
	}
}

async function openConsole(session: LeaseSession, from: number, signal: AbortSignal) {
	const opening = openStream(session.transport, {
		path: `${session.path}/console`,
		query: { from },
		headers: { accept: 'application/octet-stream' },
		signal,
	});
	const { headers, body } = await abortable(opening, signal);
	// The service names another offset when it no longer has the bytes from there on.
	const start = Number(headers.get('x-console-offset') ?? from);
	return { body, start };
}

/** The chunks of a body as they come; a failure to read them is a lost connection. */
async function* chunksOf(body: ReadableStream<Uint8Array>, signal: AbortSignal) {
	const reader = body.getReader();
	try {
		for (;;) {
			const { done, value } = await abortable(reader.read(), signal);
			if (done) return;
			yield value;
		}
	} catch (error) {
		signal.throwIfAborted();
		throw new ConnectionError('The connection to the console was lost', {
			code: 'connection_lost',
			cause: redactedCause(error),
			outcome: 'unknown',
		});
	} finally {
		reader.cancel().catch(() => {}); // it may have failed already
	}
}
