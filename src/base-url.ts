// Reads the address of the service as people write it, and says what is wrong without showing a password.
import { ConfigurationError } from './errors.ts';

const wrong = (message: string, hint?: string) =>
	new ConfigurationError(message, { code: 'base_url_invalid', hint });

const isLoopback = (hostname: string) =>
	/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/**
 * The address without a slash at its end, or a {@link ConfigurationError}. `source` is where it came
 * from, for the message.
 *
 * @example
 * ```ts
 * const baseUrl = readBaseUrl(config.address, 'the file config.json');
 * ```
 */
export const readBaseUrl = (
	given: string | URL,
	source: string,
	{ allowInsecureHttp }: { allowInsecureHttp?: boolean | undefined } = {},
): URL => {
	const text = String(given).trim();
	if (text === '') {
		throw new ConfigurationError(`The address of the service is not known: ${source} is not set`, {
			code: 'base_url_missing',
			hint: 'Set SERVICE_BASE_URL or pass baseUrl. A service to try: npx board-access-service start --demo',
		});
	}
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol)) {
		throw wrong(`${source} must be an address such as https://boards.example.com`);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw wrong(`${source} must be an address without user name, password, "?" and "#"`);
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecureHttp) {
		throw new ConfigurationError(
			`${source} is plain http to another machine, where the API key could be read on the way`,
			{
				code: 'insecure_http',
				hint: 'Use https, or set allowInsecureHttp if the network is your own.',
			},
		);
	}
	url.pathname = url.pathname.replace(/\/+$/, '');
	if (url.pathname.endsWith('/v1')) {
		throw wrong(`${source} ends in /v1, which every call adds itself`, 'Leave /v1 out.');
	}
	return url;
};
