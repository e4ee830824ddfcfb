// The pages on a separate host: the cookie and CORS work with the API, for these pages only.
import { createServer, type Server } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../core/test/support/free-port.ts';
import {
	describeInBrowser,
	serve,
	serveClientLibrary,
	useBrowser,
} from './support/browser-tests.ts';

const newContext = useBrowser();

describeInBrowser('with the pages on a host of their own', () => {
	let service: Awaited<ReturnType<typeof serve>>;
	let elsewhere: { server: Server; port: number };
	let context: BrowserContext;
	let page: Page;

	beforeAll(async () => {
		service = await serve({ web: 'app.boards.localhost', api: 'api.boards.localhost' });
		elsewhere = await serveForms(service.webUrl);
		context = await newContext({});
		await serveClientLibrary(context);
		page = await context.newPage();
		await page.goto(`${service.webUrl}/login`);
		await page.getByLabel('Email address').fill(service.demo.email);
		await page.getByLabel('Password').fill(service.demo.password);
		await page.locator('main').getByRole('button', { name: 'Log in' }).click();
		await page.waitForURL('**/boards');
	});
	afterAll(async () => {
		await context?.close();
		elsewhere?.server.close();
		await service?.stop();
	});

	const get = (from: Page, headers: Record<string, string> = {}) =>
		from.evaluate(
			async ([url, sent]) => {
				const answer = await fetch(url, { credentials: 'include', headers: sent });
				return { status: answer.status, body: await answer.json() };
			},
			[`${service.baseUrl}/v1/auth/keys`, headers] as const,
		);

	test('the API accepts the cookie', async () => {
		const { status, body } = await get(page);
		expect(status).toBe(200);
		expect(body.data).toEqual([expect.objectContaining({ label: 'Demo' })]);
	});

	test('the cookie takes precedence over a key', async () => {
		const { body } = await get(page, { authorization: `Bearer ${service.demo.freeApiKey}` });
		expect(body.data).toEqual([expect.objectContaining({ label: 'Demo' })]);
	});

	test('without the cookie the key is used', async () => {
		const stranger = await (await newContext({})).newPage();
		await stranger.goto(`${service.webUrl}/login`);
		expect((await get(stranger)).status).toBe(401);
		const { body } = await get(stranger, { authorization: `Bearer ${service.demo.freeApiKey}` });
		expect(body.data).toEqual([expect.objectContaining({ label: 'Demo, free tier' })]);
		await stranger.context().close();
	});

	test('the client library works in a page with the cookie alone', async () => {
		// As text, for the test runner would rewrite the import.
		const used = await page.evaluate(`(async () => {
			const { BoardAccess } = await import('/client/index.js');
			const client = new BoardAccess({ baseUrl: '${service.baseUrl}', apiKey: null });
			const boards = await client.boards.list();
			const { id, key } = await client.keys.create({ label: 'from a page' });
			const revoked = await client.keys.revoke(id);
			return { boards: boards.length, key, same: revoked.id === id };
		})()`);
		expect(used).toEqual({
			boards: 20,
			key: expect.stringMatching(/^key_[0-9a-f]{48}$/),
			same: true,
		});
	});

	test('a page of another origin cannot read the API', async () => {
		const other = await context.newPage();
		await other.goto(`http://evil.boards.localhost:${elsewhere.port}/`);
		await expect(get(other)).rejects.toThrow('Failed to fetch');
		await other.close();
	});

	test.each(['evil.localhost', 'evil.boards.localhost'])(
		'a form on %s cannot change anything',
		{ tags: 'long' },
		async (host) => {
			for (const path of ['/keys', '/credits/top-up', '/logout']) {
				const other = await context.newPage();
				await other.goto(`http://${host}:${elsewhere.port}${path}`);
				await other.getByRole('button').click();
				await other.getByText('This request came from another site').waitFor();
				await other.close();
			}
			expect((await get(page)).body.data).toHaveLength(1);
		},
	);

	test('a request for a page at the API host redirects to the host of the pages', async () => {
		const moved = await context.newPage();
		await moved.goto(`${service.baseUrl}/boards?status=offline`);
		expect(moved.url()).toBe(`${service.webUrl}/boards?status=offline`);
		await moved.close();
	});
});

/** Another site, whose pages send forms here. */
const serveForms = async (target: string) => {
	const port = await freePort();
	const server = createServer((request, response) => {
		response.setHeader('content-type', 'text/html');
		response.end(
			`<form method="post" action="${target}${request.url}"><input name="credits" value="25"><button>Win</button></form>`,
		);
	}).listen(port, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	return { server, port };
};
