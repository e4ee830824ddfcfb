// What the page of a lease sends to its console.
import { afterEach, expect, test, vi } from 'vitest';

const address = new URL('../../src/web/assets/lease-console.js', import.meta.url).href;

afterEach(() => vi.unstubAllGlobals());

test('text that the service can no longer compare is shown as perhaps sent, and not sent again', async () => {
	const { consoleWriter } = await import(address);
	const error = { code: 'console_gap', message: 'The input at offset 0 is no longer kept.' };
	const fetch = vi.fn(async () => Response.json({ error }, { status: 409 }));
	fetch.mockRejectedValueOnce(new TypeError('the response was lost'));
	vi.stubGlobal('fetch', fetch);
	const refuse = vi.fn();
	consoleWriter('lse_1', refuse)({ tab: 'one', text: 'reboot\r', offset: 0 });
	await vi.waitFor(() => expect(refuse).toHaveBeenCalled(), { timeout: 5_000 });
	const refused = { tab: 'one', text: 'reboot\r', reason: error.message, offset: 0 };
	expect(refuse.mock.calls).toEqual([[refused]]);
	expect(fetch).toHaveBeenCalledTimes(2);
});

test('text that only a proxy has accepted is sent again', async () => {
	const { consoleWriter } = await import(address);
	const accepted = () => new Response(null, { status: 204, headers: { 'x-console-offset': '6' } });
	const fetch = vi.fn(async () => accepted()).mockResolvedValueOnce(new Response('<html>'));
	vi.stubGlobal('fetch', fetch);
	const refuse = vi.fn();
	consoleWriter('lse_1', refuse)({ tab: 'one', text: 'reset\r', offset: 0 });
	await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(2), { timeout: 5_000 });
	expect(refuse).not.toHaveBeenCalled();
});
