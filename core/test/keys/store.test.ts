import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { lockCounts } from '../../src/accounts/lock.ts';
import { deleteSessions, openSession } from '../../src/accounts/sessions/sessions.ts';
import type { Database } from '../../src/database/database.ts';
import { createLastUsed } from '../../src/keys/last-used.ts';
import { findKeyOwner } from '../../src/keys/lookup.ts';
import { issueKey, issueKeyWithin, listKeys, revokeKey } from '../../src/keys/store.ts';
import { databaseKinds, paidAccount, readyDatabase } from '../support/databases.ts';
import { passMinutes } from '../support/time.ts';

describe.each(databaseKinds)('keys on %s', (kind) => {
	let database: Database;
	beforeAll(async () => {
		database = await readyDatabase(kind);
	});
	afterAll(() => database.close());
	afterEach(() => void vi.useRealTimers());

	const newKey = async (label?: string) => {
		const { id: accountId } = await paidAccount(database);
		return { accountId, ...(await issueKey(database.query, { accountId, label })) };
	};

	test('a key is found only by the full key', async () => {
		const { key, id, accountId } = await newKey();
		const find = (key: string) => findKeyOwner(database, key);
		expect(await find(key)).toMatchObject({ keyId: id, accountId });
		expect(await find(id)).toBeUndefined();
		expect(await find(`key_${'0'.repeat(48)}`)).toBeUndefined();
	});

	test('a session that has ended while it waited for its account creates no key', async () => {
		const { query } = database;
		const { id: accountId } = await paidAccount(database);
		const visit = { account_id: accountId, ip_address: '', user_agent: '' };
		const { id: sessionId } = await openSession(query, visit, 1);
		const create = () => issueKeyWithin(query, { accountId, sessionId }, 50);
		expect(await create()).toMatchObject({ revoked_at: null });
		let creating: Promise<unknown> | undefined;
		await query.transaction().execute(async (transaction) => {
			await lockCounts(transaction, accountId);
			creating = create().catch((error) => error);
			await deleteSessions(transaction, accountId);
		});
		expect(await creating).toMatchObject({ code: 'credentials_missing' });
		const filter = { accountId, includeRevoked: true };
		expect((await listKeys(query, filter, { limit: 10 })).data).toHaveLength(1);
	});

	test('keys that are looked up together are each found with its own account', async () => {
		const [one, other] = [await newKey(), await newKey()];
		const query = database.pool && vi.spyOn(database.pool, 'query');
		const find = (key: string) => findKeyOwner(database, key);
		const keys = [one.key, other.key, `key_${'0'.repeat(48)}`, one.key];
		const found = await Promise.all(keys.map(find));
		expect(found.map((owner) => owner?.keyId)).toEqual([one.id, other.id, undefined, one.id]);
		if (query) expect(query).toHaveBeenCalledTimes(1);
		query?.mockRestore();
	});

	test('a lookup sees a revocation that follows an earlier lookup of the same key', async () => {
		const { accountId, id, key } = await newKey();
		const find = (key: string) => findKeyOwner(database, key);
		const [first] = [find(key), await revokeKey(database.query, { accountId, id })];
		expect((await find(key))?.revokedAt).not.toBeNull();
		await first;
	});

	test('a revocation is seen by every lookup that begins after it', async () => {
		const { accountId, id, key } = await newKey();
		const find = (key: string) => findKeyOwner(database, key);
		expect((await find(key))?.revokedAt).toBeNull();
		await revokeKey(database.query, { accountId, id });
		expect((await find(key))?.revokedAt).not.toBeNull();
	});

	test('the full key is not stored', async () => {
		const { key } = await newKey('secret?');
		const rows = await database.query.selectFrom('api_keys').selectAll().execute();
		expect(JSON.stringify(rows)).not.toContain(key.slice(8, 40));
	});

	test('keys are paged through newest first, each once', async () => {
		const { id: accountId } = await paidAccount(database);
		const made: string[] = [];
		for (let count = 0; count < 7; count += 1) {
			made.unshift((await issueKey(database.query, { accountId })).id);
			passMinutes(1);
		}
		const first = await listKeys(
			database.query,
			{ accountId, includeRevoked: false },
			{ limit: 4 },
		);
		expect(first.next_cursor).not.toBeNull();
		const second = await listKeys(
			database.query,
			{ accountId, includeRevoked: false },
			{ limit: 4, cursor: first.next_cursor },
		);
		expect([...first.data, ...second.data].map((key) => key.id)).toEqual(made);
		expect(second.next_cursor).toBeNull();
	});

	test('revoking a key again changes nothing', async () => {
		const { accountId, id } = await newKey();
		const first = await revokeKey(database.query, { accountId, id });
		expect(first?.revoked_at).toMatch(/^\d{4}-.*\.\d{3}Z$/);
		passMinutes(1);
		expect(await revokeKey(database.query, { accountId, id })).toEqual(first);
	});

	test('another account cannot revoke a key', async () => {
		const { id, key } = await newKey();
		const { id: accountId } = await paidAccount(database);
		const revoking = revokeKey(database.query, { accountId, id });
		await expect(revoking).rejects.toMatchObject({ code: 'key_not_found' });
		expect(await findKeyOwner(database, key)).toMatchObject({ revokedAt: null });
	});

	test('the last use is known even before it is written', async () => {
		const { id } = await newKey();
		const lastUsed = createLastUsed(database.query);
		lastUsed.touch(id);
		const flushed = lastUsed.flush();
		expect(lastUsed.holds(id)).toBe(true);
		await flushed;
		expect(lastUsed.holds(id)).toBe(false);
		await lastUsed.close();
	});

	test('the last use is written in the background and never goes back', async () => {
		const { accountId, id } = await newKey();
		const lastUsed = createLastUsed(database.query);
		const read = async () =>
			(await listKeys(database.query, { accountId, includeRevoked: false }, { limit: 1 })).data[0]
				?.last_used_at;
		lastUsed.touch(id);
		expect(await read()).toBeNull();
		await lastUsed.flush();
		expect(Date.parse((await read()) ?? '')).toBeGreaterThan(Date.now() - 5000);
		const future = new Date(Date.now() + 60_000).toISOString();
		await database.query
			.updateTable('api_keys')
			.set({ last_used_at: future })
			.where('id', '=', id)
			.execute();
		lastUsed.touch(id);
		await lastUsed.close();
		expect(await read()).toBe(future);
	});
});
