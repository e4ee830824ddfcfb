// Opens a response that is a stream of bytes: once, without retries.

import { invalidResponse } from '../../errors/invalid-response.ts';
import { createAttempts } from '../../http/attempts.ts';
import type { ReceivedResponse } from '../../http/exchange.ts';
import type { Transport } from '../../http/request.ts';
import { attachResponse, readResponse } from '../../http/response.ts';
import { open, receive } from '../../http/send.ts';

const accept = 'application/octet-stream';

interface StreamRequest {
	path: string;
	query?: Readonly<Record<string, unknown>>;
	/** Ends the response early. */
	signal: AbortSignal;
}

export async function openStream(transport: Transport, { path, query, signal }: StreamRequest) {
	const method = 'GET';
	const options = { headers: { accept } };
	const { addAttempt, attachAttempts } = createAttempts(method, path, transport.settings.observers);
	const startedAt = performance.now();
	let received: ReceivedResponse | undefined;
	try {
		const request = await transport.prepare({ method, path, query, options });
		const response = await open(request, signal);
		const { status, body, headers, redirected } = response;
		const isStream = headers.get('content-type') === accept;
		if (status !== 200 || !isStream || !body || redirected) {
			received = await receive(request, response, signal);
			readResponse(received, {});
			throw invalidResponse('The response is not of the console');
		}
		addAttempt({ startedAt, response: { status, headers, redact: request.redact } });
		return { headers, body };
	} catch (error) {
		if (received) attachResponse(error, received);
		addAttempt({ startedAt, response: received, error });
		attachAttempts(error);
		throw error;
	}
}
