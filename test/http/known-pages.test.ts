// A list that is requested again is transferred again only after a change.
import { type Fetch, responseOf } from 'board-access';
import { expect, it, vi } from 'vitest';
import { createClient } from '../support/client.ts';

const page = (id: string, tag = `"${id}"`) =>
	Response.json({ data: [{ id }] }, { headers: { etag: tag } });
const unchanged = () => new Response(null, { status: 304 });

/** The tag that each request sent. */
function tagsOf(fetch: ReturnType<typeof vi.fn<Fetch>>) {
	return fetch.mock.calls.map(([, { headers }]) => headers['if-none-match']);
}

it('a list is transferred again only after a change', async () => {
	const fetch = vi.fn<Fetch>();
	fetch.mockResolvedValueOnce(page('brd_1'));
	fetch.mockResolvedValueOnce(unchanged());
	fetch.mockResolvedValueOnce(page('brd_2'));
	fetch.mockResolvedValueOnce(unchanged());
	const { boards } = createClient({ fetch });
	const first = await boards.list();
	const same = await boards.list();
	expect(same).toEqual(first);
	expect(same[0]).not.toBe(first[0]);
	expect(responseOf(same)).toMatchObject({ status: 200 });
	expect(await boards.list()).toEqual([{ id: 'brd_2' }]);
	expect(await boards.list()).toEqual([{ id: 'brd_2' }]);
	expect(tagsOf(fetch)).toEqual([undefined, '"brd_1"', '"brd_1"', '"brd_2"']);
});

it('known pages belong to one address and one key', async () => {
	const fetch = vi.fn<Fetch>(async () => page('brd_1'));
	const keys = [1, 2, 1].map((digit) => `key_${String(digit).repeat(48)}`);
	const { boards } = createClient({ fetch, apiKey: () => keys.shift() ?? '' });
	await boards.list();
	await boards.list();
	await boards.list({ status: 'available' });
	expect(tagsOf(fetch)).toEqual([undefined, undefined, undefined]);
});

it('a page without an ETag, and a long one, are not kept', async () => {
	const fetch = vi.fn<Fetch>();
	fetch.mockResolvedValueOnce(Response.json({ data: [] }));
	fetch.mockResolvedValueOnce(page('x'.repeat(100_000), '"long"'));
	fetch.mockResolvedValueOnce(page('brd_1'));
	const { boards } = createClient({ fetch });
	for (let i = 0; i < 3; i++) await boards.list();
	expect(tagsOf(fetch)).toEqual([undefined, undefined, undefined]);
});

it('only the last ten pages are kept', async () => {
	const fetch = vi.fn<Fetch>(async (url) => page(url.slice(-2)));
	const { boards } = createClient({ fetch });
	const types = Array.from({ length: 10 }, (_, index) => `t${index}`);
	for (const boardType of [...types, 't0', 't10', 't0', 't1']) await boards.list({ boardType });
	expect(tagsOf(fetch).slice(10)).toEqual(['"t0"', undefined, '"t0"', undefined]);
});

it('waiting for a board starts from a known page', async () => {
	const fetch = vi.fn<Fetch>();
	fetch.mockResolvedValueOnce(page('brd_1'));
	fetch.mockResolvedValueOnce(unchanged());
	const { boards } = createClient({ fetch });
	await boards.list({ status: 'available' });
	expect(await boards.waitFor({ status: 'available' })).toEqual([{ id: 'brd_1' }]);
});
