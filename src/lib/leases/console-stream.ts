// The console from an offset on, as one stream over as many connections as it takes.

import { isTemporary, joinSignals, pauseAfter } from '../time.ts';
import { type ConsolePiece, connectionPieces } from './console-connection.ts';
import type { LeaseSession } from './session.ts';

/** How long the rest of the console is waited for after the lease has ended. */
const drainMs = 2_000;

interface Span {
	from?: number | undefined;
	signal?: AbortSignal | undefined;
}

/**
 * Ends when the lease was released, and throws the error of its end when it ended otherwise. What
 * the console showed until then comes first.
 */
export async function* consolePieces(
	session: LeaseSession,
	{ from = 0, signal: caller }: Span,
): AsyncGenerator<ConsolePiece, void, undefined> {
	caller?.throwIfAborted();
	const reading = joinSignals(caller);
	let drain: ReturnType<typeof setTimeout> | undefined;
	const onOver = () => {
		drain = setTimeout(() => reading.abort(session.endedError()), drainMs);
	};
	session.over.addEventListener('abort', onOver, { once: true });
	try {
		yield* piecesUntilEnd(session, from, reading.signal);
	} catch (error) {
		caller?.throwIfAborted();
		if (!session.over.aborted) throw error;
	} finally {
		clearTimeout(drain);
		session.over.removeEventListener('abort', onOver);
		reading.detach();
	}
	if (session.record.endReason !== 'released') throw session.endedError();
}

async function* piecesUntilEnd(session: LeaseSession, from: number, signal: AbortSignal) {
	let next = from;
	for (let failures = 0; ; failures++) {
		const isLast = session.over.aborted;
		const connection = connectionPieces(session, next, signal);
		let failure: unknown;
		try {
			for await (const piece of connection) {
				failures = 0;
				next = piece.next;
				yield piece;
			}
		} catch (error) {
			if (!isTemporary(error) || performance.now() >= session.endsAt) {
				throw await session.explain(error);
			}
			failure = error;
		}
		if (isLast) return;
		if (failures > 0 || failure) await pauseAfter(failure, failures + 1, signal);
		await session.insist(() => session.refresh({ signal }), signal);
		// After a clean end nothing is missing; after a failure the rest is fetched again.
		if (session.over.aborted && !failure) return;
	}
}
