// Rejects a request whose Host header is invalid, or names a host that this service does not have.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { ApiError, type Settings } from 'board-access-core';
import { errorResponse } from '../respond.ts';

/** Passes requests on to the listener if their Host header is one that may be trusted. */
export function withValidHost(
	listener: RequestListener,
	settings: Pick<Settings, 'baseUrl' | 'webUrl'>,
): RequestListener {
	const check = hostCheck(settings);
	return (incoming, outgoing) => {
		const error = check(incoming);
		if (error) void reject(error, outgoing);
		else listener(incoming, outgoing);
	};
}

async function reject(error: ApiError, outgoing: ServerResponse) {
	const response = errorResponse(error, randomUUID());
	const headers = Object.fromEntries(response.headers);
	outgoing.writeHead(response.status, { ...headers, connection: 'close' });
	outgoing.end(await response.text());
}

/** Whether an address has a host name of its own: neither an IP address nor `localhost`. */
export function hasName(url: string) {
	const { hostname } = new URL(url);
	return hostname !== 'localhost' && isIP(hostname.replace(/[[\]]/g, '')) === 0;
}

/** Returns a function that returns the error of a request, if its Host header is not one that may be trusted. */
export function hostCheck({ baseUrl, webUrl }: Pick<Settings, 'baseUrl' | 'webUrl'>) {
	const isNamed = [baseUrl, webUrl].some(hasName);
	return ({ headers: { host }, headersDistinct }: IncomingMessage) => {
		const url = `http://${host}`;
		const isOne = headersDistinct.host?.length === 1;
		if (!isOne || !host || /[/?#@\\\s]/.test(host) || !URL.canParse(url)) {
			return new ApiError('invalid_request', 'The Host header is missing, repeated or invalid.');
		}
		// Until the operator names the service, a page of another site that points its own name at this
		// machine could read it through a visitor's browser.
		if (isNamed || !hasName(url)) return undefined;
		return new ApiError('invalid_request', 'This service does not know the host of the request.', {
			hint: 'Use the IP address or localhost, or set BASE_URL to the address of the service.',
		});
	};
}
