// Waiting for a change of the boards within one request. However many wait, the revision is read four
// times a second, and not at all while no request waits. Every change is seen, no matter who made it.
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { readBoardsRevision } from '../database/revisions.ts';

const lookEvery = 250;

/** Returns what reads the revision after a moment, once for all who wait for it. */
export function createNextRevision({ query }: Database) {
	let look: Promise<number> | undefined;
	return () => {
		look ??= delay(lookEvery)
			.then(() => readBoardsRevision(query))
			.finally(() => {
				look = undefined;
			});
		return look;
	};
}

interface Wait<Value> {
	milliseconds: number;
	/** Ends the wait early, with the value of then. */
	signal: AbortSignal;
	first: Value;
	isNew: (value: Value) => boolean;
	/** Reads the value again. */
	read: (revision: number) => Promise<Value>;
}

/** The first value that is new, or the last one once the time is up. */
export async function waitForNew<Value>(
	nextRevision: () => Promise<number>,
	{ milliseconds, signal, first, isNew, read }: Wait<Value>,
) {
	const deadline = performance.now() + milliseconds;
	const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
	const abort = () => resolve(undefined);
	signal.addEventListener('abort', abort, { once: true });
	let value = first;
	try {
		while (!isNew(value) && performance.now() < deadline && !signal.aborted) {
			const revision = await Promise.race([nextRevision(), aborted]);
			if (revision !== undefined) value = await read(revision);
		}
		return value;
	} finally {
		signal.removeEventListener('abort', abort);
	}
}
