// One connection to the console of a lease: its pieces, until it ends or fails.
import { ConnectionError, TimeoutError } from '../../errors.ts';
import { redactedCause } from '../redact.ts';
import { readEvents } from './server-sent-events.ts';
import type { LeaseSession } from './session.ts';
import { abortable, joinSignals } from './time.ts';

/** The service sends something every few seconds: after so much silence the connection is lost. */
const longestSilenceMs = 40_000;

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
	const { signal, abort, letGo } = joinSignals(caller);
	let timer: ReturnType<typeof setTimeout> | undefined;
	const heard = () => {
		clearTimeout(timer);
		timer = setTimeout(() => abort(new TimeoutError(longestSilenceMs)), longestSilenceMs);
	};
	try {
		heard();
		const { body } = await abortable(openConsole(session, from, signal), signal);
		if (body) yield* readPieces(chunksOf(body, { signal, heard }), from);
	} finally {
		clearTimeout(timer);
		letGo();
		abort(new Error('The console is no longer read'));
	}
}

async function openConsole(session: LeaseSession, from: number, signal: AbortSignal) {
	return await session.connection.stream({
		path: `${session.path}/console`,
		query: { from },
		headers: { accept: 'text/event-stream' },
		signal,
	});
}

/** The chunks of a body as they come; a failure to read them is a lost connection. */
async function* chunksOf(
	body: ReadableStream<Uint8Array>,
	{ signal, heard }: { signal: AbortSignal; heard: () => void },
) {
	const reader = body.getReader();
	try {
		for (;;) {
			const { done, value } = await abortable(reader.read(), signal);
			if (done) return;
			heard();
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

async function* readPieces(chunks: AsyncIterable<Uint8Array>, from: number) {
	let next = from;
	for await (const { id, event, data } of readEvents(chunks)) {
		if (/^\d+$/.test(id)) next = Number(id);
		if (event === 'dropped') yield { bytes: new TextEncoder().encode(dropped(data)), next };
		if (event === 'message' && data !== '') yield { bytes: fromBase64(data), next };
	}
}

function dropped(count: string) {
	return `\r\n[… ${count} bytes dropped …]\r\n`;
}

function fromBase64(text: string) {
	return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
