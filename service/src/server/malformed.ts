// Responses to requests that the application cannot respond to: they are not HTTP, their address cannot be read, or
// the application breaks on them.
import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError } from '@hono/node-server';
import { ApiError, type Core } from 'board-access-core';
import { errorResponse } from 'board-access-http/respond';

/** Sends a response with a request identifier to what the parser of Node.js rejects. */
export function respondToMalformed(server: Server) {
	server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
		if (!socket.writable || hasBegunResponse(socket)) {
			socket.destroy();
			return;
		}
		// A caller who goes on sending must not keep the connection open.
		socket.end(plainResponse(known[error.code ?? ''] ?? malformed), () => socket.destroy());
	});
	// An expectation that is not known may be ignored.
	server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
}

/** The response to a request on which the application failed, for the HTTP adapter. */
export function respondToBroken(log: Core['log']) {
	return (error: unknown) => {
		const requestId = randomUUID();
		const isInvalid = error instanceof RequestError;
		if (!isInvalid)
			log.error({ request: requestId, error }, 'A request failed outside the application');
		const reason = isInvalid
			? new ApiError('invalid_request', 'The address of the request is invalid.')
			: new ApiError('internal', 'Something went wrong on our side.');
		return errorResponse(reason, requestId);
	};
}

const malformed = [400, 'This is not a valid HTTP request.'] as const;

const known: Record<string, readonly [status: number, message: string]> = {
	HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large.'],
	ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

function plainResponse([status, message]: readonly [status: number, message: string]) {
	const requestId = randomUUID();
	const body = JSON.stringify({
		error: { code: 'invalid_request', message, request_id: requestId },
	});
	return [
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
		'Content-Type: application/json',
		`Content-Length: ${Buffer.byteLength(body)}`,
		`X-Request-Id: ${requestId}`,
		'X-Content-Type-Options: nosniff',
		'Cache-Control: no-store',
		'Connection: close',
		'',
		body,
	].join('\r\n');
}

/** Whether part of another response is on the connection, in the middle of which nothing belongs. */
function hasBegunResponse(socket: Socket & { _httpMessage?: { headersSent: boolean } | null }) {
	// Node.js has no public name for the response that a connection is sending.
	return socket._httpMessage?.headersSent ?? false;
}
