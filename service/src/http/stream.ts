// Streaming responses: they end with the source, the caller, its credential or the service.
import { confirmedPieces } from './confirm.ts';
import type { ServiceContext } from './environment.ts';
import { completeResponse } from './headers.ts';

/** Does some work when its turn has come. */
export type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Source {
	contentType: string;
	/** Aborted when the service stops. */
	stopping: AbortSignal;
	headers?: Record<string, string>;
	/** Yields the body and what it waits for in between, and returns when the signal aborts. */
	pieces(signal: AbortSignal): AsyncIterable<Uint8Array | (() => Promise<unknown>)>;
	/** Each piece is read in a turn, but none is held while the stream waits. */
	turn?: Turn;
	/** Called once when the response has ended, with whether the caller has closed it. */
	onEnd?: (closed: boolean) => void;
}

/** A response whose body follows an async iterable, at the pace of the reader: it asks for one piece at a time. */
export function respondStream(
	c: ServiceContext,
	{ contentType, stopping, headers, pieces, turn = (read) => read(), onEnd = () => {} }: Source,
) {
	const end = new AbortController();
	// The body keeps the request: Node forgets the signal of one that was collected.
	const request = c.req.raw;
	const caller = request.signal;
	let over = false;
	const finish = () => {
		stopping.removeEventListener('abort', abort);
		caller.removeEventListener('abort', abort);
		if (!over) onEnd(end.signal.aborted && !stopping.aborted);
		over = true;
	};
	// At once, because the body of a response whose caller has left may never be read.
	const abort = () => {
		end.abort();
		finish();
	};
	stopping.addEventListener('abort', abort, { once: true });
	caller.addEventListener('abort', abort, { once: true });
	if (stopping.aborted || caller.aborted) abort();
	const iterator = pieces(end.signal)[Symbol.asyncIterator]();
	const isConfirmed = confirmedPieces(c);
	// The body of a response to HEAD is not read.
	if (request.method === 'HEAD') finish();
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					for (;;) {
						const { done, value } = await turn(() => iterator.next());
						if (typeof value === 'function') await value();
						else if (done || !(await isConfirmed(value))) break;
						// An empty piece only has the credential confirmed.
						else if (value.length > 0) return controller.enqueue(value);
					}
					await iterator.return?.();
					finish();
					// What the platform's own fetch does to the body of a request that was aborted.
					if (request.signal.aborted) return controller.error(request.signal.reason);
					controller.close();
				} catch (error) {
					finish();
					controller.error(error);
				}
			},
			async cancel() {
				abort();
				await iterator.return?.();
			},
		},
		{ highWaterMark: 0 },
	);
	return completeResponse({
		body,
		status: 200,
		// Without the last one nginx holds a stream back until it ends.
		headers: { 'content-type': contentType, 'x-accel-buffering': 'no', ...headers },
		requestId: c.get('requestId'),
	});
}
