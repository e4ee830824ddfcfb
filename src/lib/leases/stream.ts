// Opens a streaming response: once, without retries.

import { createAttempts } from '../attempts.ts';
import { explain } from '../explain.ts';
import { invalidResponse } from '../invalid-response.ts';
import type { Transport } from '../request.ts';
import { readResponse } from '../response.ts';
import { open, type ReceivedResponse, receive } from '../send.ts';

interface StreamRequest {
	path: string;
	query?: Readonly<Record<string, unknown>>;
	headers?: Readonly<Record<string, string>>;
	/** Ends the response early. */
	signal: AbortSignal;
}

export async function openStream(
	transport: Transport,
	{ path, query, headers, signal }: StreamRequest,
) {
	const method = 'GET';
	const { addAttempt, attachAttempts } = createAttempts(method, path, transport.settings.observers);
	const startedAt = performance.now();
	let received: ReceivedResponse | undefined;
	try {
		const request = await transport.prepare({ method, path, query, options: { headers } });
		const response = await open(request, signal);
		const { status, body, redirected } = response;
		if (status !== 200 || body === null || redirected) {
			received = await receive(request, response, signal);
			readResponse(received, {});
			throw invalidResponse('The response is not a stream');
		}
		addAttempt({
			startedAt,
			response: { status, headers: response.headers, redact: request.redact },
		});
		return { headers: response.headers, body };
	} catch (thrown) {
		const error = received ? explain(thrown, received) : thrown;
		addAttempt({ startedAt, response: received, error });
		attachAttempts(error);
		throw error;
	}
}
