// What every page tells the browser: load nothing from elsewhere, run nothing inline, cache nothing.

/** The headers of a page; its scripts may send requests to `apiOrigin`. */
export function pageHeaders(apiOrigin = '') {
	return {
		'content-security-policy': [
			"default-src 'none'",
			"script-src 'self'",
			"style-src 'self'",
			"img-src 'self' data:",
			`connect-src 'self' ${apiOrigin}`.trim(),
			"form-action 'self'",
			"frame-ancestors 'none'",
			"base-uri 'none'",
		].join('; '),
		'cache-control': 'no-store',
		'cross-origin-opener-policy': 'same-origin',
		'referrer-policy': 'same-origin',
		'x-content-type-options': 'nosniff',
	};
}
