// What is compressed, for whom, and what never is.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetPath } from '../../../web/src/assets.ts';
import { createTestService, type TestService } from '../../src/testing.ts';
import { origin, signUp } from './support/lab.ts';

let service: TestService;
let cookie: string;
beforeAll(async () => {
	service = await createTestService();
	cookie = await signUp(service, 'small@example.com', { paid: true });
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string>) =>
	service.fetch(origin + path, { headers });

const identity = async (path: string) => Buffer.from(await (await get(path, {})).arrayBuffer());

test.each([
	['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
	['gzip, deflate', 'gzip', gunzipSync],
	['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
])('a browser that accepts “%s” gets a script as %s', async (accepted, encoding, decode) => {
	const path = assetPath('terminal.js');
	for (let time = 0; time < 2; time += 1) {
		const response = await get(path, { 'accept-encoding': accepted });
		expect(response.headers.get('content-encoding')).toBe(encoding);
		expect(response.headers.get('vary')).toBe('accept-encoding');
		const body = Buffer.from(await response.arrayBuffer());
		expect(body.length).toBeLessThan(100_000);
		expect(decode(body).equals(await identity(path))).toBe(true);
	}
});

test.each(['', 'br;q=0', 'zstd'])(
	'without a known encoding, “%s”, a script is sent as it is',
	async (accepted) => {
		const response = await get(assetPath('lease.js'), { 'accept-encoding': accepted });
		expect(response.headers.get('content-encoding')).toBeNull();
		expect(response.headers.get('vary')).toBe('accept-encoding');
	},
);

const browser = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' };

test.each(['same-origin', 'none'])('a page is compressed for a request from “%s”', async (site) => {
	const response = await get('/boards', { ...browser, cookie, 'sec-fetch-site': site });
	expect(response.headers.get('content-encoding')).toBe('gzip');
	expect(response.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
	const text = gunzipSync(await response.arrayBuffer()).toString();
	expect(text).toContain('</html>');
});

// Another site learns nothing from the length of a page that contains its own words beside private ones.
test.each(['cross-site', 'same-site', ''])(
	'a page is not compressed for a request from “%s”',
	async (site) => {
		const response = await get('/keys?q=key_', { ...browser, cookie, 'sec-fetch-site': site });
		expect(response.headers.get('content-encoding')).toBeNull();
		expect(await response.text()).toContain('</html>');
	},
);

test.each(['/v1/boards', '/openapi.json'])('the API sends %s as it is', async (path) => {
	const accept = 'application/json';
	const response = await get(path, { ...browser, accept, cookie, 'sec-fetch-site': 'same-origin' });
	expect(response.status).toBe(200);
	expect(response.headers.get('content-encoding')).toBeNull();
});
