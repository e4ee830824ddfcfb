// Reads the address of the service as people write it. Errors never quote it, because it may contain a password.
import { isLoopback } from '../contract/names.ts';
import type { ConfigurationErrorCode } from '../errors/details.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { fieldsOf } from '../records/json.ts';

/** What a base URL may be. */
export interface BaseUrlRules {
	/** Whether plain `http` to other machines is allowed. */
	allowInsecureHttp?: boolean | undefined;
}

/**
 * The base URL without a slash at its end. Throws a {@link ConfigurationError} if it is invalid.
 *
 * @param given - The address as it was written.
 * @param source - Where it comes from, for the message.
 * @param rules - What is allowed.
 *
 * @example
 * ```ts
 * const baseUrl = readBaseUrl(config.address, 'the file config.json');
 * ```
 */
export function readBaseUrl(
	given: string | URL,
	source: string,
	{ allowInsecureHttp }: BaseUrlRules = {},
): URL {
	const invalid = (code: ConfigurationErrorCode, what: string, hint?: string) =>
		new ConfigurationError(`The base URL from ${source} ${what}`, { code, hint });
	const text = (typeof given === 'string' ? given : String(fieldsOf(given).href)).trim();
	if (text === '') {
		throw invalid(
			'base_url_missing',
			'is missing',
			'Set SERVICE_BASE_URL or pass baseUrl. To try a local service: npx --no-install board-access-service start --demo',
		);
	}
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol)) {
		throw invalid('base_url_invalid', 'is not an address such as https://boards.example.com');
	}
	if (url.username || url.password || /[?#]/.test(url.href)) {
		throw invalid('base_url_invalid', 'must not contain a user name, a password, "?" or "#"');
	}
	// Browsers keep `*.localhost` on this machine, too.
	const isLocal = isLoopback(url.hostname) || (isBrowser() && url.hostname.endsWith('.localhost'));
	if (url.protocol === 'http:' && !isLocal && !allowInsecureHttp) {
		throw invalid(
			'insecure_http',
			'is plain http to another machine, so the API key could be read in transit',
			'Use https. In code, allowInsecureHttp permits plain http on your own network.',
		);
	}
	url.pathname = url.pathname.replace(/\/+$/, '');
	if (url.pathname.endsWith('/v1')) {
		throw invalid('base_url_invalid', 'ends in /v1, which every request adds', 'Remove /v1.');
	}
	return url;
}

/** The address of a path that begins with a slash. */
export function addressOf(baseUrl: URL, path: string): string {
	return baseUrl.href.replace(/\/$/, '') + path;
}

/** A page or one of its workers: visitors can read what runs there, and cookies are sent along. */
export function isBrowser() {
	return ('window' in globalThis && 'document' in globalThis) || 'importScripts' in globalThis;
}
