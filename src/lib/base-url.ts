// Reads the address of the service as people write it, and says what is wrong without showing a password.
import { ConfigurationError } from '../errors.ts';

/**
 * The address without a slash at its end, or a {@link ConfigurationError}. `source` is where it came
 * from, for the message.
 *
 * @example
 * ```ts
 * const baseUrl = readBaseUrl(config.address, 'the file config.json');
 * ```
 */
export function readBaseUrl(
	given: string | URL,
	source: string,
	{ allowInsecureHttp }: { allowInsecureHttp?: boolean | undefined } = {},
): URL {
	const wrong = (code: string, what: string, hint?: string) =>
		new ConfigurationError(`The address from ${source} ${what}`, { code, hint });
	const text = String(given).trim();
	if (text === '') {
		throw wrong(
			'base_url_missing',
			'is missing',
			'Set SERVICE_BASE_URL or pass a base URL. A service to try: npx board-access-service start --demo',
		);
	}
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol)) {
		throw wrong('base_url_invalid', 'is not one such as https://boards.example.com');
	}
	if (url.username || url.password || /[?#]/.test(url.href)) {
		throw wrong('base_url_invalid', 'has a user name, a password, "?" or "#" in it');
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecureHttp) {
		throw wrong(
			'insecure_http',
			'is plain http to another machine, where the API key could be read on the way',
			'Use https. In code, allowInsecureHttp permits plain http on a network of your own.',
		);
	}
	url.pathname = url.pathname.replace(/\/+$/, '');
	if (url.pathname.endsWith('/v1')) {
		throw wrong('base_url_invalid', 'ends in /v1, which every call adds itself', 'Leave /v1 out.');
	}
	return url;
}

function isLoopback(hostname: string) {
	return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
