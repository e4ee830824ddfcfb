// The console from an offset on, as one stream over as many connections as it takes.

import { followLater, isTemporary, joinSignals, pauseAfter } from '../../http/persistence.ts';
import type { LeaseSession } from '../session.ts';
import { type ConsolePiece, connectionPieces } from './connection.ts';
import type { ConsoleHealth } from './health.ts';

/** How long the rest of the console is waited for after the lease has ended. */
const drainMs = 2_000;

/** After so many failures in a row the waits do not get longer, so that the return is reported within 5 seconds. */
const mostFailures = 3;

/** Short, so that the loss of the service is reported within 5 seconds. */
const longestRefreshMs = 4_000;

/** How long the console is tried again without a response: at least this, or the minutes of the lease. */
const leastPatienceMs = 60_000;

interface Reading {
	from: number;
	signal: AbortSignal;
	health: ConsoleHealth;
}

/**
 * Ends when the lease was released, and throws the error of its end when it ended otherwise. What
 * the console showed until then comes first.
 */
export async function* consolePieces(
	session: LeaseSession,
	{ from, signal: caller, health }: Reading,
): AsyncGenerator<ConsolePiece, void, undefined> {
	const drained = followLater(session.over, drainMs, caller);
	const { signal, detach } = joinSignals(caller, drained.signal);
	try {
		yield* piecesUntilEnd(session, { from, signal, health });
	} catch (error) {
		caller.throwIfAborted();
		if (!session.over.aborted) throw error;
	} finally {
		drained.detach();
		detach();
	}
	if (session.record.endReason !== 'released') throw session.endedError();
}

async function* piecesUntilEnd(session: LeaseSession, { from, signal, health }: Reading) {
	const position = { next: from };
	const patience = Math.max(leastPatienceMs, (session.record.minutes ?? 0) * 60_000);
	for (let failures = 0; ; ) {
		const { next } = position;
		const isLast = session.over.aborted;
		let failure: unknown;
		try {
			const wasSilent = yield* connectionPieces(session, { position, signal, health });
			if (isLast) return;
			if (wasSilent) {
				failures = 0;
				continue;
			}
			// The stream ends with the lease, or with a process of the service.
			await session.refresh({ signal, maxRetries: 0, timeout: longestRefreshMs });
			if (session.over.aborted) return;
		} catch (error) {
			signal.throwIfAborted();
			const isHopeless = isLast || !isTemporary(error) || health.lostForMs > patience;
			if (isHopeless) throw await session.explain(error);
			failure = error;
			health.failed(error);
		}
		if (position.next !== next) failures = 0;
		failures = Math.min(failures + 1, mostFailures);
		if (failures > 1 || failure) await pauseAfter(failure, failures, signal);
	}
}
