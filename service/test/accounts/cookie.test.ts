import { expect, test } from 'vitest';
import { sharedDomain } from '../../src/accounts/cookie.ts';

test.each([
	['https://api.example.com', 'https://boards.example.com', 'example.com'],
	['https://example.com', 'https://boards.example.com', 'example.com'],
	['https://example.com', 'https://example.com:8443', undefined],
	['https://api.example.com', 'https://boards.example.org', undefined],
	['http://10.0.0.1', 'http://10.1.0.1', undefined],
	['http://localhost', 'http://127.0.0.1', undefined],
])('%s and %s share the cookie domain %s', (baseUrl, webUrl, domain) => {
	expect(sharedDomain(baseUrl, webUrl)).toBe(domain);
});
