// What every page tells the browser: nothing from elsewhere, nothing inline.

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
		'cross-origin-opener-policy': 'same-origin',
		'referrer-policy': 'same-origin',
	};
}
