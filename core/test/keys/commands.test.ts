// Keys as their owner creates them: limits, expiry, and what a repeated request gets.
import { apiKeyInput } from 'board-access-contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type * as z from 'zod/mini';
import { createKey } from '../../src/keys/commands.ts';
import { listKeys } from '../../src/keys/store.ts';
import { databaseKinds, ruleTest } from '../support/databases.ts';
import { type Lab, openLab, requestOf } from '../support/lab.ts';
import { passMinutes } from '../support/time.ts';

const maxKeys = 20;

let lab: Lab;
afterEach(async () => {
	vi.useRealTimers();
	await lab.close();
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

describe.each(databaseKinds)('keys on %s', (kind) => {
	const rule = ruleTest(kind);

	/** An account with one key, and what creates more by any of its keys. */
	async function open() {
		lab = await openLab(kind, { keysPerAccount: maxKeys });
		const { id: accountId, caller } = await lab.account({ credits: 1 });
		const { keyId = '' } = caller;
		const create = async (
			input: z.input<typeof apiKeyInput> = {},
			{ by = keyId, once }: { by?: string; once?: string } = {},
		) => {
			const claim = once && { account_id: accountId, idempotency_key: once, request_hash: '' };
			const asking = { accountId, keyId: by };
			const given = apiKeyInput.parse(input);
			return (
				await createKey(lab.core, asking, requestOf({ input: given, claim: claim || undefined }))
			).result;
		};
		return { accountId, create };
	}

	rule('that a key which expires has created expire with it or earlier', async () => {
		const { create } = await open();
		const latest = inMinutes(60);
		const { id: by } = await create({ expires_at: latest });
		const earlier = inMinutes(30);
		expect(await create({}, { by })).toMatchObject({ expires_at: latest });
		expect(await create({ expires_at: latest }, { by })).toMatchObject({ expires_at: latest });
		expect(await create({ expires_at: earlier }, { by })).toMatchObject({ expires_at: earlier });
		for (const expires_at of [null, inMinutes(61)]) {
			await expect(create({ expires_at }, { by })).rejects.toMatchObject({
				message: expect.stringContaining(latest),
				details: { param: 'expires_at' },
			});
		}
	});

	rule('are replaced, unused, by a repeated request, with label, scope and expiry', async () => {
		const { create } = await open();
		const same = { label: 'nightly', scope: 'boards', expires_at: inMinutes(60) } as const;
		const first = await create(same, { once: 'limited' });
		const second = await create(same, { once: 'limited' });
		expect(second.id).not.toBe(first.id);
		expect(second).toMatchObject(same);
	});

	rule('that are replaced belong to the key that received them', async () => {
		const { create } = await open();
		const [first, second] = [await create(), await create()];
		const receive = (by: string) => create({}, { by, once: 'received' });
		expect(await receive(first.id)).toMatchObject({ created_by: first.id });
		expect(await receive(second.id)).toMatchObject({ created_by: second.id });
	});

	rule('that last longer are not replaced by a key that expires', async () => {
		const { create } = await open();
		const { id: by } = await create({ expires_at: inMinutes(60) });
		await create({}, { once: 'lasting' });
		await expect(create({}, { by, once: 'lasting' })).rejects.toMatchObject({
			details: { param: 'expires_at' },
		});
	});

	test('are limited for each account, even with concurrent requests, until one has ended', async () => {
		const { accountId, create } = await open();
		const { id: ending } = await create({ expires_at: inMinutes(1) });
		const outcomes = await Promise.allSettled(Array.from({ length: maxKeys + 5 }, () => create()));
		const rejected = { status: 'rejected', reason: { code: 'key_limit' } };
		expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject(rejected);
		const live = await listKeys(lab.query, { accountId, includeRevoked: false }, { limit: 200 });
		expect(live.data).toHaveLength(maxKeys);
		passMinutes(1.1);
		expect(await create()).not.toMatchObject({ id: ending });
		await expect(create()).rejects.toMatchObject({ code: 'key_limit' });
	});
});
