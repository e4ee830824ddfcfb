import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { locking, lockQueue } from '../../src/database/locks.ts';
import type { Db } from '../../src/database/schema.ts';

const database = await openDatabase(':memory:');
afterAll(() => database.close());

/** Locks these in one transaction. */
function lockAll(...locks: ((db: Db) => unknown)[]) {
	return database.query.transaction().execute(async (db) => {
		for (const lock of locks) await lock(db);
	});
}

const accounts = (db: Db) => locking(db, 'accounts');
const boards = (db: Db) => locking(db, 'boards');
const queue = (db: Db) => lockQueue(db, 'any');

test('a transaction locks in the one order', async () => {
	await lockAll(accounts, queue, boards);
	await expect(lockAll(boards, accounts)).rejects.toThrow('accounts must be locked before boards');
	await expect(lockAll(boards, queue)).rejects.toThrow('queue must be locked before boards');
});

test('what it has locked, it can lock again', () => lockAll(accounts, boards, accounts));

test('each transaction begins anew', async () => {
	await lockAll(boards);
	await lockAll(accounts);
});
