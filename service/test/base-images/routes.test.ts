import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Backend, backends } from '../support/backends.ts';

const path = '/v1/admin/base-images';

const wanted = (name: string, more: object = {}) => ({
	action: 'flash',
	name,
	url: `https://images.example.com/${name}.bin`,
	...more,
});

describe.each(backends)('changing base images $name', ({ kind, open }) => {
	let backend: Backend;
	beforeAll(async () => {
		backend = await open();
	});
	afterAll(() => backend.close());

	const send = async (method: string, to: string, json?: unknown, key = backend.apiKey) => {
		const response = await backend.send(to, {
			method,
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
			...(json !== undefined && { body: JSON.stringify(json) }),
		});
		return { status: response.status, body: await response.json() };
	};
	const create = async (board_type: string, name: string) =>
		(await send('POST', path, { ...wanted(name), board_type })).body;

	test('a changed field is returned and kept, and the others stay', async () => {
		const image = await create('typo-bord', 'App');
		const changed = await send('PATCH', `${path}/${image.id}`, { board_type: 'fixed-board' });
		expect(changed).toEqual({ status: 200, body: { ...image, board_type: 'fixed-board' } });
		expect((await send('GET', `${path}/${image.id}`)).body).toEqual(changed.body);
	});

	test('a change that would make the base image invalid is rejected', async () => {
		const image = await create('patched', 'App');
		const refused = await send('PATCH', `${path}/${image.id}`, { url: '', position: -1 });
		expect(refused.status).toBe(400);
		const noUrl = await send('PATCH', `${path}/${image.id}`, { url: '' });
		expect(noUrl.body.error).toMatchObject({ code: 'invalid_request', param: 'url' });
		const url = `https://images.example.com/a.bin#sha256=${'ab'.repeat(32)}`;
		const twice = await send('PATCH', `${path}/${image.id}`, { url });
		expect(twice.body.error).toMatchObject({ code: 'invalid_request', param: 'url' });
		expect((await send('GET', `${path}/${image.id}`)).body).toEqual(image);
	});

	test('an erase has no image, and what becomes an erase loses its image', async () => {
		const erase = { action: 'erase', board_type: 'erased', name: 'Erase' };
		const url = 'https://images.example.com/a.bin';
		for (const more of [{ url }, { flash_offset: '0x1000' }, { sha256: 'ab'.repeat(32) }]) {
			const { status, body } = await send('POST', path, { ...erase, ...more });
			expect([status, body.error.param]).toEqual([400, 'action']);
		}
		const { id } = await create('erased', 'App');
		const both = await send('PATCH', `${path}/${id}`, { action: 'erase', url });
		expect(both.body.error.param).toBe('action');
		await send('PATCH', `${path}/${id}`, { flash_offset: '0x1000' });
		const { status, body } = await send('PATCH', `${path}/${id}`, { action: 'erase' });
		expect([status, body.url, body.flash_offset]).toEqual([200, '', '0x0']);
	});

	const sha256 = 'AB'.repeat(32);

	test('an http address needs the SHA-256 of its image', async () => {
		const image = wanted('App', { board_type: 'checked', url: 'HTTP://images.example.com/a.bin' });
		for (const missing of [{}, { sha256: '' }, { sha256: `sha256:${sha256}` }, { sha256: 'abc' }]) {
			const { status, body } = await send('POST', path, { ...image, ...missing });
			expect([status, body.error.param]).toEqual([400, 'sha256']);
		}
		const set = { board_type: 'checked', images: [{ ...image }] };
		expect((await send('PUT', path, set)).body.error.param).toBe('images.0.sha256');
		const { status, body } = await send('POST', path, { ...image, sha256 });
		expect([status, body.sha256]).toEqual([201, sha256.toLowerCase()]);
		const cleared = await send('PATCH', `${path}/${body.id}`, { sha256: '' });
		expect([cleared.status, cleared.body.error.param]).toEqual([400, 'sha256']);
	});

	test('a SHA-256 can be added and removed, and is absent where there is none', async () => {
		const image = await create('unchecked', 'App');
		expect(image).not.toHaveProperty('sha256');
		const added = await send('PATCH', `${path}/${image.id}`, { sha256 });
		expect(added.body).toEqual({ ...image, sha256: sha256.toLowerCase() });
		expect((await send('PATCH', `${path}/${image.id}`, { name: 'App 2' })).body.sha256).toBe(
			sha256.toLowerCase(),
		);
		expect((await send('PATCH', `${path}/${image.id}`, { sha256: '', name: 'App' })).body).toEqual(
			image,
		);
		const put = async (more: object) =>
			(await send('PUT', path, { board_type: 'unchecked', images: [wanted('App', more)] })).body;
		const { changed } = await put({ sha256 });
		expect(changed[0].after.sha256).toBe(sha256.toLowerCase());
		expect(await put({ sha256 })).toMatchObject({ changed: [], unchanged: 1 });
		expect((await put({})).changed[0].after).not.toHaveProperty('sha256');
		expect((await send('GET', `${path}/${image.id}`)).body).toEqual({ ...image, position: 0 });
	});

	test('a deleted image is gone', async () => {
		const image = await create('deleted', 'App');
		expect(await send('DELETE', `${path}/${image.id}`)).toEqual({ status: 200, body: image });
		for (const method of ['GET', 'DELETE']) {
			const { status, body } = await send(method, `${path}/${image.id}`);
			expect([status, body.error.code]).toEqual([404, 'base_image_not_found']);
		}
		expect((await send('PATCH', `${path}/${image.id}`, { name: 'x' })).status).toBe(404);
	});

	test('a list has every image once, in order, however small its pages', async () => {
		for (const name of ['a', 'b', 'c', 'd', 'e']) await create('listed', name);
		const names: string[] = [];
		let cursor = '';
		do {
			const { body } = await send('GET', `${path}?board_type=listed&limit=2${cursor}`);
			names.push(...body.data.map((image: { name: string }) => image.name));
			cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
		} while (cursor);
		expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
	});

	test('a set replaces the images of its type only, and sending it again changes nothing', async () => {
		const other = await create('other', 'App');
		for (const name of ['Old', 'Changed', 'Kept']) await create('set', name);
		const images = [
			wanted('Kept', { position: 2 }),
			wanted('Changed', { flash_offset: '0x8000', position: 0 }),
			wanted('New', { position: 1 }),
		];
		const plan = (await send('PUT', path, { board_type: 'set', images, dry_run: true })).body;
		const untouched = (await send('GET', `${path}?board_type=set`)).body.data;
		expect(untouched.map(({ name }: { name: string }) => name)).toEqual(['Old', 'Changed', 'Kept']);
		const applied = (await send('PUT', path, { board_type: 'set', images })).body;
		for (const { added, changed, removed, unchanged } of [plan, applied]) {
			expect(added.map(({ name }: { name: string }) => name)).toEqual(['New']);
			expect(changed.map(({ after }: { after: { name: string } }) => after.name)).toEqual([
				'Changed',
			]);
			expect(removed.map(({ name }: { name: string }) => name)).toEqual(['Old']);
			expect(unchanged).toBe(1);
		}
		const again = (await send('PUT', path, { board_type: 'set', images })).body;
		expect(again).toEqual({ added: [], changed: [], removed: [], unchanged: 3 });
		const now = (await send('GET', `${path}?board_type=set`)).body.data;
		expect(now.map(({ name }: { name: string }) => name)).toEqual(['Changed', 'New', 'Kept']);
		expect((await send('GET', `${path}/${other.id}`)).body).toEqual(other);
	});

	test('a set with an invalid image changes nothing', async () => {
		const image = await create('all-or-none', 'App');
		const images = [wanted('Fine'), { action: 'burn' }];
		expect((await send('PUT', path, { board_type: 'all-or-none', images })).status).toBe(400);
		expect((await send('GET', `${path}?board_type=all-or-none`)).body.data).toEqual([image]);
	});

	test(`parallel images without a position get distinct ones on ${kind}`, async () => {
		const images = await Promise.all(
			Array.from({ length: 12 }, (_, index) => create('parallel', `image-${index}`)),
		);
		const positions = images.map(({ position }) => position).sort((one, other) => one - other);
		expect(positions).toEqual(Array.from({ length: 12 }, (_, index) => index));
	});
});
