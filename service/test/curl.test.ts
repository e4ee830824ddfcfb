// The API with curl, without our own client.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backend, onPostgres } from './support/backends.ts';

let backend: Backend;
beforeAll(async () => {
	backend = await onPostgres.open();
});
afterAll(() => backend.close());

const curl = async (path: string, ...words: string[]) => {
	const { stdout } = await promisify(execFile)('curl', [
		'-s',
		'-w',
		'\n%{http_code}',
		'-H',
		`Authorization: Bearer ${backend.apiKey}`,
		...words,
		`${backend.baseUrl}${path}`,
	]);
	const cut = stdout.lastIndexOf('\n');
	return { status: Number(stdout.slice(cut)), body: JSON.parse(stdout.slice(0, cut)) };
};
const json = ['-H', 'Content-Type: application/json', '-d'];

test('boards are listed, filtered and paged through', async () => {
	const first = await curl('/v1/boards?status=available&limit=2');
	expect(first).toMatchObject({ status: 200, body: { data: [{}, {}] } });
	const next = await curl(`/v1/boards?status=available&limit=2&cursor=${first.body.next_cursor}`);
	expect(next.body.data[0].id).not.toBe(first.body.data[0].id);
});

test('a key is created, listed and revoked', async () => {
	const created = await curl('/v1/auth/keys', ...json, '{"label":"curl"}');
	expect(created).toMatchObject({ status: 201, body: { label: 'curl' } });
	const { id } = created.body;
	expect((await curl('/v1/auth/keys')).body.data[0]).toMatchObject({ id, revoked_at: null });
	const revoked = await curl(`/v1/auth/keys/${id}`, '-X', 'DELETE');
	expect(revoked).toMatchObject({ status: 200, body: { id, revoked_at: expect.any(String) } });
});

test('a key is created from -X POST alone', async () => {
	expect(await curl('/v1/auth/keys', '-X', 'POST')).toMatchObject({ status: 201 });
});

test('a base image is created, and an invalid one is rejected', async () => {
	const image = '{"action":"erase","board_type":"esp32-c6","name":"Erase"}';
	expect(await curl('/v1/admin/base-images', ...json, image)).toMatchObject({
		status: 201,
		body: { action: 'erase', position: 0 },
	});
	expect(await curl('/v1/admin/base-images', ...json, '{"action":"burn"}')).toMatchObject({
		status: 400,
		body: { error: { code: 'invalid_request' } },
	});
});

test('a form, which curl sends by default, is rejected with a request for JSON', async () => {
	expect(await curl('/v1/auth/keys', '-d', 'label=ci')).toMatchObject({
		status: 415,
		body: { error: { code: 'unsupported_media_type' } },
	});
});
