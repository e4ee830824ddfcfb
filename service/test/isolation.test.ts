// Two accounts never see or change each other's keys.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../core/src/keys/store.ts';
import { paidAccount } from '../../core/test/support/databases.ts';
import { type Backend, backends } from './support/backends.ts';

describe.each(backends)('two accounts $name', ({ open }) => {
	let backend: Backend;
	let ours: { id: string; key: string };
	let theirs: { id: string; key: string };
	beforeAll(async () => {
		backend = await open();
		const { database } = backend.services;
		const newKey = async () => {
			const { id: accountId } = await paidAccount(database);
			await issueKey(database.query, { accountId });
			return issueKey(database.query, { accountId });
		};
		[ours, theirs] = [await newKey(), await newKey()];
	});
	afterAll(() => backend.close());

	const send = (key: string, path: string, init: RequestInit = {}) =>
		backend.send(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });

	test('a list has the keys of its own account only', async () => {
		const { data } = await (await send(ours.key, '/v1/auth/keys?include_revoked=true')).json();
		expect(data).toHaveLength(2);
		expect(JSON.stringify(data)).not.toContain(theirs.id);
	});

	test("another account's cursor is rejected", async () => {
		const { next_cursor } = await (await send(theirs.key, '/v1/auth/keys?limit=1')).json();
		expect(next_cursor).toEqual(expect.any(String));
		const path = `/v1/auth/keys?limit=1&cursor=${next_cursor}`;
		expect((await send(ours.key, path)).status).toBe(400);
		expect((await send(theirs.key, path)).status).toBe(200);
	});

	test('the same Idempotency-Key can be used by two accounts', async () => {
		const create = async (key: string) =>
			(
				await send(key, '/v1/auth/keys', {
					method: 'POST',
					headers: { 'idempotency-key': 'shared' },
				})
			).json();
		const [a, b] = [await create(ours.key), await create(theirs.key)];
		for (const { key } of [a, b]) expect((await send(key, '/v1/boards')).status).toBe(200);
	});
});
