// Reads the console from an offset on, and reconnects as needed.
import { ConnectionError, invalidResponse, RequestTimeoutError } from '../../errors/errors.ts';
import { redactedCause } from '../../errors/redact.ts';
import { call } from '../../http/call.ts';
import { isTemporary, waitFor } from '../../http/outages.ts';
import { abortable, followLater, followSignals, pause, quietTimer } from '../../http/signals.ts';
import type { RequestOptions } from '../../settings/settings.ts';
import { offsetIn, type Shared } from '../helpers.ts';
import type { TrackedLease } from '../tracked-lease.ts';
import type { ConsoleHealth } from './health.ts';

/** How long to read on after the lease has ended. */
const drainMs = 2_000;

/** Limits the waits, so that a reconnection is reported within 5 seconds. */
const maxFailures = 3;

/** Short, so that an outage is reported within 5 seconds. */
const maxRefreshMs = 4_000;

/** How long to retry without a response: at least this, or the minutes of the lease. */
const minPatienceMs = 60_000;

const openingMs = 10_000;
const silenceCheckMs = 500;

/** Bytes of the console, and the offset of those that follow. */
export interface ConsoleChunk {
	bytes: Uint8Array;
	next: number;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

interface Reading {
	position: { next: number };
	signal: AbortSignal;
	headers: RequestOptions['headers'];
	health: ConsoleHealth;
}

/** Ends when the lease was released; throws when it ended otherwise. */
export async function* consoleChunks(
	lease: TrackedLease,
	{ signal: caller, ...reading }: Reading,
): AsyncGenerator<ConsoleChunk, void, undefined> {
	const drained = followLater(lease.over, drainMs, caller);
	const { signal, end } = followSignals([caller, drained.signal]);
	try {
		yield* chunksUntilEnd(lease, { ...reading, signal });
	} catch (error) {
		caller.throwIfAborted();
		if (!lease.over.aborted) throw error;
	} finally {
		drained.end();
		end();
	}
	if (lease.record.endReason !== 'released') throw lease.endedError();
}

async function* chunksUntilEnd(lease: TrackedLease, reading: Reading) {
	const { position, signal, headers, health } = reading;
	const patience = Math.max(minPatienceMs, (lease.record.minutes ?? 0) * 60_000);
	for (let failures = 0; ; ) {
		const { next } = position;
		const isLast = lease.over.aborted;
		let failure: unknown;
		try {
			const wasSilent = yield* connectionChunks(lease, reading);
			if (isLast) return;
			if (wasSilent) {
				failures = 0;
				continue;
			}
			// The stream ends with the lease, or with a process of the service.
			await lease.refresh({ signal, headers, maxRetries: 0, timeout: maxRefreshMs });
			if (lease.over.aborted) return;
		} catch (error) {
			signal.throwIfAborted();
			const isHopeless = isLast || !isTemporary(error) || health.lostForMs > patience;
			if (isHopeless) throw await lease.explain(error);
			failure = error;
			health.failed(error);
		}
		if (position.next !== next) failures = 0;
		failures = Math.min(failures + 1, maxFailures);
		await pause(waitFor(failure, failures), signal);
	}
}

/** The chunks of one connection. Returns whether it was closed because it was silent. */
async function* connectionChunks(
	lease: TrackedLease,
	{ position, signal: caller, headers, health }: Reading,
): AsyncGenerator<ConsoleChunk, boolean, undefined> {
	const { signal, abort } = followSignals([caller]);
	const silent = new RequestTimeoutError(silenceCheckMs, 'output of the console');
	let timer: ReturnType<typeof setTimeout> | undefined;
	let reader: Reader | undefined;
	const check = () => {
		if (health.isTooSilent) abort(silent);
		else timer = quietTimer(check, silenceCheckMs);
	};
	signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
	try {
		health.opening();
		const from = position.next;
		const opened = await openConsole(lease, from, { signal, headers });
		const { start, shown } = opened;
		reader = opened.reader;
		position.next = start;
		// Marks the gap.
		if (start !== from) yield { bytes: new Uint8Array(), next: start };
		health.opened(shown - start, () => abort(silent));
		check();
		for await (const bytes of chunksOf(reader, signal)) {
			position.next += bytes.length;
			health.received(bytes.length);
			yield { bytes, next: position.next };
		}
		return false;
	} catch (error) {
		if (error === silent) return true;
		throw error;
	} finally {
		health.closed();
		abort(new Error('The console is no longer read'));
		reader?.cancel().catch(() => {}); // it may have failed already
	}
}

async function openConsole(lease: TrackedLease, from: number, shared: Shared) {
	return await call(lease.send, 'GET /v1/leases/{id}/console', {
		ids: lease.ids,
		query: { from },
		asStream: true,
		options: { ...shared, timeout: openingMs, maxRetries: 0 },
		read: (_body, _where, { headers, body }) => {
			if (!body) throw invalidResponse('The response is not of the console');
			// The service names another offset when it no longer has the bytes from there on.
			const start = offsetIn(headers);
			return {
				reader: body.getReader(),
				start,
				shown: Number(headers.get('x-console-end') ?? start),
			};
		},
	});
}

async function* chunksOf(reader: Reader, signal: AbortSignal) {
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
	}
}
