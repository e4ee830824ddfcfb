// One connection to the console of a lease: its bytes, until it ends or fails.
import { ConnectionError, TimeoutError } from '../../errors/errors.ts';
import { redactedCause } from '../../errors/redact.ts';
import { abortable } from '../../http/deadline.ts';
import { joinSignals, quietTimer } from '../../http/persistence.ts';
import { offsetIn } from '../helpers.ts';
import type { LeaseSession } from '../session.ts';
import type { ConsoleHealth } from './health.ts';
import { openStream } from './open-stream.ts';

const silenceCheckMs = 500;

/** Bytes of the console, and the offset of those that follow. */
export interface ConsolePiece {
	bytes: Uint8Array;
	next: number;
}

interface Reading {
	/** Where the console is read; moves on with each piece. */
	position: { next: number };
	signal: AbortSignal;
	health: ConsoleHealth;
}

/** Returns whether the connection was closed only because it was silent. */
export async function* connectionPieces(
	session: LeaseSession,
	{ position, signal: caller, health }: Reading,
): AsyncGenerator<ConsolePiece, boolean, undefined> {
	const { signal, abort, detach } = joinSignals(caller);
	const silent = new TimeoutError(silenceCheckMs, 'response of the console');
	let isOpen = false;
	health.replace = () => abort(silent);
	let timer: ReturnType<typeof setTimeout> | undefined;
	const check = () => {
		if (signal.aborted) return;
		if (health.isTooSilent) abort(silent);
		else timer = quietTimer(check, silenceCheckMs);
	};
	signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
	try {
		health.opening();
		check();
		const from = position.next;
		const { body, start, end } = await openConsole(session, from, signal);
		isOpen = true;
		position.next = start;
		// First, because nothing may follow the bytes that are missing.
		if (start !== from) yield { bytes: new Uint8Array(), next: start };
		health.opened(end - start);
		for await (const bytes of chunksOf(body, signal)) {
			position.next += bytes.length;
			health.received(bytes.length);
			yield { bytes, next: position.next };
		}
		return false;
	} catch (error) {
		if (isOpen && error === silent) return true;
		throw error;
	} finally {
		health.closed();
		detach();
		abort(new Error('The console is no longer read'));
	}
}

async function openConsole(session: LeaseSession, from: number, signal: AbortSignal) {
	const opening = openStream(session.transport, {
		path: `${session.path}/console`,
		query: { from },
		signal,
	});
	const { headers, body } = await abortable(opening, signal);
	// The service names another offset when it no longer has the bytes from there on.
	const start = offsetIn(headers);
	return { body, start, end: Number(headers.get('x-console-end') ?? start) };
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
			outcome: 'rejected', // reading changes nothing
		});
	} finally {
		reader.cancel().catch(() => {}); // it may have failed already
	}
}
