// HSTS: browsers that have seen a service with an https address never use http for it again.
import type { RequestListener } from 'node:http';
import type { Settings } from '../env.ts';

const oneYear = 365 * 24 * 60 * 60;

/** Adds Strict-Transport-Security to every response if the addresses of the service are https. */
export function withStrictTransport(
	listener: RequestListener,
	{ baseUrl, webUrl }: Pick<Settings, 'baseUrl' | 'webUrl'>,
): RequestListener {
	if (![baseUrl, webUrl].every((url) => url.startsWith('https:'))) return listener;
	return (incoming, outgoing) => {
		outgoing.setHeader('strict-transport-security', `max-age=${oneYear}`);
		listener(incoming, outgoing);
	};
}
