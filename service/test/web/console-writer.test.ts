// What the page of a lease sends to its console.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

const assets = new URL('../../../web/src/assets/lease/', import.meta.url).href;
const address = `${assets}typing/writer.js`;
const stream = `${assets}stream.js`;

afterEach(() => vi.unstubAllGlobals());

test('text that the service can no longer compare is shown as perhaps sent, and not sent again', async () => {
	const { consoleWriter } = await import(address);
	const error = { code: 'console_gap', message: 'The input at offset 0 is no longer kept.' };
	const fetch = vi.fn(async () => Response.json({ error }, { status: 409 }));
	fetch.mockRejectedValueOnce(new TypeError('the response was lost'));
	vi.stubGlobal('fetch', fetch);
	const refuse = vi.fn();
	consoleWriter('lse_1', refuse)({ tab: 'one', text: 'reboot\r', offset: 0 });
	await vi.waitFor(() => expect(refuse).toHaveBeenCalled(), { timeout: 15_000 });
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
	await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(2), { timeout: 15_000 });
	expect(refuse).not.toHaveBeenCalled();
});

test('keys are sent at once, and those typed during a request together, at the offset that another writer left', async () => {
	const { consoleWriter } = await import(address);
	const requests: { text: string; offset: string | null }[] = [];
	let end = 0;
	const responses: (() => void)[] = [];
	vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
		const offset = new URL(path, 'http://localhost').searchParams.get('offset');
		requests.push({ text: body, offset });
		await new Promise<void>((respond) => responses.push(respond));
		if (offset !== null && Number(offset) !== end) {
			const param = end < 200_000 ? String(end) : undefined;
			const error = { code: 'console_gap', message: 'Others have written.', param };
			return Response.json({ error }, { status: 409 });
		}
		end += body.length;
		return new Response(null, { status: 204, headers: { 'x-console-offset': String(end) } });
	});
	const refuse = vi.fn();
	const write = consoleWriter('lse_1', refuse);
	const respondUntil = async (text: string, offset: string) => {
		await vi.waitFor(() => {
			responses.shift()?.();
			expect(requests.at(-1)).toEqual({ text, offset });
		});
		responses.shift()?.();
	};
	write({ text: 'a' });
	expect(requests).toEqual([{ text: '', offset: null }]);
	await respondUntil('a', '0');
	write({ text: 'b' });
	write({ text: 'c' });
	await respondUntil('bc', '1');
	end = 50;
	write({ text: 'd' });
	await respondUntil('d', '50');
	// So much that the service no longer has what it would have to compare.
	end = 200_000;
	write({ text: 'e' });
	await respondUntil('e', '200000');
	expect(refuse).not.toHaveBeenCalled();
});

test('a text with a number is sent by itself, and accepted when all of it is written', async () => {
	const { consoleWriter } = await import(address);
	const bodies: string[] = [];
	vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
		if (body !== '') bodies.push(body);
		const end = String(bodies.join('').length);
		return new Response(null, { status: 204, headers: { 'x-console-offset': end } });
	});
	const accepted: (number | undefined)[] = [];
	const accept = ({ number }: { number?: number }) => {
		if (number !== undefined) accepted.push(number, bodies.length);
	};
	const write = consoleWriter('lse_1', vi.fn(), accept);
	for (const number of [undefined, 1, 2]) write({ text: `${'x'.repeat(1500)}\r`, number });
	await vi.waitFor(() => expect(accepted).toEqual([1, 4, 2, 6]), { timeout: 15_000 });
	expect(bodies.map(({ length }) => length)).toEqual([1000, 501, 1000, 501, 1000, 501]);
});

test('lines that are shown as sent are sent one by one, each with its mark', async () => {
	const { consoleWriter } = await import(address);
	let end = 0;
	const bodies: string[] = [];
	vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
		bodies.push(body);
		end += body.length;
		return new Response(null, { status: 204, headers: { 'x-console-offset': String(end) } });
	});
	const accepted = vi.fn();
	const write = consoleWriter('lse_1', vi.fn(), accepted);
	const texts = ['one', 'two', 'three'];
	for (const text of texts) write({ text, echo: [text] });
	await vi.waitFor(() => expect(accepted).toHaveBeenCalledTimes(3));
	expect(accepted.mock.calls.map(([{ echo }]) => echo)).toEqual(texts.map((text) => [text]));
	expect(bodies).toEqual(['', ...texts]);
});

test('output is held for half a second at most, however many lines are on their way', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const { followLease } = await import(stream);
	const events = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
	vi.stubGlobal('fetch', async (path: string) =>
		path.includes('/events')
			? new Response(new ReadableStream({ start: events.resolve }))
			: new Promise(() => {}),
	);
	const tab = { postMessage: vi.fn(), onmessage: (_: { data: object }) => {} };
	followLease('lse_1')(tab);
	const send = (text: string) => tab.onmessage({ data: { typed: text, echo: [text] } });
	const shown = () => tab.postMessage.mock.calls.some(([{ kind }]) => kind === 'output');
	const body = { fence: 1, from: 5, output: btoa('hello'), times: [] };
	send('one');
	(await events.promise).enqueue(new TextEncoder().encode(`data: ${JSON.stringify(body)}\n\n`));
	await vi.advanceTimersByTimeAsync(300);
	expect(shown()).toBe(false);
	send('two');
	await vi.advanceTimersByTimeAsync(300);
	expect(shown()).toBe(true);
	tab.onmessage({ data: { seen: false, closed: true } });
});
