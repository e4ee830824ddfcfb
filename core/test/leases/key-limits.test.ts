// What the leases of one API key may cost together.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createKey } from '../../src/keys/commands.ts';
import { issueKey } from '../../src/keys/store.ts';
import { unoBoards } from '../support/boards.ts';
import { databaseKinds } from '../support/databases.ts';
import { type Lab, openLab, requestOf } from '../support/lab.ts';
import { passMinutes } from '../support/time.ts';

let lab: Lab;
beforeEach(() => passMinutes(0));
afterEach(async () => {
	vi.useRealTimers();
	await lab.close();
});

const price = 2;

async function openLimited(kind: 'SQLite' | 'PostgreSQL', creditLimit: number) {
	lab = await openLab(kind, { boards: unoBoards(3, { credits_per_minute: price }) });
	const account = await lab.account({ credits: 10_000 });
	const wanted = { accountId: account.id, scope: 'boards', creditLimit } as const;
	const { id: keyId } = await issueKey(lab.query, wanted);
	return { account, keyId, limited: lab.as({ caller: { accountId: account.id, keyId } }) };
}

async function costOf(keyId: string) {
	const leases = await lab.query
		.selectFrom('leases')
		.select(['credits', 'held_credits'])
		.where('api_key_id', '=', keyId)
		.execute();
	return leases.reduce((sum, { credits, held_credits }) => sum + (credits ?? 0) + held_credits, 0);
}

describe.each(databaseKinds)('the credit limit of a key on %s', (kind) => {
	test('counts what its leases have cost and hold, and nothing that others lease', async () => {
		const { account, limited } = await openLimited(kind, 30);
		await account.lease({ board_type: 'uno', minutes: 60 });
		const first = await limited.lease({ board_type: 'uno', minutes: 10 });
		await expect(limited.lease({ board_type: 'uno', minutes: 10 })).rejects.toMatchObject({
			code: 'credits_exhausted',
			message: 'This needs 20 credits; the leases of this API key may cost 10 more.',
		});
		const other = await account.lease({ board_type: 'uno', minutes: 1 });
		await expect(limited.renew(other.id, 2)).rejects.toMatchObject({ code: 'credits_exhausted' });
		await account.release(other.id);
		await limited.renew(first.id, 15);
		await expect(limited.renew(first.id, 16)).rejects.toMatchObject({ code: 'credits_exhausted' });
		passMinutes(0.5);
		await limited.release(first.id);
		// It has cost its first minute.
		await limited.lease({ board_type: 'uno', minutes: 14 });
		await expect(limited.lease({ board_type: 'uno', minutes: 1 })).rejects.toMatchObject({
			code: 'credits_exhausted',
		});
	});

	test('needs the scope boards, because other keys can create keys without one', async () => {
		const { account } = await openLimited(kind, 30);
		const create = (input: { scope?: 'full' | 'boards'; credit_limit: number }) =>
			createKey(lab.core, { accountId: account.id }, requestOf({ input }));
		await expect(create({ credit_limit: 5 })).rejects.toMatchObject({ code: 'invalid_request' });
		const { result } = await create({ scope: 'boards', credit_limit: 5 });
		expect(result).toMatchObject({ credit_limit: 5 });
	});
});

const step = fc.oneof(
	fc.record({ does: fc.constant('lease' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
	fc.record({ does: fc.constant('group' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
	fc.record({ does: fc.constant('renew' as const), minutes: fc.integer({ min: 1, max: 40 }) }),
	fc.record({ does: fc.constant('release' as const) }),
	fc.record({ does: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 9 }) }),
);

test('whatever is leased, renewed and released, leases never cost more than the limit of their key', async () => {
	const outcomes = new Set<string>();
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 120 }),
			fc.array(step, { minLength: 4, maxLength: 14 }),
			async (limit, steps) => {
				const { keyId, limited } = await openLimited('SQLite', limit);
				const live: string[] = [];
				try {
					for (const { does, ...given } of steps) {
						const minutes = 'minutes' in given ? given.minutes : 0;
						const left = limit - (await costOf(keyId));
						const [last] = live.slice(-1);
						const request = { board_type: 'uno' };
						try {
							if (does === 'wait') passMinutes(minutes);
							else if (does === 'lease')
								live.push((await limited.lease({ ...request, minutes })).id);
							else if (does === 'group') {
								const boards = { a: request, b: request };
								live.push(...(await limited.group({ boards, minutes })).leases.map(({ id }) => id));
							} else if (last && does === 'renew') await limited.renew(last, minutes);
							else if (last && does === 'release') await limited.release(live.pop() ?? '');
							outcomes.add(does);
						} catch (error) {
							const { code } = error as { code?: string };
							outcomes.add(`${does} ${code}`);
							// What the limit allows is never rejected for it.
							const cost = minutes * price * (does === 'group' ? 2 : 1);
							if (code === 'credits_exhausted' && does !== 'renew')
								expect(cost).toBeGreaterThan(left);
						}
						expect(await costOf(keyId)).toBeLessThanOrEqual(limit);
					}
				} finally {
					await lab.close();
					vi.useRealTimers();
					passMinutes(0);
				}
			},
		),
		{ numRuns: 40 },
	);
	expect([...outcomes]).toEqual(
		expect.arrayContaining([
			'lease',
			'renew',
			'lease credits_exhausted',
			'renew credits_exhausted',
		]),
	);
});
