import { expect, test } from 'vitest';
import { sharedDomain } from '../../../src/http/cookies.ts';
import { createTestService } from '../../../src/testing.ts';

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

test.each([
	[
		{ baseUrl: 'http://localhost', webUrl: 'http://localhost' },
		/^board_access\.session_token=[^;]+;(?!.*(Secure|Domain))/,
	],
	[
		{ baseUrl: 'https://boards.example.com', webUrl: 'https://boards.example.com' },
		/^__Host-board_access\.session_token=[^;]+;(?!.*Domain).*Path=\/;.*Secure/,
	],
	[
		{ baseUrl: 'https://api.example.com', webUrl: 'https://boards.example.com' },
		/^__Secure-board_access\.session_token=.*Domain=example\.com;.*Secure/,
	],
])('with %j the cookie has the narrowest domain, and the login works', async (addresses, line) => {
	const service = await createTestService(addresses);
	const web = addresses.webUrl;
	const { email, password } = service.demo;
	const body = new URLSearchParams({ email, password });
	const headers = { origin: web };
	const entered = await service.fetch(`${web}/login`, { method: 'POST', body, headers });
	const [cookie = '', device = ''] = entered.headers.getSetCookie();
	expect(device).toMatch(
		/\.device=[\w-]{32}; Max-Age=34560000; Path=\/; HttpOnly;.* SameSite=Lax$/,
	);
	expect(cookie).toMatch(line);
	const sent = { cookie: cookie.split(';')[0] ?? '' };
	const response = await service.fetch(`${addresses.baseUrl}/v1/boards`, { headers: sent });
	expect(response.status).toBe(200);
	const document = await service.fetch(`${addresses.baseUrl}/openapi.json`);
	const { name } = (await document.json()).components.securitySchemes.session;
	expect(cookie).toContain(`${name}=`);
	const left = await service.fetch(`${web}/logout`, { method: 'POST', headers });
	const [notice = ''] = left.headers.getSetCookie().slice(-1);
	expect(notice).toContain('board_access.notice=logged-out');
	for (const line of [...entered.headers.getSetCookie(), ...left.headers.getSetCookie()]) {
		expect(line).toMatch(web.startsWith('https:') ? /^__(Host|Secure)-.*; Secure/ : /; HttpOnly/);
		expect(/Domain=/.test(line)).toBe(line.startsWith('__Secure-board_access.session_token'));
	}
	await service.close();
});
