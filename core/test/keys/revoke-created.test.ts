// A leaked key is revoked together with everything that it created, however much that is.
import { hash } from 'node:crypto';
import { apiKeyIdFrom } from 'board-access-contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { listActivity } from '../../src/activity/store.ts';
import { timeIn } from '../../src/database/clock.ts';
import type { Database } from '../../src/database/database.ts';
import { deleteEndedKeys } from '../../src/housekeeping.ts';
import { findKeyOwner } from '../../src/keys/lookup.ts';
import { findFamily, issueKey, issueKeyWithin, revokeKey } from '../../src/keys/store.ts';
import { databaseKinds, paidAccount, readyDatabase } from '../support/databases.ts';
import { passMinutes } from '../support/time.ts';

const passDays = (days: number) => passMinutes(days * 24 * 60);

describe.each(databaseKinds)('the keys that a key created on %s', (kind) => {
	let database: Database;
	beforeAll(async () => {
		database = await readyDatabase(kind);
	});
	afterAll(() => database.close());
	afterEach(() => void vi.useRealTimers());

	const newAccount = async () => {
		const { id: accountId } = await paidAccount(database);
		const create = (createdBy?: string, expiresAt?: string) =>
			issueKey(database.query, { accountId, createdBy, expiresAt });
		const revoke = async (id: string, created = true) => {
			const key = { accountId, id };
			const family = created ? await findFamily(database.reader, key) : undefined;
			return revokeKey(database.query, key, family);
		};
		return { accountId, create, revoke };
	};

	const revokedAt = async ({ key }: { key: string }) =>
		(await findKeyOwner(database, key))?.revokedAt;

	/** Counts the statements that the work sends. */
	const counted = async (work: (db: Database['query']) => Promise<unknown>) => {
		let statements = 0;
		const db = database.query.withPlugin({
			transformQuery: ({ node }) => {
				statements += 1;
				return node;
			},
			transformResult: async ({ result }) => result,
		});
		await work(db);
		return statements;
	};

	test('are revoked with as many statements as one, and one entry in the activity log, however many they are', async () => {
		const { accountId, create } = await newAccount();
		const root = await create();
		const few = await create(root.id);
		const ids = (number: string) =>
			sql`'key_' || substr('${sql.raw(few.id.slice(4, 16))}', 1, 12) || ${sql.raw(number)}`;
		// A chain of 2,000 keys, each of which the one before created, and 8,000 that one key created.
		const numbers = `substr('000000000000' || cast(n as text), -12)`;
		const right = kind === 'SQLite' ? numbers : `lpad(cast(n as text), 12, '0')`;
		await sql`insert into api_keys (id, account_id, hash, hint, scope, created_by, created_at)
			with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10000)
			select ${ids(right)}, ${accountId}, ${ids(right)}, 'x', 'full',
				case when n = 1 or n > 2000 then ${few.id} else ${ids(right.replaceAll('n as', 'n - 1 as'))} end,
				${timeIn(database.query)} from numbers`.execute(database.query);
		const other = await newAccount();
		const plain = await other.create();
		await other.create(plain.id);
		const revokeAll = (key: { accountId: string; id: string }) =>
			counted(async (db) => revokeKey(db, key, await findFamily(db, key)));
		const forOne = await revokeAll({ accountId: other.accountId, id: plain.id });
		const forMany = await revokeAll({ accountId, id: root.id });
		expect(forMany).toBe(forOne);
		const left = database.query.selectFrom('api_keys').select('id').where('revoked_at', 'is', null);
		expect(await left.where('account_id', '=', accountId).execute()).toEqual([]);
		const { data } = await listActivity(
			database.query,
			{ accountId, kind: 'key.revoked' },
			{ limit: 9 },
		);
		expect(data).toMatchObject([{ subject_id: root.id, details: { created_keys: 10_001 } }]);
	});

	test('that expired or were revoked before stay as they were', async () => {
		const { create, revoke } = await newAccount();
		const root = await create();
		const expired = await create(root.id, new Date(Date.now() + 60_000).toISOString());
		const before = await create(root.id);
		const below = await create(before.id);
		await revoke(before.id, false);
		const first = await revokedAt(before);
		passMinutes(2);
		await revoke(root.id);
		expect([await revokedAt(expired), await revokedAt(before)]).toEqual([null, first]);
		expect(await revokedAt(below)).not.toBeNull();
	});

	test('are revoked even after the key itself was', async () => {
		const { create, revoke } = await newAccount();
		const root = await create();
		const child = await create(root.id);
		const first = await revoke(root.id, false);
		passMinutes(1);
		expect(await revoke(root.id)).toEqual(first);
		expect(await revokedAt(child)).not.toBeNull();
	});

	test('are all revoked although it creates another one at that moment', async () => {
		for (let round = 0; round < 10; round += 1) {
			const { accountId, create, revoke } = await newAccount();
			const root = await create();
			const creating = () =>
				issueKeyWithin(database.query, { accountId, createdBy: root.id }, 1000);
			const [, ...created] = await Promise.allSettled([revoke(root.id), creating(), creating()]);
			for (const each of created) {
				if (each.status === 'fulfilled') expect(await revokedAt(each.value)).not.toBeNull();
				else expect(each.reason).toMatchObject({ code: 'api_key_revoked' });
			}
		}
	});

	test('are all revoked although they take turns while they are searched', async () => {
		const { accountId, create, revoke } = await newAccount();
		const root = await create();
		const family = await findFamily(database.reader, { accountId, id: root.id });
		const turns = [root];
		for (let last = root; turns.length < 4; turns.push(last)) {
			const next = await create(last.id);
			await revoke(last.id, false);
			last = next;
		}
		const unrelated = await create();
		await revokeKey(database.query, { accountId, id: root.id }, family);
		for (const each of turns) expect(await revokedAt(each)).not.toBeNull();
		expect(await revokedAt(unrelated)).toBeNull();
	});

	test('keep the keys that ended until they are gone themselves', { tags: 'long' }, async () => {
		const { accountId, create, revoke } = await newAccount();
		const root = await create();
		passMinutes(1);
		const dead = await create(root.id);
		passMinutes(1);
		const alive = await create(dead.id);
		const [first, second] = [await create(root.id), await create()];
		passMinutes(1);
		const last = await create(first.id, new Date(Date.now() + 60_000).toISOString());
		for (const { id } of [root, dead, first]) await revoke(id, false);
		passDays(89);
		await deleteEndedKeys(database.query);
		const stored = async () => {
			const rows = database.query.selectFrom('api_keys').select('id');
			return (await rows.where('account_id', '=', accountId).execute()).map(({ id }) => id).sort();
		};
		const all = [root, dead, alive, first, second, last].map(({ id }) => id).sort();
		expect(await stored()).toEqual(all);
		passDays(2);
		await deleteEndedKeys(database.query);
		expect(await stored()).toEqual([root.id, dead.id, alive.id, second.id].sort());
		expect(await findKeyOwner(database, last.key)).toBeUndefined();
		expect((await findKeyOwner(database, alive.key))?.revokedAt).toBeNull();
		await revoke(root.id);
		expect(await revokedAt(alive)).not.toBeNull();
		passDays(91);
		await deleteEndedKeys(database.query);
		expect(await stored()).toEqual([second.id]);
		expect(apiKeyIdFrom(hash('sha256', second.key))).toBe(second.id);
	});
});
