// A real browser for tests, and a service on real addresses. Without a browser these tests are
// skipped, except in CI, where they are required.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { freePort } from '../../../../core/test/support/free-port.ts';
import { startServer } from '../../../src/server.ts';
import { browserPath, launch } from './browser.ts';
import type { Role, Sessions } from './lab.ts';

const possible = browserPath !== undefined || process.env.CI !== undefined;
if (!possible) console.warn('No Chromium found (CHROMIUM_PATH): tests in a browser are skipped.');

export const describeInBrowser = describe.skipIf(!possible);

/** One browser for a file of tests. */
export function useBrowser() {
	let browser: Browser;
	if (possible) {
		beforeAll(async () => {
			browser = await launch();
		});
		afterAll(() => browser?.close());
	}
	return (options: BrowserContextOptions) => browser.newContext(options);
}

/** Serves the demo service on a port that was unused a moment ago. */
export async function serve(hosts: { web?: string; api?: string } = {}) {
	const { web = 'localhost', api = web } = hosts;
	const port = await freePort();
	const webUrl = `http://${web}:${port}`;
	const baseUrl = `http://${api}:${port}`;
	const server = await startServer({ port, host: '127.0.0.1', demo: true, baseUrl, webUrl });
	if (!server.demo) throw new Error('The demo data was not created');
	return { webUrl, baseUrl, demo: server.demo, stop: server.stop };
}

/** The session of a role as a browser keeps it. */
export function cookiesOf(sessions: Sessions, role: Role, url: string) {
	const [name, value] = sessions[role].split(/=(.*)/s);
	return name && value ? [{ name, value, url }] : [];
}

/** Serves the client library as it is published, in all its files, under `/client/`. */
export function serveClientLibrary(context: BrowserContext) {
	return context.route('**/client/*.js', async (route) => {
		const name = basename(new URL(route.request().url()).pathname);
		const body = await readFile(new URL(`../../../../dist/${name}`, import.meta.url), 'utf8');
		await route.fulfill({ contentType: 'text/javascript', body });
	});
}
