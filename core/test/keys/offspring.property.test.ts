// No key creates a key that works for longer than itself, in whatever order keys are created and revoked.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { timestamp } from '../../src/database/clock.ts';
import type { Database } from '../../src/database/database.ts';
import { ApiError } from '../../src/errors.ts';
import { issueKeyWithin, replaceUnusedKey, revokeKey } from '../../src/keys/store.ts';
import { databaseKinds, paidAccount, readyDatabase } from '../support/databases.ts';

const end = fc.option(fc.option(fc.integer({ min: 1, max: 40 })), { nil: undefined });
const step = fc.oneof(
	fc.record({ do: fc.constant('create' as const), by: fc.nat(), end }),
	fc.record({ do: fc.constant('replace' as const), by: fc.nat(), key: fc.nat() }),
	fc.record({ do: fc.constant('revoke' as const), key: fc.nat() }),
	fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 15 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A key that ends later, and one by a key that has ended, are rejected. */
const rejections: Step[] = [
	{ do: 'create', by: 0, end: 10 },
	{ do: 'create', by: 1, end: 11 },
	{ do: 'create', by: 1, end: null },
	{ do: 'wait', seconds: 11 },
	{ do: 'create', by: 1, end: undefined },
];

interface Key {
	id: string;
	end: number;
	revoked: boolean;
}

const endOf = (text: string | null) =>
	text === null ? Number.POSITIVE_INFINITY : Date.parse(text);

describe.each(databaseKinds)('keys that create keys on %s', (kind) => {
	let database: Database;
	// The database's clock, an hour behind that of the process.
	let now = Date.now() - 3_600_000;
	let rejected = 0;
	beforeAll(async () => {
		database = await readyDatabase(kind);
		Object.assign(database.clock, { now: () => now });
	});
	afterAll(() => database.close());

	const create = (accountId: string, each: Step, creator: Key, replaced: Key | undefined) => {
		const owner = { accountId, createdBy: creator.id };
		const seconds = each.do === 'create' ? each.end : undefined;
		const expiresAt = typeof seconds === 'number' ? timestamp(now + seconds * 1000) : seconds;
		return database.query
			.transaction()
			.execute((db) =>
				replaced
					? replaceUnusedKey(db, { ...owner, id: replaced.id, used: false })
					: issueKeyWithin(db, { ...owner, expiresAt }, 1000),
			)
			.catch((error: unknown) => {
				if (!(error instanceof ApiError)) throw error;
				rejected += 1;
			});
	};

	const carryOut = async (steps: readonly Step[]) => {
		const { query } = database;
		const { id: accountId } = await paidAccount(database);
		const { id } = await issueKeyWithin(query, { accountId }, 1000);
		const keys: Key[] = [{ id, end: endOf(null), revoked: false }];
		const pick = (number: number) => keys[number % keys.length] ?? expect.unreachable();
		for (const each of steps) {
			if (each.do === 'wait') now += each.seconds * 1000;
			else if (each.do === 'revoke') {
				const key = pick(each.key);
				await revokeKey(query, { accountId, id: key.id });
				key.revoked = true;
			} else {
				const creator = pick(each.by);
				const { revoked } = creator;
				const replaced = each.do === 'replace' ? pick(each.key) : undefined;
				const created = await create(accountId, each, creator, replaced);
				if (!created) continue;
				if (replaced) replaced.revoked = true;
				const end = endOf(created.expires_at);
				expect(revoked).toBe(false);
				expect(creator.end).toBeGreaterThan(now);
				expect(end).toBeLessThanOrEqual(creator.end);
				keys.push({ id: created.id, end, revoked: false });
			}
		}
	};

	test('a key ends no later than the key that created it, and one that ended creates none', {
		tags: 'generated',
	}, async () => {
		const steps = fc.array(step, { minLength: 10, maxLength: 25 });
		await fc.assert(fc.asyncProperty(steps, carryOut), { numRuns: runs(6) });
		rejected = 0;
		await carryOut(rejections);
		expect(rejected).toBe(3);
	});
});
